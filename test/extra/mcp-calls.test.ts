/** Prompts, values and resources that a session asks of a server. */
import {expect, test} from 'vitest';
import type {MediaPart, TextPart} from '../../src/chat/message.ts';
import {
	callPrompt,
	completeArgument,
	explainPrompt,
	findPrompt,
	readMentioned,
} from '../../src/cli/run/repl/server-calls.ts';
import {viewServers} from '../../src/cli/run/repl/server-views.ts';
import type {Connect} from '../../src/mcp/connection.ts';
import type {Offer, ServerPrompt} from '../../src/mcp/offer.ts';
import {openServers} from '../../src/mcp/open-servers.ts';
import {createMemoryServer, entry, manifestOf} from '../mcp/memory-server.ts';

const {signal} = new AbortController();
const image: MediaPart = {type: 'image', url: 'data:image/png;base64,AA=='};

const review: ServerPrompt = {
	name: 'review',
	description: 'Reviews',
	arguments: [{name: 'pr', description: 'its number', required: true}, {name: 'focus'}],
};

/** Opens a server with this offer, which answers each request with these parts. */
async function open(
	offer: Partial<Offer>,
	parts: ReadonlyArray<TextPart | MediaPart> = [{type: 'text', text: 'Do it.'}],
	values: readonly string[] = [],
) {
	const asked: unknown[] = [];
	const connect: Connect = async (...given) => ({
		...(await createMemoryServer().connect(...given)),
		readManifest: async () => ({...manifestOf([]), offer: {...manifestOf([]).offer, ...offer}}),
		async getPrompt(name, written) {
			asked.push([name, written]);
			return parts;
		},
		async readResource(uri) {
			asked.push(uri);
			return parts;
		},
		async complete(argument) {
			asked.push(argument);
			return values;
		},
	});
	const servers = openServers([entry('memory')], {
		connect,
		find: () => ({fingerprint: 'f', state: 'not approved'}),
		isAttended: true,
		toolTimeout: 0,
		findWindow: async () => undefined,
	});
	await servers.readFirst(signal);
	const run = {servers, signal};
	return {
		run,
		asked,
		views: () => viewServers(servers),
		async call(name: string, argument = '') {
			const prompt = findPrompt(`memory:${name}`, run);
			if (prompt === undefined) throw new Error(`no prompt ${name}`);
			const call = {name: `memory:${name}`, argument};
			return await callPrompt(prompt, call, [], run, {platform: 'linux'});
		},
	};
}

const usage = '/memory:review pr [focus]';

test.each<readonly [argument: string, asked: object | string]>([
	['12', {pr: '12'}],
	['12 error messages, and\nmore', {pr: '12', focus: 'error messages, and\nmore'}],
	['"1 2" "error messages"', {pr: '1 2', focus: 'error messages'}],
	['focus="error messages" 12', {pr: '12', focus: 'error messages'}],
	["pr=12 don't stop", {pr: '12', focus: "don't stop"}],
	['other=1 x', {pr: 'other=1', focus: 'x'}],
	['focus=x', `the prompt memory:review needs pr: ${usage}`],
	['pr=1 focus=x more', `unexpected argument more: ${usage}`],
])('the arguments of a prompt are read from %j', async (argument, expected) => {
	const {call, asked} = await open({prompts: [review]});
	const called = call('review', argument);
	if (typeof expected === 'string') {
		await expect(called).rejects.toMatchObject({kind: 'usage', message: expected});
		expect(asked).toEqual([]);
	} else {
		await called;
		expect(asked).toEqual([['review', expected]]);
	}
});

test('an argument is completed with the others, and quoted where a value needs it', async () => {
	const {run, asked} = await open({prompts: [review]}, [], ['a b', "it's", 'c', 'd\u202ee']);
	const source = {
		...({type: 'arguments', prompt: 'memory:review', argument: 'focus'} as const),
		...{written: '"a', before: '12 '},
	};
	const values = await completeArgument(source, run, {platform: 'linux'});
	expect(values.map(({text}) => text)).toEqual(['"a b"', '"it\'s"', 'c']);
	expect(asked).toEqual([{prompt: 'review', name: 'focus', value: 'a', others: {pr: '12'}}]);
});

test('a prompt is a draft with its images, without invisible characters, or an error', async () => {
	const text = 'Pay\u200b 5\u202e, \u001b[2Jplease';
	const {call} = await open({prompts: [review]}, [{type: 'text', text}, image, image]);
	const {prompt, isDraft} = await call('review', '12');
	expect(isDraft).toBe(true);
	expect(prompt?.text).toBe('Pay 5, please');
	expect(prompt?.attachments.map(({name}) => name)).toEqual(['memory:review', 'memory:review 2']);
	const empty = await open({prompts: [review]}, []);
	await expect(empty.call('review', '12')).rejects.toThrow('the prompt memory:review is empty');
});

test('a prompt attaches what is too long to be read in an editor, with a notice', async () => {
	const long = 'x'.repeat(20_000);
	const parts = [{type: 'text', text: 'Sum up:'} as const, {type: 'text', text: long} as const];
	const {call} = await open({prompts: [review]}, parts);
	const {prompt, notices} = await call('review', '12');
	expect(prompt).toMatchObject({
		text: 'Sum up:',
		attachments: [{type: 'file', name: 'memory:review', text: long}],
	});
	expect(notices.join()).toContain('memory:review, 20,000 characters');
});

test('a prompt has a name that can be typed, each its own, and explains its arguments', async () => {
	const names = ['get weather', 'get_weather', 'a:b', '/x', 'ü', '', '\u001b[2J'];
	const prompts = names.map((name) => ({name, arguments: []}));
	const {views, call, asked, run} = await open({prompts: [...prompts, review]});
	expect(views().flatMap((view) => view.prompts.map(({name}) => name))).toEqual([
		...['memory:get_weather', 'memory:a:b', 'memory:_x', 'memory:ü', 'memory:review'],
	]);
	await call('get_weather');
	expect(asked).toEqual([['get weather', {}]]);
	const prompt = findPrompt('memory:review', run);
	expect(prompt && explainPrompt(prompt)).toEqual([
		[usage, 'Reviews'],
		['pr=…', 'required: its number'],
		['focus=…', 'optional'],
		['server', 'memory'],
	]);
});

test.each([
	['memory:memo://one?', 'memo://one'],
	['memory:memo://two).', 'memo://two'],
	['memory:', undefined],
	['memory:one', undefined],
	['other:memo://one', undefined],
	['memo://one', undefined],
])('%j means the resource %s', async (written, uri) => {
	const resources = [{uri: 'memo://one', name: 'one'}];
	const {run, asked} = await open({resources}, [{type: 'text', text: 'A memo.'}, image]);
	const loaded = await readMentioned(written, run);
	expect(asked).toEqual(uri === undefined ? [] : [uri]);
	const name = `memory:${uri}`;
	const attachments = [
		{type: 'file', name, text: 'A memo.'},
		{type: 'image', name},
	];
	if (uri === undefined) expect(loaded).toBeUndefined();
	else expect(loaded?.attachments).toMatchObject(attachments);
});

test('a resource is offered only if it can be typed as it is', async () => {
	const uris = ['memo://a b', 'memo://"', 'memo://\u202ex', 'nothing', 'memo://x\ny'];
	const {views} = await open({
		resources: uris.map((uri) => ({uri, name: 'one', description: 'A memo'})),
		resourceTemplates: [
			{uriTemplate: 'memo://{name}/x', name: 'all'},
			{uriTemplate: '{+path}', name: 'any'},
		],
	});
	expect(views().flatMap((view) => view.resources)).toEqual([
		{text: 'memory:memo://a b', meaning: 'one: A memo', isPartial: false},
		{text: 'memory:memo://', meaning: 'all', isPartial: true},
	]);
});

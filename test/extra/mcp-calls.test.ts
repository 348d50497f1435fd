/** Prompts, values and resources that a session asks of a server. */
import {describe, expect, test} from 'vitest';
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

describe('the arguments of a prompt', () => {
	test.each([
		['12', {pr: '12'}],
		['12 security', {pr: '12', focus: 'security'}],
		['12 error messages, and\ntheir tests', {pr: '12', focus: 'error messages, and\ntheir tests'}],
		['"1 2" "error messages"', {pr: '1 2', focus: 'error messages'}],
		['focus="error messages" 12', {pr: '12', focus: 'error messages'}],
		['pr=12 focus=x', {pr: '12', focus: 'x'}],
		["pr=12 don't stop", {pr: '12', focus: "don't stop"}],
		['other=1 x', {pr: 'other=1', focus: 'x'}],
	])('are read from %j', async (argument, values) => {
		const {call, asked} = await open({prompts: [review]});
		await call('review', argument);
		expect(asked).toEqual([['review', values]]);
	});

	test.each([
		['', 'the prompt memory:review needs pr: /memory:review pr [focus]'],
		['focus=x', 'the prompt memory:review needs pr: /memory:review pr [focus]'],
		['pr=1 focus=x more', 'unexpected argument more: /memory:review pr [focus]'],
	])('are refused for %j, and nothing is asked', async (argument, message) => {
		const {call, asked} = await open({prompts: [review]});
		await expect(call('review', argument)).rejects.toMatchObject({kind: 'usage', message});
		expect(asked).toEqual([]);
	});

	test('are completed with the others, and quoted where a value needs it', async () => {
		const {run, asked} = await open({prompts: [review]}, [], ['a b', "it's", 'c', 'd\u202ee']);
		const source = {
			type: 'arguments',
			prompt: 'memory:review',
			argument: 'focus',
			written: '"a',
			before: '12 ',
		} as const;
		const values = await completeArgument(source, run, {platform: 'linux'});
		expect(values.map(({text}) => text)).toEqual(['"a b"', '"it\'s"', 'c']);
		expect(asked).toEqual([{prompt: 'review', name: 'focus', value: 'a', others: {pr: '12'}}]);
	});
});

describe('a prompt', () => {
	test('is a draft with its images, without invisible characters', async () => {
		const text = 'Pay\u200b 5\u202e, \u001b[2Jplease';
		const {call} = await open({prompts: [review]}, [{type: 'text', text}, image, image]);
		const {prompt, isDraft} = await call('review', '12');
		expect(isDraft).toBe(true);
		expect(prompt?.text).toBe('Pay 5, please');
		expect(prompt?.attachments.map(({name}) => name)).toEqual(['memory:review', 'memory:review 2']);
	});

	test('attaches what is too long to be read in an editor, with a notice', async () => {
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

	test('that has nothing is an error', async () => {
		const {call} = await open({prompts: [review]}, []);
		await expect(call('review', '12')).rejects.toThrow('the prompt memory:review is empty');
	});

	test('has a name that can be typed, each its own', async () => {
		const names = ['get weather', 'get_weather', 'a:b', '/x', 'ü', '', '\u001b[2J'];
		const prompts = names.map((name) => ({name, arguments: []}));
		const {views, call, asked} = await open({prompts});
		const known = views().flatMap((view) => view.prompts.map(({name}) => name));
		expect(known).toEqual(['memory:get_weather', 'memory:a:b', 'memory:_x', 'memory:ü']);
		await call('get_weather');
		expect(asked).toEqual([['get weather', {}]]);
	});

	test('is explained by its arguments', async () => {
		const {run} = await open({prompts: [review]});
		const prompt = findPrompt('memory:review', run);
		expect(prompt && explainPrompt(prompt)).toEqual([
			['/memory:review pr [focus]', 'Reviews'],
			['pr=…', 'required: its number'],
			['focus=…', 'optional'],
			['server', 'memory'],
		]);
	});
});

describe('a resource', () => {
	const resources = [{uri: 'memo://one', name: 'one'}];

	test.each([
		['memory:memo://one', 'memo://one'],
		['memory:memo://one?', 'memo://one'],
		['memory:memo://two).', 'memo://two'],
	])('is read for %j', async (written, uri) => {
		const {run, asked} = await open({resources}, [{type: 'text', text: 'A memo.'}, image]);
		const loaded = await readMentioned(written, run);
		expect(asked).toEqual([uri]);
		expect(loaded?.attachments).toMatchObject([
			{type: 'file', name: `memory:${uri}`, text: 'A memo.'},
			{type: 'image', name: `memory:${uri}`},
		]);
	});

	test.each(['memory', 'memory:', 'memory:one', 'other:memo://one', 'memo://one'])(
		'is not meant by %j',
		async (written) => {
			const {run, asked} = await open({resources});
			expect(await readMentioned(written, run)).toBeUndefined();
			expect(asked).toEqual([]);
		},
	);

	test('is offered only if it can be typed as it is', async () => {
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
});

/** Connections to the reference server, in both ways. */
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {declineElicitation, type Elicit, type Elicitation} from '../../src/chat/elicitation.ts';
import {outputText} from '../../src/chat/tool-output.ts';
import type {JsonObject} from '../../src/json.ts';
import type {Connection} from '../../src/mcp/connection.ts';
import {
	type AtEnd,
	everythingServer,
	startEverything,
	type WrittenEntry,
} from '../helpers/mcp-servers.ts';
import {createTestConnect, entryOf, failureOf, neverAborted} from '../mcp/connect-to.ts';

describe.each([
	['over stdio', async () => everythingServer],
	['over HTTP', startEverything],
])('server-everything %s', (_name, start: (atEnd: AtEnd) => Promise<WrittenEntry>) => {
	let connection: Connection;
	const ends: Array<() => Promise<void>> = [];

	beforeAll(async () => {
		const entry = entryOf(await start((end) => ends.push(end)));
		connection = await createTestConnect()(entry, {signal: neverAborted});
		ends.unshift(() => connection.close());
	});

	afterAll(async () => {
		for (const end of ends) await end();
	});

	async function call(
		name: string,
		values: JsonObject = {},
		{timeLimitMs = 20_000, elicit = declineElicitation} = {},
	) {
		return await connection.callTool(name, values, {signal: neverAborted, timeLimitMs, elicit});
	}

	/** Calls a tool that asks, and accepts with these values. */
	async function callAndAccept(name: string, values: JsonObject, accepted: JsonObject) {
		const asked: Elicitation[] = [];
		const elicit: Elicit = async (request) => {
			asked.push(request);
			return {type: 'accept', values: accepted};
		};
		return {output: outputText(await call(name, values, {elicit})), asked};
	}

	test('shows its offer, sorted', async () => {
		const {server, offer} = await connection.readManifest(neverAborted);
		const names = offer.tools.map(({name}) => name);
		expect(server).toEqual({name: 'mcp-servers/everything', version: '2.0.0'});
		expect(names).toEqual([...names].sort());
		expect(offer.tools.find(({name}) => name === 'echo')).toMatchObject({
			title: 'Echo Tool',
			inputSchema: {type: 'object', required: ['message']},
		});
		expect(offer.prompts.map(({name}) => name)).toContain('args-prompt');
		expect(offer.resources.length).toBeGreaterThan(0);
		expect(offer.resourceTemplates.length).toBe(2);
	});

	test('runs tools, and returns text, images, links and errors', async () => {
		expect(await call('echo', {message: 'hi'})).toEqual({
			parts: [{type: 'text', text: 'Echo: hi'}],
			isError: false,
		});
		const {parts} = await call('get-tiny-image');
		expect(parts[1]).toMatchObject({url: expect.stringMatching(/^data:image\/png;base64,iVBOR/)});
		expect(outputText(await call('get-resource-links'))).toContain(
			'[a link to Blob Resource 1, demo://resource/dynamic/blob/1',
		);
		expect(await call('get-sum', {a: 'x'})).toMatchObject({isError: true});
		expect(await call('nothing')).toMatchObject({isError: true});
	});

	test('asks the user, with a form and with a page', async () => {
		await connection.readManifest(neverAborted);
		const values = {name: 'Ada', integer: 7};
		const form = await callAndAccept('trigger-elicitation-request', {}, values);
		expect(form.output).toContain('- Name: Ada');
		expect(form.asked).toMatchObject([{server: 'tested', type: 'form'}]);
		const address = {url: 'https://example.com/page', message: 'Go there.'};
		for (const [errorPath, result] of [
			[false, 'accept'],
			[true, 'the user has opened the page'],
		] as const) {
			const page = await callAndAccept('trigger-url-elicitation', {...address, errorPath}, {});
			expect(page.asked).toMatchObject([{type: 'url', url: new URL(address.url)}]);
			expect(page.output).toMatch(result);
			expect(page.output).not.toContain('"content"');
		}
	});

	test('keeps its time with progress', async () => {
		const name = 'trigger-long-running-operation';
		const [steady, silent] = await Promise.all([
			call(name, {duration: 1.8, steps: 18}, {timeLimitMs: 1200}),
			call(name, {duration: 0.8, steps: 1}, {timeLimitMs: 100}),
		]);
		expect(steady.isError).toBe(false);
		expect(outputText(silent)).toBe('[stopped after 0.1 s]');
	});

	test('makes prompts, reads resources and completes arguments', async () => {
		const values = {city: 'Paris', state: 'France'};
		expect(await connection.getPrompt('args-prompt', values, neverAborted)).toEqual([
			{type: 'text', text: "What's weather in Paris, France?"},
		]);
		const uri = 'demo://resource/dynamic/text/1';
		expect(await connection.readResource(uri, neverAborted)).toMatchObject([
			{text: expect.stringContaining('Resource 1')},
		]);
		const others = {department: 'Sales'};
		const argument = {prompt: 'completable-prompt', name: 'name', value: 'D', others};
		expect(await connection.complete(argument, neverAborted)).toEqual(['David']);
		const error = await failureOf(connection.readResource('demo://nothing', neverAborted));
		expect(error.kind).toBe('rejected');
	});
});

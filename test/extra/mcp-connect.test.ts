/** Connections to the reference servers. */
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {declineElicitation, type Elicit, type Elicitation} from '../../src/chat/elicitation.ts';
import {outputText} from '../../src/chat/tool-output.ts';
import type {JsonObject} from '../../src/json.ts';
import type {Connection} from '../../src/mcp/connection.ts';
import {
	type AtEnd,
	everythingServer,
	filesystemServer,
	hostileServer,
	startEverything,
	startHostileHttp,
	type WrittenEntry,
} from '../helpers/mcp-servers.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {connectTo, createTestConnect, entryOf, failureOf, neverAborted} from '../mcp/connect-to.ts';

function call(
	connection: Connection,
	name: string,
	values: JsonObject = {},
	{
		signal = neverAborted,
		timeLimitMs = 20_000,
		elicit = declineElicitation,
	}: {signal?: AbortSignal; timeLimitMs?: number; elicit?: Elicit} = {},
) {
	return connection.callTool(name, values, {signal, timeLimitMs, elicit});
}

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

	test('shows its offer, sorted', async () => {
		const {server, offer} = await connection.readManifest(neverAborted);
		const names = offer.tools.map(({name}) => name);
		expect(server).toEqual({name: 'mcp-servers/everything', version: '2.0.0'});
		expect(names).toEqual([...names].sort());
		expect(offer.tools.find(({name}) => name === 'echo')).toMatchObject({
			title: 'Echo Tool',
			inputSchema: {type: 'object', required: ['message']},
		});
		expect(offer.prompts.find(({name}) => name === 'args-prompt')?.arguments).toEqual([
			{name: 'city', description: 'Name of the city', required: true},
			{name: 'state', required: false},
		]);
		expect(offer.resources.length).toBeGreaterThan(0);
		expect(offer.resourceTemplates.length).toBe(2);
	});

	test('runs tools, and returns text, images and named links', async () => {
		expect(await call(connection, 'echo', {message: 'hi'})).toEqual({
			parts: [{type: 'text', text: 'Echo: hi'}],
			isError: false,
		});
		const {parts} = await call(connection, 'get-tiny-image');
		expect(parts[1]).toMatchObject({url: expect.stringMatching(/^data:image\/png;base64,iVBOR/)});
		const links = await call(connection, 'get-resource-links');
		expect(outputText(links)).toContain(
			'[a link to Blob Resource 1, demo://resource/dynamic/blob/1',
		);
		const embedded = await call(connection, 'get-resource-reference', {
			resourceType: 'Text',
			resourceId: 1,
		});
		expect(outputText(embedded)).toContain('Resource 1: This is a plaintext resource');
	});

	test('returns structured content once', async () => {
		const {parts} = await call(connection, 'get-structured-content', {location: 'New York'});
		expect(parts).toHaveLength(1);
	});

	test('refuses wrong arguments with a result', async () => {
		expect(await call(connection, 'get-sum', {a: 'x'})).toMatchObject({isError: true});
		expect(await call(connection, 'nothing')).toMatchObject({isError: true});
	});

	test('asks the user, whose time does not count', async () => {
		await connection.readManifest(neverAborted);
		const asked: Elicitation[] = [];
		const elicit: Elicit = async (request) => {
			asked.push(request);
			await delay(2300);
			return {type: 'accept', values: {name: 'Ada', integer: 7}};
		};
		const output = await call(
			connection,
			'trigger-elicitation-request',
			{},
			{
				elicit,
				timeLimitMs: 2000,
			},
		);
		expect(outputText(output)).toContain('- Name: Ada');
		expect(asked).toMatchObject([{server: 'tested', type: 'form'}]);
	});

	test.each([
		[false, 'accept'],
		[true, 'the user has opened the page'],
	])('asks to open a page, with an error: %s', async (errorPath, result) => {
		const asked: Elicitation[] = [];
		const elicit: Elicit = async (request) => {
			asked.push(request);
			return {type: 'accept', values: {}};
		};
		const values = {url: 'https://example.com/page', message: 'Go there.', errorPath};
		const output = await call(connection, 'trigger-url-elicitation', values, {elicit});
		expect(asked).toMatchObject([{type: 'url', url: new URL('https://example.com/page')}]);
		expect(outputText(output)).toMatch(result);
		expect(outputText(output)).not.toContain('"content"');
	});

	test('keeps its time with progress', async () => {
		const name = 'trigger-long-running-operation';
		const [steady, silent] = await Promise.all([
			call(connection, name, {duration: 2.4, steps: 12}, {timeLimitMs: 1800}),
			call(connection, name, {duration: 0.8, steps: 1}, {timeLimitMs: 100}),
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
		const argument = {prompt: 'completable-prompt', name: 'department', value: 'E'};
		expect(await connection.complete(argument, neverAborted)).toEqual(['Engineering']);
		const others = {department: 'Sales'};
		const name = {prompt: 'completable-prompt', name: 'name', value: 'D', others};
		expect(await connection.complete(name, neverAborted)).toEqual(['David']);
		const error = await failureOf(connection.readResource('demo://nothing', neverAborted));
		expect(error.kind).toBe('rejected');
	});
});

test('server-filesystem reads files', async () => {
	const folder = createDirectory({'a.txt': 'the content'});
	const connection = await connectTo(filesystemServer(folder));
	const {offer} = await connection.readManifest(neverAborted);
	expect(offer.prompts).toEqual([]);
	const output = await call(connection, 'read_text_file', {path: `${folder}/a.txt`});
	expect(output).toEqual({parts: [{type: 'text', text: 'the content'}], isError: false});
});

describe.each(['legacy', 'modern'] as const)('a server of the %s protocol', (era) => {
	test.each([
		['over stdio', async () => hostileServer(['asks-form'], {era})],
		['over HTTP', async () => await startHostileHttp(['asks-form'], {era})],
	])('answers and asks %s', async (_name, start) => {
		const {entry} = await start();
		const connection = await connectTo(entry);
		const {offer} = await connection.readManifest(neverAborted);
		expect(offer.tools.map(({name}) => name)).toEqual(['asks-form', 'echo']);
		const elicit: Elicit = async () => ({type: 'accept', values: {name: 'Ada', age: 36}});
		const output = await call(connection, 'asks-form', {}, {elicit});
		expect(outputText(output)).toContain('"content":{"name":"Ada","age":36}');
	});
});

test('a port where nothing answers is that of the server, not of the service', async () => {
	const error = await failureOf(connectTo({url: 'http://127.0.0.1:9/mcp'}));
	expect(error.message).toBe(
		'the MCP server tested: cannot talk to http://127.0.0.1:9/mcp: nothing answers there (ECONNREFUSED)',
	);
	expect(error.details.hint).toBeUndefined();
});

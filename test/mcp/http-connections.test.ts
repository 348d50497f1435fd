/** Connections to servers that misbehave over HTTP, in this process. */
import type {ServerResponse} from 'node:http';
import {describe, expect, onTestFinished, test} from 'vitest';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import {outputText} from '../../src/chat/tool-output.ts';
import {runnableTools} from '../../src/chat/tool-sources.ts';
import type {Connection} from '../../src/mcp/connection.ts';
import {openServers} from '../../src/mcp/open-servers.ts';
import type {Servers} from '../../src/mcp/server.ts';
import {startHostileHttp} from '../helpers/mcp-servers.ts';
import {
	connectTo,
	createTestConnect,
	entryOf,
	failureOf,
	neverAborted,
	pick,
	serve,
} from './connect-to.ts';

const call = async (connection: Connection, name: string) =>
	await connection.callTool(
		name,
		{},
		{signal: neverAborted, timeLimitMs: 60_000, elicit: declineElicitation},
	);

describe('a call whose answer breaks off', () => {
	test('before it begins ends at once', async () => {
		const connection = await connectTo((await startHostileHttp(['exits-in-call'])).entry);
		const error = await failureOf(call(connection, 'exits-in-call'));
		expect(error.message).toMatch('the connection broke');
	});

	test('in the middle ends at once', async () => {
		const url = await serveMessages((message, response) => {
			if (message.method === 'initialize') return initialize(message, response);
			if (message.method !== 'tools/call') return refuse(message, response);
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.write(': working\n\n', () => response.destroy());
		});
		const output = await call(await connectTo({url}), 'any');
		expect(output).toMatchObject({
			parts: [{text: expect.stringMatching('the connection ended before the answer')}],
			isError: true,
		});
	});
});

type Message = {
	readonly id: number;
	readonly method?: string;
	readonly params: {readonly protocolVersion: string};
};

/** Starts a server with these answers to messages. */
const serveMessages = (answer: (message: Message, response: ServerResponse) => void) =>
	serve(async (request, response) => {
		let body = '';
		for await (const chunk of request) body += chunk;
		answer(body === '' ? {} : JSON.parse(body), response);
	});

function initialize({id, params: {protocolVersion}}: Message, response: ServerResponse): void {
	const serverInfo = {name: 'x', version: '1'};
	reply(response, id, {protocolVersion, capabilities: {}, serverInfo});
}

function refuse({method = ''}: Message, response: ServerResponse): void {
	response.writeHead(method.startsWith('notifications/') ? 202 : 405).end();
}

function reply(response: ServerResponse, id: number, result: unknown): void {
	response.writeHead(200, {'content-type': 'application/json'});
	response.end(JSON.stringify({jsonrpc: '2.0', id, result}));
}

test('a server that has forgotten the session ends the connection', async () => {
	const {entry} = await startHostileHttp(['session-lost'], {era: 'legacy'});
	const connection = await connectTo(entry);
	await call(connection, 'echo');
	const error = await failureOf(call(connection, 'echo'));
	expect(error).toMatchObject({
		kind: 'unavailable',
		message: 'the MCP server tested has forgotten this session',
	});
	expect(connection.endOf()).toBe('has forgotten this session');
});

test('an answer to a call that mentions a session is not about the connection', async () => {
	const url = await serveMessages((message, response) => {
		if (message.method === 'initialize') {
			response.setHeader('mcp-session-id', 'one');
			return initialize(message, response);
		}
		if (message.method !== 'tools/call') return refuse(message, response);
		const {id} = message;
		const error = {code: -32_602, message: 'there is no session with id 5'};
		response.writeHead(400, {'content-type': 'application/json'});
		response.end(JSON.stringify({jsonrpc: '2.0', id, error}));
	});
	const connection = await connectTo({url});
	await call(connection, 'any').catch(() => {});
	expect(connection.endOf()).toBeUndefined();
});

test('a page of an address that speaks the older transport is not repeated', async () => {
	const page = '<!DOCTYPE html><html><body><pre>Cannot POST /sse</pre></body></html>';
	const url = await serveMessages((_, response) => response.writeHead(404).end(page));
	const logs: string[] = [];
	const onFailure = (log: readonly string[]) => logs.push(...log);
	const connect = createTestConnect();
	const error = await failureOf(connect(entryOf({url}), {signal: neverAborted, onFailure}));
	expect(error).toMatchObject({details: {hint: expect.stringContaining('older transport (SSE)')}});
	expect(logs.join()).toContain('(a web page)');
	expect(logs.join()).not.toContain('<');
});

test('a server that floods with requests is left', async () => {
	const flood = Array.from({length: 200}, (_, id) => {
		return `data: ${JSON.stringify({jsonrpc: '2.0', id, method: 'no/such/method'})}\n\n`;
	});
	const url = await serveMessages((message, response) => {
		if (message.method === 'initialize') return initialize(message, response);
		if (message.method === 'tools/call') {
			response.writeHead(200, {'content-type': 'text/event-stream'});
			return response.write(flood.join(''));
		}
		// No reply to an answer, which stays under way.
		if (message.method !== undefined) refuse(message, response);
	});
	const error = await failureOf(call(await connectTo({url}), 'any'));
	expect(error).toMatchObject({
		kind: 'protocol',
		message: 'the MCP server tested sends too many requests',
	});
});

test('the end of a connection ends the session', async () => {
	const server = await startHostileHttp([], {era: 'legacy'});
	const connection = await connectTo(server.entry);
	await connection.close();
	const methods = server.events('request').map(({method}) => method);
	expect(methods).toContain('DELETE');
});

/** Opens a server after its user has approved what it offered. */
async function open(...[behaviours, options]: Parameters<typeof startHostileHttp>) {
	const entry = entryOf((await startHostileHttp(behaviours, options)).entry);
	const connect = createTestConnect();
	const connection = await connect(entry, {signal: neverAborted});
	const manifest = await connection.readManifest(neverAborted);
	await connection.close();
	const servers = openServers([entry], {
		connect,
		find: () => ({fingerprint: 'f', state: 'approved', manifest}),
		isAttended: false,
		toolTimeout: 20_000,
		findWindow: async () => undefined,
	});
	onTestFinished(() => servers.tools.close());
	await servers.readFirst(neverAborted);
	return servers;
}

async function run(servers: Servers, name: string): Promise<string> {
	await pick(servers, name).prepare?.(neverAborted);
	const tool = pick(servers, name);
	return outputText(await tool.run({text: 'x'}, neverAborted, declineElicitation));
}

describe('a hostile server', () => {
	test.each([
		['legacy', 'list'],
		['modern', 'call'],
	] as const)('cannot hide a change (%s protocol, at its %s)', async (era, when) => {
		const servers = await open(['change-description'], {era, when});
		const steady = 'mcp__tested__steady';
		const before = pick(servers, steady);
		await run(servers, steady);
		await expect
			.poll(async () => {
				await before.prepare?.(neverAborted);
				return pick(servers, steady).origin;
			})
			.not.toEqual(before.origin);
		const late = await before.run({text: 'b'}, neverAborted, declineElicitation);
		expect(outputText(late)).toBe('This call was not run: the tool has changed since.');
	});

	test('offers tools that services accept, whose checks and calls end', async () => {
		const schemas = ['deep-schema=200', 'ref-cycle', 'broken-schema', 'proto-schema'];
		const servers = await open([
			...['odd-names', 'duplicate-names', 'wrong-types', 'other-dialect', ...schemas],
			'remote-ref=https://evil.example/x',
		]);
		const tools = runnableTools(servers.tools.tools);
		const names = tools.map(({definition}) => definition.name);
		expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
		expect(names).toContain('mcp__tested__echo');
		await Promise.all(tools.map((tool) => tool.check({text: `${'a'.repeat(40)}!`})));
		for (const name of names) expect(await run(servers, name), name).not.toBe('');
	});
});

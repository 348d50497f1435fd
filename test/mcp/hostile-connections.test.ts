/** Connections to a server that misbehaves: each ends or goes on, and says why. */
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test, vi} from 'vitest';
import {declineElicitation, type Elicit} from '../../src/chat/elicitation.ts';
import {limitOutput, outputText} from '../../src/chat/tool-output.ts';
import type {Connection} from '../../src/mcp/connection.ts';
import {hostileServer, startHostileHttp} from '../helpers/mcp-servers.ts';
import {connectTo, failureOf, neverAborted} from './connect-to.ts';

const patience = {timeout: 10_000};

const call = async (
	connection: Connection,
	name: string,
	{signal = neverAborted, timeLimitMs = 10_000, elicit = declineElicitation} = {},
) => await connection.callTool(name, {}, {signal, timeLimitMs, elicit});

const toolsOf = async (connection: Connection) => {
	const {offer} = await connection.readManifest(neverAborted);
	return offer.tools.map(({name}) => name);
};

describe('a program that', () => {
	test('does not exist is named', async () => {
		const error = await failureOf(connectTo({command: 'no-such-program'}));
		expect(error).toMatchObject({
			kind: 'unavailable',
			message:
				'the command of the MCP server tested is a program that is not in PATH: no-such-program',
		});
	});

	test('has no working folder is not started', async () => {
		const error = await failureOf(connectTo({command: process.execPath, cwd: '/no/such/folder'}));
		expect(error.message).toMatch('would run in a folder that does not exist: /no/such/folder');
	});

	test('ends at its start leaves its last words', async () => {
		const error = await failureOf(connectTo(hostileServer(['exits-at-start=3']).entry));
		expect(error.kind).toBe('unavailable');
		expect(error.message).toMatch(
			/^the MCP server tested ended with code 3: .*cannot find the key/,
		);
	});

	test.each([
		['throw new Error("boom")', 'Error: boom'],
		['console.error("x".repeat(1e5)); process.exit(1)', `${'x'.repeat(300)}…`],
		['process.exit(1)', undefined],
	])('ends with %s is described in a line', async (script, words) => {
		const entry = {command: process.execPath, args: ['-e', script]};
		const {message} = await failureOf(connectTo(entry));
		const more = words === undefined ? '' : `: ${words}`;
		expect(message).toBe(`the MCP server tested ended with code 1${more}`);
	});

	test('never answers is ended', async () => {
		const server = hostileServer(['never-initializes']);
		const error = await failureOf(connectTo(server.entry, {connectMs: 300}));
		expect(error).toMatchObject({
			kind: 'timeout',
			message: 'the MCP server tested did not answer within 0.9 s',
		});
		expect(server.alive()).toEqual([]);
	});

	test('is not what was meant is reported with its output', async () => {
		const script = 'setInterval(() => console.log("Listening on port 3000"), 50)';
		const entry = {command: process.execPath, args: ['-e', script]};
		const error = await failureOf(connectTo(entry, {connectMs: 300}));
		expect(error.message).toMatch(/0\.9 s, but wrote other things than messages to stdout$/);
	});

	test('is waited for only as long as the user likes', async () => {
		const server = hostileServer(['never-initializes']);
		const abort = new AbortController();
		const connecting = failureOf(connectTo(server.entry, {signal: abort.signal}));
		await vi.waitFor(() => expect(server.events('message')).not.toEqual([]), patience);
		const reason = new Error('enough');
		abort.abort(reason);
		expect(await connecting).toBe(reason);
		expect(server.alive()).toEqual([]);
	});

	test('ends at a question it does not know is started again, and the next time once', async () => {
		const server = hostileServer(['ends-at-unknown'], {era: 'legacy'});
		const entry = {...server.entry, versionNegotiation: 'auto'};
		const connection = await connectTo(entry);
		expect(await toolsOf(connection)).toEqual(['echo']);
		expect(server.events('start')).toHaveLength(2);
		await connectTo(entry, {known: await connection.readManifest(neverAborted)});
		expect(server.events('start')).toHaveLength(3);
	});

	test('ignores a question it does not know is asked the older one', async () => {
		const {entry} = hostileServer(['ignores-unknown'], {era: 'legacy'});
		const connection = await connectTo({...entry, versionNegotiation: 'auto'}, {connectMs: 1000});
		expect(await toolsOf(connection)).toEqual(['echo']);
	});

	test('speaks of an unknown version is refused', async () => {
		const error = await failureOf(connectTo(hostileServer(['old-version']).entry));
		expect(error.kind).toBe('protocol');
	});

	test('prints other lines to stdout is understood', async () => {
		const connection = await connectTo(hostileServer(['garbage']).entry);
		expect(await toolsOf(connection)).toEqual(['echo']);
		expect(connection.log()).toContain('Listening on stdio...');
	});

	test('prints nothing but other lines is ended', async () => {
		const script =
			'for (let i = 0; i < 5000; i++) console.log(`log ${i}`); setInterval(() => {}, 1e3)';
		const error = await failureOf(connectTo({command: process.execPath, args: ['-e', script]}));
		expect(error).toMatchObject({
			kind: 'protocol',
			message: 'the MCP server tested writes other things than messages to stdout',
		});
	});

	test('writes a line without an end is ended', async () => {
		const server = hostileServer(['endless-line']);
		const error = await failureOf(connectTo(server.entry));
		expect(error.kind).toBe('protocol');
		expect(error.message).toMatch('a line of more than 10 MB');
		expect(server.alive()).toEqual([]);
	});

	test('fills stderr has its last 64 KiB kept', async () => {
		const connection = await connectTo(hostileServer(['stderr-flood']).entry);
		await vi.waitFor(() => expect(connection.log().at(-1)).toMatch('line 1999'), patience);
		expect(connection.log().join('\n').length).toBeLessThanOrEqual(65_536);
	});

	test('reads nothing is ended before its input fills the memory', async () => {
		const start = `process.stdin.once('data', (data) => {
			process.stdin.pause();
			const {id, params} = JSON.parse(data);
			const result = {...params, capabilities: {tools: {}}, serverInfo: {name: 'x', version: '1'}};
			console.log(JSON.stringify({jsonrpc: '2.0', id, result}));
		}); setInterval(() => {}, 1e3)`;
		const connection = await connectTo({command: process.execPath, args: ['-e', start]});
		const values = {text: 'x'.repeat(20_000_000)};
		const options = {signal: neverAborted, timeLimitMs: 10_000, elicit: declineElicitation};
		const calls = Array.from({length: 3}, () => connection.callTool('any', values, options));
		const errors = await Promise.all(calls.map(failureOf));
		expect(errors[0]?.message).toBe('the MCP server tested does not read its input');
	});
});

describe('the environment of a program', () => {
	test('has what programs need, and what its entry adds', async () => {
		const variables = {
			...{PATH: process.env['PATH'], LC_MESSAGES: 'C', HOME: '/home/ada'},
			...{OPENAI_API_KEY: 'sk-1', CHAT_API_KEY: 'sk-2', AWS_SECRET_ACCESS_KEY: 'sk-3'},
		};
		const {entry} = hostileServer(['environment']);
		const connection = await connectTo({...entry, env: {TOKEN: 'abc'}}, {variables, homedir: '/'});
		const seen = JSON.parse(outputText(await call(connection, 'environment')));
		expect(seen.variables).toEqual({
			PATH: process.env['PATH'],
			LC_MESSAGES: 'C',
			HOME: '/home/ada',
			TOKEN: 'abc',
		});
		expect(seen.cwd).toBe('/');
	});
});

test('the secrets of an entry are not repeated with the words of its server', async () => {
	const script = 'console.error("Error: bad token", process.env.MY_TOKEN); process.exit(1)';
	const entry = {command: process.execPath, args: ['-e', script], env: {MY_TOKEN: 'tok-123456'}};
	const error = await failureOf(connectTo(entry));
	expect(error.message).toMatch(/Error: bad token/);
	expect(error.message).not.toMatch('123456');
});

describe('an offer', () => {
	test.each([
		['wrong-types', ['echo']],
		['same-cursor', ['echo']],
		['not-a-list', []],
		['no-capabilities', []],
		['long-description', ['echo']],
		['deep-schema', ['echo']],
	])('with %s is read as far as it can be used', async (behaviour, names) => {
		const connection = await connectTo(hostileServer([behaviour]).entry);
		expect(await toolsOf(connection)).toEqual(names);
	});

	test('with too much is cut, and what is left out is logged', async () => {
		const connection = await connectTo(hostileServer(['many-tools=2000', 'duplicate-names']).entry);
		const names = await toolsOf(connection);
		expect(names).toHaveLength(1000);
		expect(names.filter((name) => name === 'twin').length).toBeLessThanOrEqual(1);
		expect(connection.log().join('\n')).toMatch(/left out: the tool \w+: there are too many/);
	});

	test('without an end is cut', async () => {
		const connection = await connectTo(hostileServer(['endless-pages']).entry);
		expect((await toolsOf(connection)).length).toBe(100);
	});

	test('that changes is announced', async () => {
		const {entry} = hostileServer(['change-description'], {when: 'list'});
		const connection = await connectTo(entry);
		let changes = 0;
		const stop = connection.onChange(() => {
			changes += 1;
		});
		await connection.readManifest(neverAborted);
		await vi.waitFor(() => expect(changes).toBeGreaterThan(0), patience);
		stop();
	});

	test('that changes is announced in the newer protocol too', async () => {
		const {entry} = hostileServer(['change-description'], {when: 'list', era: 'modern'});
		const connection = await connectTo({...entry, versionNegotiation: 'auto'});
		const changed = new Promise<void>((resolve) => connection.onChange(resolve));
		await connection.readManifest(neverAborted);
		await changed;
	});
});

describe.each([
	['over stdio', hostileServer],
	['over HTTP', startHostileHttp],
] as const)('a call %s', (_name, start) => {
	test('that is never answered ends at its time limit, and is cancelled', async () => {
		const server = await start(['never-answers']);
		const connection = await connectTo(server.entry);
		const output = await call(connection, 'never-answers', {timeLimitMs: 300});
		expect(output).toEqual({
			parts: [{type: 'text', text: '[stopped after 0.3 s]'}],
			isError: true,
		});
		expect(await toolsOf(connection)).toContain('never-answers');
	});

	test('ends when the user stops it', async () => {
		const server = await start(['never-answers'], {era: 'legacy'});
		const connection = await connectTo(server.entry);
		const abort = new AbortController();
		const calling = call(connection, 'never-answers', {signal: abort.signal});
		const methods = () => server.events('message').map(({message}) => message?.method);
		await vi.waitFor(() => expect(methods()).toContain('tools/call'), patience);
		abort.abort();
		expect(outputText(await calling)).toBe('[stopped by the user]');
		await vi.waitFor(() => expect(methods()).toContain('notifications/cancelled'), patience);
	});

	test('with odd answers has an output', async () => {
		const names = ['answers-twice', 'wrong-id', 'not-a-result', 'odd-content', 'resource-links'];
		const connection = await connectTo((await start(names)).entry);
		expect(outputText(await call(connection, 'answers-twice'))).toBe('first');
		expect(outputText(await call(connection, 'wrong-id'))).toBe('right');
		expect(outputText(await call(connection, 'resource-links'))).toMatch(
			/a link to .*link, http:/s,
		);
		expect((await failureOf(call(connection, 'not-a-result'))).kind).toBe('protocol');
		expect((await failureOf(call(connection, 'odd-content'))).kind).toBe('protocol');
	});

	test('cannot ask for samples or roots', async () => {
		const names = ['asks-sampling', 'asks-roots'];
		const connection = await connectTo((await start(names, {era: 'legacy'})).entry);
		for (const name of names) {
			expect(outputText(await call(connection, name))).toMatch('Method not found');
		}
	});
});

describe.each(['legacy', 'modern'] as const)('a question in the %s protocol', (era) => {
	const names = ['asks-form', 'asks-password', 'asks-secretly', 'asks-url', 'asks-much'];
	const refused = ['asks-url-javascript', 'asks-url-file', 'asks-at-length'];
	const others = [...refused, 'asks-nothing', 'asks-forever'];

	async function ask(name: string) {
		const {entry} = hostileServer([...names, ...others], {era});
		const connection = await connectTo({...entry, versionNegotiation: 'auto'});
		const asked: unknown[] = [];
		const elicit: Elicit = async (request) => {
			asked.push(request);
			return {type: 'accept', values: {name: 'Ada', age: 36}};
		};
		const output = await call(connection, name, {elicit, timeLimitMs: 2000}).catch(String);
		return {asked, output, log: connection.log().join('\n')};
	}

	test.each([
		'asks-password',
		'asks-secretly',
		'asks-url-javascript',
		'asks-url-file',
		'asks-much',
		'asks-at-length',
	])('that %s never reaches the user', async (name) => {
		const {asked, output, log} = await ask(name);
		expect(asked).toEqual([]);
		expect(output).toMatchObject({parts: [{text: expect.stringMatching('decline')}]});
		expect(log).toMatch('chat declined a question');
	});

	test('for a page has its address', async () => {
		const {asked} = await ask('asks-url');
		expect(asked).toMatchObject([{type: 'url', url: new URL('https://example.com/login')}]);
	});

	test('is asked a limited number of times', async () => {
		const {asked} = await ask('asks-forever');
		expect(asked.length).toBeLessThanOrEqual(20);
	});
});

test('a call that floods with notifications is answered', async () => {
	const connection = await connectTo(hostileServer(['floods']).entry);
	expect(outputText(await call(connection, 'floods'))).toBe('flooded');
});

test('a question without a call is declined', async () => {
	const server = hostileServer(['asks-outside-call', 'asks-late'], {era: 'legacy'});
	const connection = await connectTo(server.entry);
	await call(connection, 'asks-late');
	const answers = () =>
		server
			.events('message')
			.flatMap(({message}) => (message?.['result'] === undefined ? [] : [message]));
	await vi.waitFor(() => expect(answers()).toHaveLength(3), patience);
	expect(answers()).toMatchObject(Array(3).fill({result: {action: 'decline'}}));
});

test('a line of 20 MB ends the connection, and a long text is cut', async () => {
	const connection = await connectTo(hostileServer(['long-line']).entry);
	const options = {signal: neverAborted, timeLimitMs: 20_000, elicit: declineElicitation};
	const output = await connection.callTool('long-line', {text: 1_000_000}, options);
	expect(outputText(limitOutput(output)).length).toBeLessThan(80_000);
	const error = await failureOf(call(connection, 'long-line'));
	expect(error).toMatchObject({
		kind: 'protocol',
		message: 'the MCP server tested sent a line of more than 10 MB',
	});
	expect(connection.endOf()).toBe('sent a line of more than 10 MB');
});

test('a server that ends during a call ends it', async () => {
	const connection = await connectTo(hostileServer(['exits-in-call']).entry);
	const error = await failureOf(call(connection, 'exits-in-call'));
	expect(error.kind).toBe('unavailable');
	expect(error.message).toMatch(/ended with code 3: going down/);
	expect((await failureOf(call(connection, 'echo'))).kind).toBe('unavailable');
});

describe('the end of a connection', () => {
	test.each([
		['that ends with its stdin', []],
		['that ignores signals', ['stubborn']],
		['with a process of its own', ['grandchild']],
	])('leaves nothing of a program %s', async (_name, behaviours) => {
		const server = hostileServer(behaviours);
		const connection = await connectTo(server.entry);
		const started = performance.now();
		await Promise.all([connection.close(), connection.close()]);
		expect(performance.now() - started).toBeLessThan(3000);
		expect(server.alive()).toEqual([]);
		expect(connection.endOf()).toBe('was closed');
	});

	test('is noticed when the program is killed', async () => {
		const server = hostileServer();
		const connection = await connectTo(server.entry);
		process.kill(server.events('start')[0]?.pid ?? 0, 'SIGKILL');
		await vi.waitFor(() => expect(connection.endOf()).toBe('was ended by SIGKILL'), patience);
		await delay(0);
		expect((await failureOf(connection.readManifest(neverAborted))).kind).toBe('unavailable');
	});
});

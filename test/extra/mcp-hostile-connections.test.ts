/** Connections to a server that misbehaves: each ends or goes on, and says why. */
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {declineElicitation, type Elicit, type Elicitation} from '../../src/chat/elicitation.ts';
import {limitOutput, outputText} from '../../src/chat/tool-output.ts';
import type {Connection} from '../../src/mcp/connection.ts';
import {processControl} from '../../src/process-environment.ts';
import {startProcess} from '../../src/processes/server-process.ts';
import {hostileServer, startHostileHttp} from '../helpers/mcp-servers.ts';
import {connectTo, failureOf, neverAborted} from '../mcp/connect-to.ts';

const call = async (
	connection: Connection,
	name: string,
	{signal = neverAborted, elicit = declineElicitation} = {},
) => await connection.callTool(name, {}, {signal, timeLimitMs: 60_000, elicit});

const shell = (script: string) => ({command: '/bin/sh', args: ['-c', script]});

const toolsOf = async (connection: Connection) => {
	const {offer} = await connection.readManifest(neverAborted);
	return offer.tools.map(({name}) => name);
};

describe('a program that', () => {
	test.each([
		[{command: 'no-such-program'}, 'is a program that is not in PATH: no-such-program'],
		[
			{command: process.execPath, cwd: '/no/such/folder'},
			'would run in a folder that does not exist: /no/such/folder',
		],
	])('cannot be started is named: %j', async (entry, problem) => {
		expect(await failureOf(connectTo(entry))).toMatchObject({
			kind: 'unavailable',
			message: `the command of the MCP server tested ${problem}`,
		});
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

	test('is not what was meant is reported with its output', async () => {
		const entry = shell('echo "Listening on port 3000"; exec cat >/dev/null');
		const error = await failureOf(connectTo(entry, {connectMs: 150}));
		expect(error.message).toMatch(/0\.45 s, but wrote other things than messages to stdout$/);
	});

	test('is waited for only as long as the user likes', async () => {
		const server = hostileServer(['never-initializes']);
		const abort = new AbortController();
		const connecting = failureOf(connectTo(server.entry, {signal: abort.signal}));
		await expect.poll(() => server.events('message')).not.toEqual([]);
		const reason = new Error('enough');
		abort.abort(reason);
		expect(await connecting).toBe(reason);
		await expect.poll(server.alive).toEqual([]);
	});

	test('would end at a question that it does not know gets none', async () => {
		const server = hostileServer(['ends-at-unknown'], {era: 'legacy'});
		expect(await toolsOf(await connectTo(server.entry))).toEqual(['echo']);
		expect(server.events('start')).toHaveLength(1);
	});

	test.each([
		['never-initializes', 'timeout', 'did not answer within 0.3 s'],
		['endless-line', 'protocol', 'sent a line of more than 10 MB'],
		['old-version', 'protocol', "Server's protocol version is not supported"],
	])('%s: is ended, with the reason', async (behaviour, kind, reason) => {
		const server = hostileServer([behaviour], {era: 'legacy'});
		const connectMs = kind === 'timeout' ? 100 : 60_000;
		const error = await failureOf(connectTo(server.entry, {connectMs}));
		expect(error.kind).toBe(kind);
		expect(error.message).toContain(reason);
		await expect.poll(server.alive).toEqual([]);
	});

	test('refuses the older protocol is started again with the newer one', async () => {
		const server = hostileServer([], {era: 'modern'});
		expect(await toolsOf(await connectTo(server.entry))).toEqual(['echo']);
		expect(server.events('start')).toHaveLength(2);
	});

	test('prints other lines to stdout is understood', async () => {
		const connection = await connectTo(hostileServer(['garbage', 'odd-headers']).entry);
		// Only over HTTP do arguments go into headers.
		expect(await toolsOf(connection)).toEqual(expect.arrayContaining(['echo', 'twice']));
		expect(connection.log()).toContain('Listening on stdio...');
	});

	test.each([
		['other lines', 'seq 5000; exec cat >/dev/null'],
		[
			'objects that are not messages',
			'yes \'{"jsonrpc":"2.0","params":{}}\' | head -n 5000; exec cat >/dev/null',
		],
	])('prints nothing but %s is ended', async (_name, flood) => {
		expect(await failureOf(connectTo(shell(flood)))).toMatchObject({
			kind: 'protocol',
			message: 'the MCP server tested writes other things than messages to stdout',
		});
	});

	test('floods leaves time for keys and signals after each piece', async () => {
		const argv = ['/bin/sh', '-c', 'yes | head -c 3000000; exec cat >/dev/null'];
		let size = 0;
		let isSameTurn = false;
		let wasHeard = true;
		const server = startProcess(
			{
				argv,
				variables: process.env,
				cwd: '/',
				onOutput(chunk) {
					size += chunk.length;
					wasHeard &&= !isSameTurn;
					isSameTurn = true;
					setImmediate(() => {
						isSameTurn = false;
					});
				},
			},
			processControl,
		);
		await expect.poll(() => size).toBe(3_000_000);
		expect(wasHeard).toBe(true);
		await server.stop();
	});

	test('fills stderr has its last 64 KiB kept', async () => {
		const connection = await connectTo(hostileServer(['stderr-flood']).entry);
		await expect.poll(() => connection.log().at(-1)).toMatch('line 1999');
		expect(connection.log().join('\n').length).toBeLessThanOrEqual(65_536);
	});

	test('reads nothing is ended before its input fills the memory', async () => {
		const start = `console.error(process.pid);
		process.stdin.once('data', (data) => {
			process.stdin.pause();
			const {id, params} = JSON.parse(data);
			const result = {...params, capabilities: {tools: {}}, serverInfo: {name: 'x', version: '1'}};
			console.log(JSON.stringify({jsonrpc: '2.0', id, result}));
		}); setInterval(() => {}, 1e3)`;
		const connection = await connectTo({command: process.execPath, args: ['-e', start]});
		const values = {text: 'x'.repeat(20_000_000)};
		const options = {signal: neverAborted, timeLimitMs: 60_000, elicit: declineElicitation};
		const calls = Array.from({length: 3}, () => connection.callTool('any', values, options));
		const failing = Promise.all(calls.map(failureOf));
		await expect.poll(() => connection.endOf()).toBe('does not read its input');
		await expect.poll(() => connection.log()[0]).toMatch(/^\d+$/);
		// It would be given a second to end by itself.
		process.kill(Number(connection.log()[0]), 'SIGKILL');
		const [error] = await failing;
		expect(error?.message).toBe('the MCP server tested does not read its input');
	});
});

describe.each([
	['of the older protocol over stdio', hostileServer, 'legacy', false],
	['of the newer protocol over stdio', hostileServer, 'modern', true],
	['of the older protocol over HTTP', startHostileHttp, 'legacy', true],
	['of the newer protocol over HTTP', startHostileHttp, 'modern', true],
] as const)('a question of a server %s, with two calls', (_way, start, era, isKnown) => {
	test('names its call, and stops the clock of this call alone if that is known', async () => {
		const {entry} = await start(['asks-form', 'never-answers'], {era});
		const connection = await connectTo(entry);
		const asked: Elicitation[] = [];
		let isTakenAway: boolean | undefined;
		const abort = new AbortController();
		const options = (signal: AbortSignal, elicit: Elicit) => ({timeLimitMs: 600, elicit, signal});
		const elicit: Elicit = async (request, signal) => {
			asked.push(request);
			// The other call ends at its limit if it is not paused, and this one does not.
			const early = await Promise.race([other, delay(900)]);
			expect(early && outputText(early)).toBe(isKnown ? '[stopped after 0.6 s]' : undefined);
			abort.abort();
			await other;
			isTakenAway = signal.aborted;
			return {type: 'accept', values: {name: 'Ada', age: 36}};
		};
		const other = connection.callTool('never-answers', {}, options(abort.signal, elicit));
		const asking = connection.callTool('asks-form', {}, options(neverAborted, elicit));
		expect(outputText(await asking)).toContain('"name":"Ada"');
		expect(isTakenAway).toBe(false);
		const names = asked.flatMap(({calls}) => calls.map(({name}) => name));
		expect(names).toEqual(isKnown ? ['asks-form'] : ['never-answers', 'asks-form']);
	});
});

test('a question without a call is declined', async () => {
	const server = hostileServer(['asks-outside-call', 'asks-late'], {era: 'legacy'});
	const connection = await connectTo(server.entry);
	await call(connection, 'asks-late');
	const answers = () =>
		server
			.events('message')
			.flatMap(({message}) => (message?.['result'] === undefined ? [] : [message]));
	await expect.poll(() => answers()).toHaveLength(3);
	expect(answers()).toMatchObject(Array(3).fill({result: {action: 'decline'}}));
});

test('a line of 20 MB ends the connection, and a long text is cut', async () => {
	const connection = await connectTo(hostileServer(['long-line']).entry);
	const options = {signal: neverAborted, timeLimitMs: 60_000, elicit: declineElicitation};
	const output = await connection.callTool('long-line', {text: 1_000_000}, options);
	expect(outputText(limitOutput(output)).length).toBeLessThan(80_000);
	const error = await failureOf(call(connection, 'long-line'));
	expect(error).toMatchObject({
		kind: 'protocol',
		message: 'the MCP server tested sent a line of more than 10 MB',
	});
	expect(connection.endOf()).toBe('sent a line of more than 10 MB');
});

describe('the end of a connection', () => {
	test('leaves nothing of the program', async () => {
		const server = hostileServer();
		const connection = await connectTo(server.entry);
		await Promise.all([connection.close(), connection.close()]);
		await expect.poll(server.alive).toEqual([]);
		expect(connection.endOf()).toBe('was closed');
	});

	test('is noticed when the program is killed, which is not said to have written our words', async () => {
		const server = hostileServer(['deep-schema']);
		const connection = await connectTo(server.entry);
		await toolsOf(connection);
		expect(connection.log().join()).toContain('chat: left out: ');
		for (const pid of server.alive()) process.kill(pid, 'SIGKILL');
		await expect.poll(() => connection.endOf()).toBe('was ended by SIGKILL');
		await delay(0);
		expect((await failureOf(connection.readManifest(neverAborted))).kind).toBe('unavailable');
	});
});

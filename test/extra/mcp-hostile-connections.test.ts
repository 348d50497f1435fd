/** Connections to a server that misbehaves: each ends or goes on, and says why. */
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {declineElicitation, type Elicit, type Elicitation} from '../../src/chat/elicitation.ts';
import {limitOutput, outputText} from '../../src/chat/tool-output.ts';
import type {ErrorKind} from '../../src/errors.ts';
import type {Connection} from '../../src/mcp/connection.ts';
import {processControl} from '../../src/process-environment.ts';
import {startProcess} from '../../src/processes/server-process.ts';
import {
	type HostileServer,
	hostileServer,
	startHostileHttp,
	type WrittenEntry,
} from '../helpers/mcp-servers.ts';
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

const strayObjects = `yes '{"jsonrpc":"2.0","params":{}}' | head -n 5000; exec cat >/dev/null`;
const node = (script: string) => ({command: process.execPath, args: ['-e', script]});
const nowhere = {command: process.execPath, cwd: '/no/such/folder'};

const legacy = {era: 'legacy'} as const;
const run = (entry: WrittenEntry) => () => ({entry, alive: () => []});
const failures: ReadonlyArray<
	readonly [words: string, kind: ErrorKind, () => Pick<HostileServer, 'entry' | 'alive'>]
> = [
	['is a program that is not in PATH: no-such', 'unavailable', run({command: 'no-such'})],
	['would run in a folder that does not exist: /no/such/folder', 'unavailable', run(nowhere)],
	['ended with code 1: Error: boom', 'unavailable', run(node('throw new Error("boom")'))],
	[`: ${'x'.repeat(300)}…`, 'unavailable', run(shell('yes x | tr -d "\\n" | head -c 9999 >&2'))],
	['the MCP server tested ended with code 1', 'unavailable', run(shell('exit 1'))],
	['wrote other things than messages', 'timeout', run(shell('echo Hi; exec cat >/dev/null'))],
	['writes other things than messages', 'protocol', run(shell('seq 5000; exec cat >/dev/null'))],
	['writes other things than messages', 'protocol', run(shell(strayObjects))],
	['did not answer within', 'timeout', () => hostileServer(['never-initializes'], legacy)],
	['a line of more than 10 MB', 'protocol', () => hostileServer(['endless-line'], legacy)],
	['version is not supported', 'protocol', () => hostileServer(['old-version'], legacy)],
];

describe('a program that', () => {
	test.each(failures)('fails is ended, and described in a line: %s', async (words, kind, open) => {
		const {entry, alive} = open();
		const connectMs = kind === 'timeout' ? 150 : 60_000;
		const error = await failureOf(connectTo(entry, {connectMs}));
		expect(error.kind).toBe(kind);
		expect(error.message).toContain(words);
		expect(error.message.length).toBeLessThan(400);
		await expect.poll(alive).toEqual([]);
	});

	test.each([
		['would end at a question that it does not know', ['ends-at-unknown'], 'legacy', 1],
		['refuses the older protocol', [], 'modern', 2],
		// Only over HTTP do arguments go into headers.
		['prints other lines to stdout', ['garbage', 'odd-headers'], 'both', 1],
	] as const)('%s is understood', async (_, behaviours, era, starts) => {
		const server = hostileServer(behaviours, {era});
		const connection = await connectTo(server.entry);
		expect(await toolsOf(connection)).toContain('echo');
		expect(server.events('start')).toHaveLength(starts);
		if (era === 'both') expect(connection.log()).toContain('Listening on stdio...');
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

test.each([
	['of the older protocol over stdio', hostileServer, 'legacy', false],
	['of the older protocol over HTTP', startHostileHttp, 'legacy', true],
	['of the newer protocol over HTTP', startHostileHttp, 'modern', true],
] as const)(
	'a question of a server %s names its call, and stops the clock of this call alone if that is known',
	async (_way, start, era, isKnown) => {
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
	},
);

test('progress keeps a call beyond its limit', async () => {
	const connection = await connectTo((await startHostileHttp(['progress-forever'])).entry);
	const abort = new AbortController();
	const options = {signal: abort.signal, timeLimitMs: 300, elicit: declineElicitation};
	const calling = connection.callTool('progress-forever', {}, options);
	expect(await Promise.race([calling, delay(700)])).toBeUndefined();
	abort.abort();
	expect(outputText(await calling)).toBe('[stopped by the user]');
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

test('the end of a connection leaves nothing of the program', async () => {
	const server = hostileServer();
	const connection = await connectTo(server.entry);
	await Promise.all([connection.close(), connection.close()]);
	await expect.poll(server.alive).toEqual([]);
	expect(connection.endOf()).toBe('was closed');
});

test('a program that is killed is not said to have written our words', async () => {
	const server = hostileServer(['deep-schema']);
	const connection = await connectTo(server.entry);
	await toolsOf(connection);
	expect(connection.log().join()).toContain('chat: left out: ');
	for (const pid of server.alive()) process.kill(pid, 'SIGKILL');
	await expect.poll(() => connection.endOf()).toBe('was ended by SIGKILL');
	await delay(0);
	expect((await failureOf(connection.readManifest(neverAborted))).kind).toBe('unavailable');
});

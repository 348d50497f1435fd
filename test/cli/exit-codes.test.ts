import {describe, expect, test} from 'vitest';
import {exitCodeRows} from '../../src/cli/command-line/exit-code-rows.ts';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {errorReply, jsonReply, streamReply, wholeReply} from '../helpers/replies.ts';
import {brokenPipe, runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';

type Way = {
	readonly code: number;
	readonly name: string;
	readonly reply: ReplayReply;
	readonly flags?: readonly string[];
	/** The output on stdout, if there is any. */
	readonly stdout?: string;
	readonly stderr: RegExp;
};

const reset: ReplayReply = {status: 0};
const partial = {stdout: 'Half an\n'};
const cut = ['Half', ' an'];
const html: ReplayReply = {
	status: 200,
	headers: {'content-type': 'text/html'},
	bodyChunks: ['<html><title>Log in</title></html>'],
	chunkDelayMs: 0,
};
const stalled: ReplayReply = {...streamReply([]), bodyChunks: [': wait\n\n'], end: 'stall'};
const redirect: ReplayReply = {
	status: 308,
	headers: {location: 'https://other.example/v1/chat/completions'},
	framing: 'length',
};

/** Ways to reach each exit code of a run that gets to the service. */
const ways: readonly Way[] = [
	{code: 0, name: 'a complete answer', reply: streamReply(['Hi.']), stdout: 'Hi.\n', stderr: /^$/},
	{
		code: 65,
		name: 'an answer that is not the JSON asked for',
		reply: streamReply(['Sure: {}']),
		flags: ['--response-format', 'json_object'],
		stderr: /^Sure: \{\}\nchat: the answer is not valid JSON\n/,
	},
	{
		code: 65,
		name: 'an answer without code',
		reply: streamReply(['No code.']),
		flags: ['-x'],
		stderr: /^No code\.\nchat: the answer has no code block\n/,
	},
	{code: 69, name: 'a refused connection', reply: reset, stderr: /cannot talk to .*ECONNRESET/},
	{code: 69, name: 'a server error', reply: errorReply(500, 'Oops.'), stderr: /500.*: Oops\./},
	{
		code: 65,
		name: 'a rejected request',
		reply: errorReply(400, 'No such field.', {'x-request-id': 'req-1'}),
		stderr: /answered 400 to model MODEL-5\.6-sol: No such field\.\n {6}request id: req-1\n/,
	},
	{code: 75, name: 'too many requests', reply: errorReply(429, 'Slow down.'), stderr: /Slow down/},
	{
		code: 75,
		name: 'too many requests, as an event',
		reply: {
			...streamReply([]),
			bodyChunks: ['data: {"error":{"message":"Slow down.","code":"429"}}\n\n'],
		},
		stderr: /reported an error: Slow down/,
	},
	{code: 75, name: 'an overloaded service', reply: errorReply(529, 'Busy.'), stderr: /529.*Busy/},
	{
		code: 75,
		name: 'silence before the first delta',
		reply: stalled,
		flags: ['--payload-timeout', '80ms'],
		stderr: /no answer within 80 ms/,
	},
	{
		code: 76,
		name: 'a reply that is not a chat completion',
		reply: html,
		stderr: /not a chat completion/,
	},
	{code: 76, name: 'a redirect', reply: redirect, stderr: /redirects are not followed/},
	{
		code: 76,
		name: 'other JSON',
		reply: jsonReply(200, {status: 'ok'}),
		stderr: /not a chat completion/,
	},
	{
		code: 77,
		name: 'a missing key',
		reply: errorReply(401, 'Who?'),
		stderr: /401.*Who\?\n.*No API key/,
	},
	{code: 77, name: 'an account without credit', reply: errorReply(402, 'Pay.'), stderr: /402.*Pay/},
	{
		code: 77,
		name: 'an exhausted quota',
		reply: jsonReply(429, {error: {message: 'No more.', code: 'insufficient_quota'}}),
		stderr: /429.*No more\.\n.*no credit or quota left/,
	},
	{code: 77, name: 'a forbidden model', reply: errorReply(403, 'No.'), stderr: /403.*No\./},
	{
		code: 79,
		name: 'a reset after the first delta',
		reply: streamReply(cut, {end: 'reset'}),
		...partial,
		stderr: /was cut off/,
	},
	{
		code: 79,
		name: 'an end without a finish reason',
		reply: {...streamReply(cut, {finishReason: null})},
		...partial,
		stderr: /was cut off/,
	},
	{
		code: 79,
		name: 'silence after the first delta',
		reply: streamReply(cut, {end: 'stall'}),
		flags: ['--idle-timeout', '80ms'],
		...partial,
		stderr: /nothing more came within 80 ms/,
	},
	{
		code: 79,
		name: 'an error after the first delta',
		reply: streamReply(cut, {
			finishReason: null,
			tail: 'data: {"error":{"message":"Out of memory."}}\n\n',
		}),
		...partial,
		stderr: /Out of memory\./,
	},
	{
		code: 79,
		name: 'reasoning that is cut, though none is shown',
		reply: streamReply([{reasoning: 'Hm'}], {end: 'reset'}),
		stderr: /was cut off/,
	},
	{
		code: 79,
		name: 'the token limit',
		reply: streamReply(cut, {finishReason: 'length'}),
		...partial,
		stderr: /^chat: .*limit/,
	},
	{
		code: 79,
		name: 'a content filter',
		reply: streamReply(cut, {finishReason: 'content_filter'}),
		...partial,
		stderr: /^chat: .*filter/,
	},
	{
		code: 79,
		name: 'the token limit in a whole reply',
		reply: wholeReply({text: 'Half an'}, {finishReason: 'length'}),
		flags: ['--no-stream'],
		...partial,
		stderr: /^chat: .*limit/,
	},
	{
		code: 79,
		name: 'JSON that is cut, which outweighs that it is not valid',
		reply: streamReply(['{"half":'], {finishReason: 'length'}),
		flags: ['--response-format', 'json_object'],
		stderr: /^\{"half":\nchat: /,
	},
	{
		code: 79,
		name: 'code that is cut, as far as it came',
		reply: streamReply(['```js\nlet a', ' = 1;'], {end: 'reset'}),
		flags: ['-x'],
		stdout: 'let a = 1;\n',
		stderr: /was cut off/,
	},
];

const once = ['--max-retries', '0'];

describe('the exit code of an answer', () => {
	test.each(ways)(
		'is $code after $name',
		async ({code, reply, flags = [], stdout = '', stderr}) => {
			const {variables, requests} = await startRecording(reply);
			const run = await runChat([...once, ...flags, 'p'], {variables});
			expect(run).toMatchObject({stdout, exitCode: code});
			expect(run.stderr).toMatch(stderr);
			expect(requests).toHaveLength(1);
		},
	);

	test.each(ways.filter(({flags = []}) => !flags.includes('-x')))(
		'is $code after $name with JSON output too',
		async ({code, reply, flags = []}) => {
			const {variables} = await startRecording(reply);
			for (const format of ['json', 'jsonl']) {
				const run = await runChat([...once, ...flags, '-o', format, 'p'], {variables});
				const result = JSON.parse(run.stdout.trimEnd().split('\n').at(-1) ?? '');
				expect(run.exitCode).toBe(code);
				const isCutByLimit = /length|filter/.test(result.finish_reason);
				const isPlain = code === 0 || (isCutByLimit && !run.stderr.includes('not valid JSON'));
				expect(result.error === null).toBe(isPlain);
				expect(result.attempts).toBe(1);
				if (code === 75) expect(result.error.retryable).toBe(true);
				if (code === 65 || code === 77) expect(result.error.retryable).toBe(false);
			}
		},
	);
});

describe('the exit code of a run', () => {
	test('is 64 for what the command line cannot mean', async () => {
		expect((await runChat(['--bogus'])).exitCode).toBe(64);
	});

	test('is 66 for a missing file', async () => {
		expect((await runChat(['-f', 'missing', 'p'])).exitCode).toBe(66);
	});

	test('is 69 when nothing listens', async () => {
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:1'};
		const run = await runChat([...once, 'p'], {variables});
		expect(run.exitCode).toBe(69);
		expect(run.stderr).toMatch(/ECONNREFUSED.*\n.*Is the service running/);
	});

	test('is 77 for an empty key, and 78 for a key without a service', async () => {
		expect((await runChat(['p'], {variables: {CHAT_API_KEY: ''}})).exitCode).toBe(77);
		expect((await runChat(['p'], {variables: {CHAT_API_KEY: 'sk-12345'}})).exitCode).toBe(78);
	});

	test('is 141 when the reader has gone', async () => {
		const onStdout = () => {
			throw brokenPipe();
		};
		expect((await runChat(['p'], {onStdout})).exitCode).toBe(141);
	});

	test.each([
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGTERM', 143],
	] as const)('means %s, and partial output is kept', async (signal, code) => {
		const {variables} = await startRecording(streamReply(['Half', ' an'], {end: 'stall'}));
		let send = () => {};
		const run = await runChat(['p'], {
			variables,
			onListening(interrupt) {
				send = () => interrupt(signal);
			},
			onStdout: (text) => text === 'Half an' && send(),
		});
		expect(run).toEqual({
			stdout: 'Half an\n',
			stderr: `chat: interrupted (${signal})\n`,
			exitCode: code,
		});
	});

	test('of each row of the table has a way that leads to it', () => {
		const reached = new Set([...ways.map(({code}) => code), 64, 66, 78, 129, 130, 141, 143]);
		const elsewhere = new Set([1, 73, 74]);
		const listed = exitCodeRows.flatMap(({code}) => code.split(', ').map(Number));
		expect(listed.filter((code) => !reached.has(code) && !elsewhere.has(code))).toEqual([]);
	});
});

describe('a failure that may pass', () => {
	test('is tried again, and each wait is announced', async () => {
		const {variables, requests} = await startRecording(
			errorReply(503, 'Starting.', {'retry-after-ms': '1'}),
			streamReply(['Hi.']),
		);
		const run = await runChat(['p'], {variables});
		expect(run).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		expect(run.stderr).toMatch(/^chat: retrying in [^\n]*503[^\n]*Starting\.\n$/);
		expect(requests).toHaveLength(2);
	});

	test('counts its attempts in the JSON', async () => {
		const failure = errorReply(503, 'Starting.', {'retry-after-ms': '1'});
		const {variables} = await startRecording(failure);
		const run = await runChat(['-o', 'json', 'p'], {variables});
		expect(JSON.parse(run.stdout)).toMatchObject({
			attempts: 3,
			error: {kind: 'unavailable', status: 503, retryable: true, code: 'some_code'},
		});
		expect(run.exitCode).toBe(69);
	});
});

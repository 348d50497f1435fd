/** The exit code of each failure, its message, and the same as JSON. */
import {describe, expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type Line, wordsOf} from '../helpers/run-chat.ts';
import {openScene} from '../helpers/run-table.ts';

const cut = ['Half', ' an'];
const half = 'Half an\n';
const events = (...bodyChunks: readonly string[]) => ({...streamReply([]), bodyChunks});
const page = ['<html><title>Log in</title></html>'];
const location = 'https://other.example/v1/chat/completions';
const tail = 'data: {"error":{"message":"Out of memory."}}\n\n';
const replies = {
	reset: streamReply(cut, {end: 'reset'}),
	stalled: streamReply(cut, {end: 'stall'}),
	long: streamReply(cut, {finishReason: 'length'}),
	words: streamReply(['Sure: {}']),
	failed: streamReply(cut, {finishReason: null, tail}),
	halfJson: streamReply(['{"half":'], {finishReason: 'length'}),
	thought: streamReply([{reasoning: 'Hm'}], {end: 'reset'}),
	halfCode: streamReply(['```js\nlet a', ' = 1;'], {end: 'reset'}),
	silence: {...events(': wait\n\n'), end: 'stall'},
	html: {...events(...page), headers: {'content-type': 'text/html'}},
	refusal: errorReply(400, 'No such field.', {'x-request-id': 'req-1'}),
	redirect: {status: 308, headers: {location}, framing: 'length'},
} satisfies Record<string, ReplayReply>;
const {reset, stalled, failed, long, words, halfJson, halfCode, thought} = replies;
const {silence, html, refusal, redirect} = replies;
const json = '--response-format json_object';

type Way = readonly [
	code: number,
	name: string,
	reply: ReplayReply,
	stderr: RegExp,
	stdout?: string,
	flags?: string,
];

/** The ways to each exit code of a run that gets to the service. */
const allWays: readonly Way[] = [
	[65, 'no JSON', words, /^Sure: \{\}\nchat: the answer is not valid JSON\n/, '', json],
	[65, 'a rejected request', refusal, /400 to model .*No such field\.\n.*id: req-1\n/],
	[69, 'a refused connection', {status: 0}, /cannot talk to .*ECONNRESET/],
	[69, 'a server error', errorReply(500, 'Oops.'), /500.*: Oops\./],
	[75, 'too many requests', errorReply(429, 'Slow down.'), /Slow down/],
	[75, 'silence', silence, /no answer within 20 ms/, '', '--payload-timeout 20ms'],
	[76, 'a reply that is not a chat completion', html, /not a chat completion/],
	[76, 'a redirect', redirect, /redirects are not followed/],
	[77, 'a missing key', errorReply(401, 'Who?'), /401.*Who\?\n.*No API key/],
	[79, 'a reset after the first delta', reset, /was cut off/, half],
	[79, 'silence then', stalled, /nothing more came within 40 ms/, half, '--idle-timeout 40ms'],
	[79, 'an error then', failed, /Out of memory\./, half],
	[79, 'reasoning that is cut, though none is shown', thought, /was cut off/],
	[79, 'JSON that is cut, which outweighs its form', halfJson, /^\{"half":\nchat: /, '', json],
	[65, 'no code', words, /^Sure: \{\}\nchat: the answer has no code block\n/, '', '-x'],
	[79, 'the token limit', long, /^chat: .*limit/, half],
	[79, 'code that is cut, as far as it came', halfCode, /was cut off/, 'let a = 1;\n', '-x'],
];

const ways = allWays.map(
	([code, name, reply, stderr, stdout = '', flags = '']) =>
		[code, name, reply, stderr, stdout, flags] as const,
);

describe('the exit code of an answer', () => {
	test.each(ways)('is %i after %s', async (code, _, reply, stderr, stdout, flags) => {
		const {run, service} = await openScene({replies: [reply]});
		const line = `--max-retries 0 ${flags} p`;
		const text = await run(line);
		expect(text).toMatchObject({stdout, exitCode: code});
		expect(text.stderr).toMatch(stderr);
		expect(service.requests).toHaveLength(1);
		if (flags === '-x') return;
		const json = await run(`-o json ${line}`);
		const result = parseResult(json.stdout);
		expect(json.exitCode).toBe(code);
		const isCutByLimit = /length|filter/.test(result.finish_reason ?? '');
		const isPlain = code === 0 || (isCutByLimit && !json.stderr.includes('not valid JSON'));
		expect([result.error === null, result.attempts]).toEqual([isPlain, 1]);
		if (code === 75) expect(result.error?.retryable).toBe(true);
		if (code === 65 || code === 77) expect(result.error?.retryable).toBe(false);
	});

	test.each([
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGTERM', 143],
	] as const)('means %s, and partial output is kept', async (signal, exitCode) => {
		let send = () => {};
		const {run} = await openScene({
			replies: [streamReply(cut, {end: 'stall'})],
			onListening(interrupt) {
				send = () => interrupt(signal);
			},
			onStdout: (text) => text === 'Half an' && send(),
		});
		expect(await run('p')).toEqual({
			stdout: half,
			stderr: `chat: interrupted (${signal})\n`,
			exitCode,
		});
	});
});

test('a failure that may pass is tried again, and each wait is announced', async () => {
	const failure = errorReply(503, 'Starting.', {'retry-after-ms': '1'});
	const {run, service} = await openScene({replies: [failure, streamReply(['Hi.'])]});
	const {stdout, stderr, exitCode} = await run('p');
	expect({stdout, exitCode}).toEqual({stdout: 'Hi.\n', exitCode: 0});
	expect(stderr).toMatch(/^chat: retrying in [^\n]*503[^\n]*Starting\.\n$/);
	expect(service.requests).toHaveLength(2);
});

type Mistake = readonly [
	line: Line,
	exitCode: number,
	/** All of stderr. */
	message: RegExp,
	variables?: Readonly<Record<string, string>>,
];

const CHAT_API_KEY = 'sk-0123456789';

const mistakes: readonly Mistake[] = [
	['--temperature 3 p', 64, /^chat: --temperature is "3", but .* number from 0 to 2\n$/],
	['-s @ p', 64, /^chat: a file name is empty\n$/],
	[['-p', 'hello there'], 64, /^chat: -p is a parameter.*\n +The prompt needs no flag: /],
	['--tool-choice x p', 64, /^chat: --tool-choice needs --tools.*\n.*--tools/],
	['-x --response-format json_object p', 64, /^chat: -x cannot be used with --resp.*\n$/],
	['p', 78, /^chat: CHAT_BASE_URL is "ftp:\/\/x", .*https:/, {CHAT_BASE_URL: 'ftp://x'}],
	['p', 78, /^chat: CHAT_API_KEY is set.*\n.*CHAT_BASE_URL/, {CHAT_BASE_URL: '', CHAT_API_KEY}],
	[
		'p',
		78,
		/^chat: the API key would go unencrypted.*http:\/\/192\.0\.2\.1\/\n.*--insecure-http/,
		{CHAT_BASE_URL: 'http://192.0.2.1', CHAT_API_KEY},
	],
	['p', 77, /^chat: CHAT_API_KEY is empty\n.*unset it/, {CHAT_API_KEY: ''}],
];

describe('what is wrong from the start', () => {
	test.each(
		mistakes.map(([line, code, message, more = {}]) => [line, code, message, more] as const),
	)('%j ends with %i before anything is sent, as JSON too', async (line, code, message, more) => {
		const {run, service} = await openScene({variables: more});
		const text = await run(line);
		const isText = !wordsOf(line).includes('-o');
		expect(text).toMatchObject({stdout: isText ? '' : text.stdout, exitCode: code});
		expect(text.stderr).toMatch(message);
		expect(text.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
		expect(service.requests).toEqual([]);
		if (!isText) return;
		const json = await run(['-o', 'json', ...wordsOf(line)]);
		const result = parseResult(json.stdout);
		expect(result).toMatchObject({content: '', complete: false, attempts: 0, service: null});
		expect(json.stderr).toContain(result.error?.message);
		expect(json.exitCode).toBe(wordsOf(line).includes('-x') ? 64 : code);
	});
});

/** Scripted faults as `chat` itself meets them: its exit codes, its errors, and what it keeps. */
import {describe, expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {play} from './helpers/scenario.ts';

/** Runs `chat` against a scenario of these rules; what the run prints is JSON. */
async function chat(rules: string, ...flags: readonly string[]) {
	const {url} = await play(`replies: [${rules}]`);
	const argv = ['--base-url', url, '-o', 'json', '-m', 'luna', ...flags, 'hello'];
	const run = await runChat(argv);
	return {...run, result: JSON.parse(run.stdout)};
}

const one = '{reply: one two three, fault:';

describe('chat', () => {
	test.each([
		['a cut by FIN', 'cut: {after_events: 3}', 79, 'incomplete'],
		['a cut by RST', 'cut: {after_events: 3, how: reset}', 79, 'incomplete'],
		['an end that comes too early', 'cut: {after_events: 3, how: end}', 79, 'incomplete'],
		['a malformed event', 'malformed: {event: 4}', 79, 'protocol'],
		['an error in the stream', 'error: {after_events: 3}', 79, 'unavailable'],
	])('keeps what came before %s, and says that it is cut', async (_, fault, exitCode, kind) => {
		const {result, ...run} = await chat(`${one} {${fault}}}`);
		expect(result).toMatchObject({content: 'one two', complete: false, error: {kind}});
		expect(run.exitCode).toBe(exitCode);
	});

	test.each([
		['status: 400', 65, 'rejected'],
		['status: 401', 77, 'auth'],
		['status: 403', 77, 'auth'],
		['status: 404', 65, 'rejected'],
		['status: 429', 75, 'busy'],
		['status: 500', 69, 'unavailable'],
		['status: 503', 69, 'unavailable'],
		['status: 307, headers: {location: /x}', 76, 'protocol'],
		['status: 200, body: <p>Sign in</p>', 76, 'protocol'],
		['close_before_head: fin', 69, 'unavailable'],
		['close_before_head: reset', 69, 'unavailable'],
		['malformed: {event: 1}', 76, 'protocol'],
		['cut: {after_events: 1}', 79, 'incomplete'],
	])('fails before any answer with %j', async (fault, exitCode, kind) => {
		const {result, ...run} = await chat(`{fault: {${fault}}}`, '--max-retries', '0');
		expect([run.exitCode, result.error?.kind]).toEqual([exitCode, kind]);
		expect(result).toMatchObject({content: '', complete: false, attempts: 1});
	});

	test('waits out a 429, says so, and gets its answer', async () => {
		const {result, ...run} = await chat(
			'{times: 1, fault: {status: 429, retry_after: 0.1}}, {reply: ok}',
		);
		expect(run.exitCode).toBe(0);
		expect(result).toMatchObject({content: 'ok', attempts: 2, error: null});
		expect(result.notices.map(({code}: {code: string}) => code)).toContain('retry');
	});

	test('does not wait for a date that is too far away', async () => {
		const {result, ...run} = await chat('{fault: {status: 429, retry_after: {date: 5m}}}');
		expect(run.exitCode).toBe(75);
		expect(result.attempts).toBe(1);
	});

	test('gives up on a stall, in the middle of an answer and before it', async () => {
		const middle = await chat(`${one} {stall: {after_events: 3}}}`, '--idle-timeout', '100ms');
		expect(middle.exitCode).toBe(79);
		expect(middle.result).toMatchObject({content: 'one two', error: {kind: 'timeout'}});
		const start = await chat(
			'{fault: {delay: 20s}}',
			...['--payload-timeout', '100ms', '--max-retries', '0'],
		);
		expect(start.exitCode).toBe(75);
		expect(start.result).toMatchObject({content: '', error: {kind: 'timeout'}});
	});

	test('lives on comments, but not without limit', async () => {
		const fault = 'keep_alive_comments: 20ms, stall: {after_events: 3, for: 500ms}';
		const patient = await chat(`${one} {${fault}}}`, '--idle-timeout', '300ms');
		expect([patient.exitCode, patient.result.content]).toEqual([0, 'one two three']);
		const idle = await chat(
			`${one} {keep_alive_comments: 20ms, stall: {after_events: 3}}}`,
			...['--payload-timeout', '150ms'],
		);
		expect([idle.exitCode, idle.result.error.kind]).toEqual([79, 'timeout']);
	});

	test.each([
		['done: missing', 0],
		['done: duplicate', 0],
		['finish_reason: missing', 0],
		['finish_reason: no_field', 0],
		['finish_reason: no_field, done: missing', 0],
		['finish_reason: missing, done: missing', 79],
		['content_type: text/plain', 0],
	])('knows whether the answer is complete with %j', async (fault, exitCode) => {
		const {result, ...run} = await chat(`${one} {${fault}}}`);
		expect(run.exitCode).toBe(exitCode);
		expect(result).toMatchObject({content: 'one two three', complete: exitCode === 0});
	});

	test.each([
		['length', 79, true],
		['content_filter', 79, true],
		['error', 79, false],
		['eos', 0, true],
	])('takes the finish reason %s as it is meant', async (reason, exitCode, complete) => {
		const {result, ...run} = await chat(`{reply: {text: one, finish_reason: ${reason}}}`);
		expect(run.exitCode).toBe(exitCode);
		expect(result).toMatchObject({content: 'one', finish_reason: reason, complete});
	});

	test('prints calls, and says which of them can run', async () => {
		const {result} = await chat(
			`{reply: {tool_calls: [{name: f, arguments: {a: 1}}, {name: g, arguments: '{"a":'}]}}`,
		);
		expect(result.tool_calls).toMatchObject([
			{name: 'f', arguments: '{"a":1}', runnable: true},
			{name: 'g', arguments: '{"a":', runnable: false},
		]);
	});

	test('meets the same faults without a stream', async () => {
		const cut = await chat(`${one} {cut: {after_events: 3}}}`, '--no-stream', '--max-retries', '0');
		expect(cut.exitCode).not.toBe(0);
		expect(cut.result).toMatchObject({content: '', complete: false});
		const malformed = await chat(`${one} {malformed: {event: 1}}}`, '--no-stream');
		expect(malformed.result.error.kind).toBe('protocol');
		const late = await chat(`${one} {delay_first_token: 30ms}}`, '--no-stream');
		expect([late.exitCode, late.result.content]).toEqual([0, 'one two three']);
	});
});

/** Scripted faults as `chat` itself meets them: the exit code, the error, and what came before it. */
import {expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {play} from './helpers/scenario.ts';

const lines = (fault: string) => `{reply: one two three, fault: {${fault}}}`;
const half = {content: 'one two', complete: false};
const none = {content: '', complete: false, attempts: 1};
const whole = {content: 'one two three', complete: true, error: null};

test.each([
	['cut: {after_events: 3, how: reset}', '', 79, {...half, error: {kind: 'incomplete'}}],
	['cut: {after_events: 3, how: end}', '', 79, {...half, error: {kind: 'incomplete'}}],
	['malformed: {event: 4}', '', 79, {...half, error: {kind: 'protocol'}}],
	['error: {after_events: 3}', '', 79, {...half, error: {kind: 'unavailable'}}],
	['stall: {after_events: 3}', '--idle-timeout 100ms', 79, {...half, error: {kind: 'timeout'}}],
	['delay: 20s', '--payload-timeout 100ms', 75, {...none, error: {kind: 'timeout'}}],
	['close_before_head: fin', '', 69, {...none, error: {kind: 'unavailable'}}],
	['cut: {after_events: 1}', '', 79, {...none, error: {kind: 'incomplete'}}],
	['cut: {after_events: 3}', '--no-stream', 79, {...none, error: {kind: 'incomplete'}}],
	['finish_reason: no_field, done: missing', '', 0, whole],
	['finish_reason: missing, done: missing', '', 79, {...whole, complete: false, error: {}}],
	[
		'keep_alive_comments: 20ms, stall: {after_events: 3, for: 500ms}',
		'--idle-timeout 300ms',
		0,
		whole,
	],
])('chat, with the fault %j and %j, exits with %i', async (fault, flags, exitCode, result) => {
	const rule = fault.startsWith('close') ? `{fault: {${fault}}}` : lines(fault);
	const {url} = await play(`replies: [${rule}]`);
	const run = await runChat(`--base-url ${url} -m luna -o json --max-retries 0 ${flags} hello`);
	expect(JSON.parse(run.stdout)).toMatchObject(result);
	expect(run.exitCode).toBe(exitCode);
});

test('chat waits out a 429, says so, and gets its answer', async () => {
	const {url} = await play(
		'replies: [{times: 1, fault: {status: 429, retry_after: 0.1}}, {reply: ok}]',
	);
	const {stdout, exitCode} = await runChat(`--base-url ${url} -m luna -o json hello`);
	expect(exitCode).toBe(0);
	expect(JSON.parse(stdout)).toMatchObject({
		content: 'ok',
		attempts: 2,
		notices: [{code: 'retry'}],
	});
});

import {describe, expect, test} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError, type ErrorKind} from '../../src/errors.ts';
import {
	createTurnResultBuilder,
	exitCodeOfTurn,
	unansweredCalls,
} from '../../src/output/turn-result.ts';
import {stepEnd, stepStart, textDelta, turnEnd} from '../helpers/events.ts';

const start: ChatEvent = {...stepStart, attempts: 2};
const text = textDelta('Hi.');
const call: ChatEvent = {type: 'tool-call-start', callId: 'c1', name: 'clock'};
const fail = (kind: ErrorKind): ChatEvent => ({
	type: 'error',
	error: new ChatError(kind, 'it failed', {attempts: 3}),
});

function buildResult(...events: readonly ChatEvent[]) {
	return build(events, true);
}

function build(events: readonly ChatEvent[], isTextKept: boolean) {
	let now = 0;
	const builder = createTurnResultBuilder(() => {
		now += 10;
		return now;
	}, isTextKept);
	for (const event of events) builder.add(event);
	return builder.build();
}

test('a turn that failed has no unanswered calls', () => {
	expect(unansweredCalls(buildResult(start, call, stepEnd('tool-calls'), turnEnd))).toHaveLength(1);
	expect(unansweredCalls(buildResult(start, call, fail('incomplete')))).toEqual([]);
});

const notCode = new ChatError('data', 'the answer has no code block');

describe('the exit code of a turn', () => {
	test.each<readonly [name: string, events: readonly ChatEvent[], code: number]>([
		['complete', [start, text, stepEnd('stop'), turnEnd], 0],
		['cut at the limit', [start, text, stepEnd('length'), turnEnd], 79],
		['failed before it began', [fail('unavailable')], 69],
		['failed before a delta', [start, fail('timeout')], 75],
		['failed after text', [start, text, fail('timeout')], 79],
		['failed after the start of a call', [start, call, fail('protocol')], 79],
		['incomplete without a delta', [start, fail('incomplete')], 79],
		['interrupted after text', [start, text, fail('interrupted')], 130],
		['closed after text', [start, text, fail('closed')], 141],
		['not written after text', [start, text, fail('output')], 74],
	])('that is %s', (_, events, code) => {
		expect(exitCodeOfTurn(buildResult(...events), undefined)).toBe(code);
	});

	test('with a data error is 65 unless something more severe happened', () => {
		const complete = [start, text, stepEnd('stop'), turnEnd] as const;
		expect(exitCodeOfTurn(buildResult(...complete), notCode)).toBe(65);
		expect(exitCodeOfTurn(buildResult(start, text, stepEnd('length')), notCode)).toBe(79);
		expect(exitCodeOfTurn(buildResult(start, text, fail('timeout')), notCode)).toBe(79);
		expect(exitCodeOfTurn(buildResult(start, text, fail('interrupted')), notCode)).toBe(130);
	});
});

test('the result of a turn has partial calls, not runnable until they are complete', () => {
	const delta: ChatEvent = {type: 'tool-call-delta', callId: 'c1', text: '{"a"'};
	const cut = buildResult(start, call, delta, fail('incomplete'));
	const open = {callId: 'c1', name: 'clock', arguments: '{"a"', isRunnable: false};
	expect(cut.toolCalls).toEqual([{call: open, result: undefined}]);
	const whole = {...open, arguments: '{"a":1}', isRunnable: true};
	const done = buildResult(
		start,
		call,
		delta,
		{type: 'tool-call', call: whole},
		stepEnd('unknown'),
	);
	expect(done.toolCalls).toEqual([{call: whole, result: undefined}]);
});

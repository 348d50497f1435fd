/** Tools that run during a turn: when they are named. */
import {describe, expect, test} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {activityOf} from '../../src/ui/ink/live/status-line.ts';
import {
	at,
	begin,
	enter,
	entriesOf,
	events,
	failure,
	play,
	stepEnd,
	stepStart,
	textDelta,
} from './play.ts';

const statusOf = (state: ReplState) => activityOf({state, reasoningKey: undefined}).lines.join();
const call = (callId: string, name: string): readonly ChatEvent[] => [
	{type: 'tool-call-start', callId, name},
	{type: 'tool-call', call: {callId, name, arguments: `{"of":"${callId}"}`, isRunnable: true}},
];
const decision = (callId: string, decided: 'once' | 'denied'): ChatEvent => ({
	type: 'tool-decision',
	callId,
	decision: decided,
});
const result = (callId: string): ChatEvent => ({
	type: 'tool-result',
	callId,
	...textOutput('ran', false),
});

const asked = play(
	begin(),
	enter('one'),
	events(
		stepStart,
		textDelta('Calling.'),
		...call('a', 'first'),
		...call('b', 'second'),
		stepEnd(),
	),
	at(5000, events(decision('a', 'once'), decision('b', 'once'))),
).state;

describe('the status line', () => {
	test('names the running tools instead of the rate', () => {
		expect(statusOf(asked)).toContain('running first {"of":"a"}, second {"of":"b"}');
		expect(statusOf(asked)).not.toContain('tokens/s');
	});

	test('names the tools still running', () => {
		const left = play(asked, events(result('a'))).state;
		expect(statusOf(left)).toContain('running second {"of":"b"}');
		expect(statusOf(play(left, events(result('b'))).state)).not.toContain('running');
	});

	test('does not name a denied tool', () => {
		const {state} = play(
			begin(),
			enter('one'),
			events(stepStart, ...call('a', 'first'), stepEnd()),
		);
		expect(statusOf(play(state, events(decision('a', 'denied'))).state)).not.toContain('running');
	});
});

test('names the calls awaiting approval when the turn is stopped', () => {
	const {state} = play(
		begin(),
		enter('one'),
		events(
			stepStart,
			textDelta('Calling.'),
			...call('a', 'first'),
			...call('b', 'second'),
			stepEnd(),
		),
	);
	const {effects} = play(state, events(failure('interrupted')));
	expect(entriesOf(effects).slice(0, 3)).toMatchObject([
		{type: 'tool', name: 'first', result: textOutput('not run', true)},
		{type: 'tool', name: 'second', result: textOutput('not run', true)},
		{type: 'truncation'},
	]);
});

test('names a stopped tool, because it may have had an effect', () => {
	const {effects} = play(asked, events(result('a')), events(failure('interrupted')));
	const tools = entriesOf(effects).filter((entry) => entry.type === 'tool');
	expect(tools).toMatchObject([
		{name: 'first', result: textOutput('ran', false)},
		{name: 'second', result: textOutput('stopped before it finished', true)},
	]);
});

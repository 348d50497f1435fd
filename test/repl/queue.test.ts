/** Prompts entered during an answer: queued, held, sent. */
import {describe, expect, test} from 'vitest';
import {
	answer,
	attached,
	begin,
	draftOf,
	enter,
	entriesOf,
	events,
	failure,
	messagesOf,
	paste,
	play,
	press,
	reasoningDelta,
	saidBy,
	stepEnd,
	stepStart,
	textDelta,
	turnEnd,
	type,
	typesOf,
} from './play.ts';

const streaming = play(begin(), enter('one'), events(stepStart, textDelta('partly'))).state;
const queued = play(streaming, enter('two'), enter('three')).state;
const held = play(queued, events(failure('interrupted'))).state;

function queueOf({queue}: typeof queued): readonly string[] {
	return queue.map(({text}) => text);
}

describe('during an answer', () => {
	test('Enter queues the prompt, and sends nothing', () => {
		const {state, effects} = play(streaming, enter('two'), enter('three'));
		expect(queueOf(state)).toEqual(['two', 'three']);
		expect(typesOf(effects)).toEqual([]);
		expect(draftOf(state)).toBe('');
	});

	test('a queued prompt keeps its attachments', () => {
		const part = {type: 'image', url: 'https://example.com/a.png'} as const;
		const {state} = play(
			streaming,
			enter('/image a.png'),
			attached([{type: 'image', name: 'a.png', part}]),
			enter('what is it?'),
			enter('and else?'),
		);
		expect(state.queue.map(({attachments}) => attachments.length)).toEqual([1, 0]);
		expect(state.attachments).toEqual([]);
	});

	test('Enter on the empty prompt changes nothing', () => {
		const {state, effects} = play(queued, press('enter'));
		expect(queueOf(state)).toEqual(['two', 'three']);
		expect(effects).toEqual([]);
	});

	test.each(['up', 'ctrl+p'])('%s recalls the last queued prompt, then the previous one', (key) => {
		const last = play(queued, press(key)).state;
		expect([draftOf(last), queueOf(last)]).toEqual(['three', ['two']]);
		const both = play(last, press(key)).state;
		expect([draftOf(both), queueOf(both)]).toEqual(['two\nthree', []]);
	});

	test('a recalled prompt goes above the draft, with its attachments', () => {
		const added = attached([{type: 'file', name: 'a', text: ''}]);
		const {state} = play(
			streaming,
			enter('/file a'),
			added,
			enter('two'),
			type('newer'),
			press('up'),
		);
		expect(draftOf(state)).toBe('two\nnewer');
		expect(state.attachments.map(({name}) => name)).toEqual(['a']);
	});
});

describe('when the answer is complete', () => {
	test('the queued prompts are sent one after another', () => {
		const first = play(queued, events(stepEnd(), turnEnd));
		expect(typesOf(first.effects)).toEqual(['print', 'start-turn']);
		expect(messagesOf(first.state)).toEqual(['user: one', 'assistant: partly', 'user: two']);
		expect(queueOf(first.state)).toEqual(['three']);
		const second = play(first.state, answer('2'));
		expect(queueOf(second.state)).toEqual([]);
		expect(second.state.conversation.open?.prompt.text).toBe('three');
		expect(typesOf(play(second.state, answer('3')).effects)).toEqual([]);
	});

	test('a draft stays a draft', () => {
		const {state} = play(queued, type('not yet'), events(stepEnd(), turnEnd));
		expect(draftOf(state)).toBe('not yet');
		expect(queueOf(state)).toEqual(['three']);
	});
});

describe('when the answer is interrupted or fails', () => {
	test.each(['interrupted', 'incomplete', 'timeout'] as const)(
		'after some text (%s), the queue is held',
		(kind) => {
			const {state, effects} = play(queued, events(failure(kind)));
			expect(state.isQueueHeld).toBe(true);
			expect(queueOf(state)).toEqual(['two', 'three']);
			expect(typesOf(effects)).not.toContain('start-turn');
		},
	);

	test('the queue is held also when it completes just as it is stopped', () => {
		const stopped = play(queued, press('ctrl+c'), events(stepEnd(), turnEnd));
		expect(stopped.state.turn).toBeUndefined();
		expect(stopped.state.isQueueHeld).toBe(true);
		expect(typesOf(stopped.effects)).not.toContain('start-turn');
	});

	test('nothing is held without a queue', () => {
		expect(play(streaming, events(failure('interrupted'))).state.isQueueHeld).toBe(false);
	});

	test('Enter on the empty prompt sends the queue', () => {
		const first = play(held, press('enter'));
		expect(typesOf(first.effects)).toEqual(['print', 'start-turn']);
		expect(first.state.conversation.open?.prompt.text).toBe('two');
		expect(first.state.isQueueHeld).toBe(false);
		expect(play(first.state, answer('2')).state.conversation.open?.prompt.text).toBe('three');
	});

	test('time, a resize and commands do not send it', () => {
		const {state, effects} = play(
			held,
			{type: 'tick', now: 9000},
			{type: 'resize', columns: 120, rows: 40},
			enter('/usage'),
			enter('/set temperature 1'),
		);
		expect(state.isQueueHeld).toBe(true);
		expect(typesOf(effects)).not.toContain('start-turn');
	});

	test('a restored prompt is sent before the queue', () => {
		const failed = play(begin(), enter('one'), enter('two'), events(failure('unavailable'))).state;
		expect(draftOf(failed)).toBe('one');
		expect(queueOf(failed)).toEqual(['two']);
		const again = play(failed, press('enter')).state;
		expect(again.conversation.open?.prompt.text).toBe('one');
		expect(play(again, answer('1')).state.conversation.open?.prompt.text).toBe('two');
	});

	test('Ctrl-C on the empty prompt drops the queue before it arms the exit', () => {
		const dropped = play(held, press('ctrl+c'));
		expect(queueOf(dropped.state)).toEqual([]);
		expect(dropped.state.armedKey).toBeUndefined();
		expect(play(dropped.state, press('ctrl+c')).state.armedKey).toBe('Ctrl-C');
	});

	test('Up recalls the last held prompt, and Ctrl-C drops it alone', () => {
		const {state} = play(held, press('up', 'ctrl+c'));
		expect([draftOf(state), queueOf(state), state.isQueueHeld]).toEqual(['', ['two'], true]);
		expect(play(state, press('up')).state.isQueueHeld).toBe(false);
	});

	test('/new drops the queue', () => {
		const {state} = play(held, enter('/new'));
		expect(state.queue).toEqual([]);
		expect(state.isQueueHeld).toBe(false);
		expect(play(state, press('enter')).effects).toEqual([]);
	});
});

describe('a restored prompt', () => {
	const failed = events(failure('unavailable', 'out of order'));

	test('is in the editor again, to be changed', () => {
		const {state} = play(begin(), enter('hello'), failed, press('backspace'), type('p'));
		expect(draftOf(state)).toBe('hellp');
	});

	test('goes above a newer draft, whose cursor stays in place', () => {
		const {state} = play(begin(), enter('older'), type('newer'), press('left', 'left'), failed);
		expect(draftOf(state)).toBe('older\nnewer');
		expect(state.editor.buffer.cursor).toEqual({line: 1, column: 3});
	});

	test('keeps its long pastes folded, and those of the newer draft', () => {
		const long = Array.from({length: 20}, (_, index) => `line ${index}`).join('\n');
		const draft = play(begin(), type('sum up '), paste(long)).state;
		const sent = play(draft, press('enter')).state;
		expect(play(sent, failed).state.editor.buffer).toEqual(draft.editor.buffer);
		const {state} = play(sent, type('and '), paste(`${long}!`), failed);
		expect(draftOf(state)).toBe(`sum up ${long}\nand ${long}!`);
		expect(state.editor.buffer.lines).toHaveLength(2);
		expect(state.editor.buffer.pastes.map(({label}) => label)).toEqual([
			'[Pasted 20 lines #1]',
			'[Pasted 20 lines #2]',
		]);
	});

	test('is not folded if it was typed', () => {
		const lines = Array.from({length: 15}, (_, index) => `line ${index}`);
		const typed = lines.flatMap((line) => [type(line), press('ctrl+j')]);
		const {state} = play(begin(), ...typed, type('end'), press('enter'), failed);
		expect(state.editor.buffer.lines).toEqual([...lines, 'end']);
	});

	test('is that of the turn, whatever entry of the history is shown', () => {
		const {state} = play(begin(), enter('older'), press('up'), type('!'), failed);
		expect(draftOf(state)).toBe('older\nolder!');
	});

	test('has its attachments, before newer ones', () => {
		const file = (name: string) => attached([{type: 'file', name, text: name}]);
		const {state} = play(
			begin(),
			enter('/file a'),
			file('a'),
			enter('what?'),
			enter('/file b'),
			file('b'),
			failed,
		);
		expect(state.attachments.map(({name}) => name)).toEqual(['a', 'b']);
	});

	test('is reported after an interrupt', () => {
		const {effects} = play(begin(), enter('hello'), events(failure('interrupted')));
		expect(saidBy(effects)).toContain('the prompt is the draft again');
		expect(entriesOf(effects).some((entry) => entry.type === 'error')).toBe(false);
	});
});

describe('an empty answer', () => {
	test.each([
		['nothing at all', []],
		['reasoning alone', [reasoningDelta('hm')]],
	])('(%s) restores the prompt, and holds the queue', (_, pieces) => {
		const begun = play(begin(), enter('one'), enter('two')).state;
		const {state, effects} = play(begun, events(stepStart, ...pieces, stepEnd(), turnEnd));
		expect(messagesOf(state)).toEqual([]);
		expect(draftOf(state)).toBe('one');
		expect(state.isQueueHeld).toBe(true);
		expect(typesOf(effects)).not.toContain('start-turn');
	});
});

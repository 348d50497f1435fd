/** Changing an earlier prompt: shown at once, sent in place of the rest, left without a trace. */
import {describe, expect, test} from 'vitest';
import type {Attachment} from '../../src/chat/prompt.ts';
import type {Action} from '../../src/repl/action.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {
	answer,
	attached,
	begin,
	draftOf,
	enter,
	events,
	failure,
	lineOf,
	messagesOf,
	paste,
	play,
	press,
	saidBy,
	stepStart,
	textDelta,
	type,
	typesOf,
} from './play.ts';

const asked = play(
	begin(),
	...[enter('one'), answer('1'), enter('two'), answer('2'), enter('three'), answer('3')],
).state;

const all = [
	'user: one',
	'assistant: 1',
	'user: two',
	'assistant: 2',
	'user: three',
	'assistant: 3',
];

const attachment: Attachment = {type: 'file', name: 'a.txt', text: 'a'};
const withFile = attached([attachment]);

function later(now: number, ...chords: readonly string[]): readonly Action[] {
	return chords.map((chord, index) => ({...press(chord), now: now + index}));
}

function expectNothingChanged(state: ReplState): void {
	expect(state.editing).toBeUndefined();
	expect(draftOf(state)).toBe('');
	const sent = play(state, enter('four')).state;
	expect(messagesOf(sent)).toEqual([...all, 'user: four']);
}

describe('an earlier prompt', () => {
	test.each([
		['Esc Esc', [press('escape'), press('escape')]],
		['/edit', [enter('/edit')]],
	])('shown by %s and left leaves the conversation as it was', (_, show) => {
		for (const chord of ['escape', 'ctrl+c']) {
			const shown = play(asked, ...show);
			expect(draftOf(shown.state)).toBe('three');
			expect(typesOf(shown.effects)).not.toContain('conversation-changed');
			const left = play(shown.state, press(chord));
			expect(left.state.conversation).toBe(asked.conversation);
			expectNothingChanged(left.state);
		}
	});

	test('is sent in place of the turns from there on', () => {
		const {state} = play(asked, enter('/edit 2'), type('!'), press('enter'), answer('new'));
		expect(messagesOf(state)).toEqual([
			'user: one',
			'assistant: 1',
			'user: two!',
			'assistant: new',
		]);
		expect(state.editing).toBeUndefined();
		expect(draftOf(play(state, press('up')).state)).toBe('two!');
	});

	test('gives way to the one before it with Up, and to the one after it with Down', () => {
		const {state} = play(asked, press('escape', 'escape'), press('up'), press('up'));
		expect(draftOf(state)).toBe('one');
		expect(draftOf(play(state, press('up')).state)).toBe('one');
		const down = play(state, press('down'), press('down')).state;
		expect(draftOf(down)).toBe('three');
		expectNothingChanged(play(down, press('down')).state);
	});

	test('gives way to the one before it with two more Escs, up to the first', () => {
		const texts: string[] = [];
		let {state} = play(asked, press('escape', 'escape'));
		for (let count = 0; count < 4; count += 1) {
			texts.push(draftOf(state));
			({state} = play(state, press('escape', 'escape')));
		}
		expect(texts).toEqual(['three', 'two', 'one', '']);
	});

	test('keeps changes while others are shown, and in the history when it is left', () => {
		const changed = play(asked, enter('/edit'), type(' and more'), press('up'), press('down'));
		expect(draftOf(changed.state)).toBe('three and more');
		const left = play(changed.state, press('ctrl+c'));
		expectNothingChanged(left.state);
		expect(draftOf(play(left.state, press('up')).state)).toBe('three and more');
	});

	test('leaves attachments, the draft and the held queue as they were', () => {
		const held = play(
			asked,
			...[enter('long'), events(stepStart, textDelta('x')), enter('queued')],
			...[events(failure('interrupted')), enter('/file a.txt'), withFile],
		).state;
		const {state} = play(held, press('escape', 'escape'));
		expect(state.attachments).toEqual([]);
		const left = play(state, press('escape')).state;
		expect(left.attachments).toEqual(held.attachments);
		expect([left.queue, left.isQueueHeld]).toEqual([held.queue, true]);
	});

	test('comes with its attachments, and they are sent again', () => {
		const file = play(begin(), enter('/file a.txt'), withFile, enter('look'), answer('1')).state;
		const {state} = play(file, press('escape', 'escape'));
		expect(state.attachments).toHaveLength(1);
		const sent = play(state, press('enter')).state;
		expect(sent.conversation.open?.prompt.attachments).toHaveLength(1);
	});

	test('stands again with all turns if it gets no answer', () => {
		for (const end of ['unavailable', 'interrupted'] as const) {
			const {state: failed, effects} = play(
				asked,
				...[enter('/edit 2'), type('!'), press('enter'), events(stepStart, failure(end))],
			);
			expect(draftOf(failed)).toBe('two!');
			expect(saidBy(effects)).toMatch(/^back to "two"\n.*the replaced turns are back$/s);
			expect(messagesOf(failed)).toEqual(all);
			expectNothingChanged(play(failed, press('ctrl+c')).state);
			const again = play(failed, press('enter'), answer('new')).state;
			expect(messagesOf(again).at(-2)).toBe('user: two!');
			expect(messagesOf(again)).toHaveLength(4);
		}
	});

	test('stands again if a file that it mentions cannot be read, and if it is taken back', () => {
		const sent = play(asked, enter('/edit 2'), type(' @a.ts'), press('enter')).state;
		expect(messagesOf(sent)).toEqual(all);
		const back = play(sent, press('escape')).state;
		expect([draftOf(back), back.queue]).toEqual(['two @a.ts', []]);
		expectNothingChanged(play(back, press('ctrl+c')).state);
	});

	test('is shown again after a command that leaves the conversation as it is', () => {
		const {state} = play(asked, enter('/edit 2'), press('ctrl+u'), enter('/model gpt-x'));
		expect([draftOf(state), state.options.model]).toEqual(['two', 'gpt-x']);
		expectNothingChanged(play(state, press('ctrl+c')).state);
		const other = play(asked, enter('/edit 2'), press('ctrl+u'), enter('/edit 1')).state;
		expect(draftOf(other)).toBe('one');
		const cleared = play(asked, enter('/edit 2'), press('ctrl+u'), enter('/new')).state;
		expect([cleared.editing, draftOf(cleared)]).toEqual([undefined, '']);
	});

	test('is left by Enter without a text', () => {
		expectNothingChanged(play(asked, enter('/edit 2'), press('ctrl+u'), press('enter')).state);
	});

	test('is not shown by Escs that follow one that stopped an answer within a second', () => {
		const running = play(asked, enter('four'), events(stepStart, textDelta('4'))).state;
		const stopped = play(running, ...later(100, 'escape'), events(failure('interrupted'))).state;
		const hasty = play(stopped, ...later(300, 'escape', 'escape', 'escape')).state;
		expect([hasty.editing, hasty.armedKey]).toEqual([undefined, undefined]);
		expect(draftOf(play(hasty, ...later(1400, 'escape', 'escape')).state)).toBe('four');
	});

	test('is not shown by Esc with the keys of vi, which have /edit', () => {
		const vi = play(
			begin({editing: 'vi'}),
			...[enter('one'), answer('1'), press('escape'), press('escape'), press('escape')],
		).state;
		expect([vi.editing, draftOf(vi)]).toEqual([undefined, '']);
		const shown = play(vi, type('i'), enter('/edit')).state;
		expect(draftOf(shown)).toBe('one');
		expect(draftOf(play(shown, press('escape'), press('escape')).state)).toBe('');
	});

	test('is not needed after Esc during an answer with the keys of vi: only Ctrl-C stops it', () => {
		const running = play(
			begin({editing: 'vi'}),
			...[enter('one'), events(stepStart, textDelta('1'))],
		).state;
		const escapes = [press('escape'), press('escape'), press('escape')];
		const pressed = play(running, ...escapes);
		expect(typesOf(pressed.effects)).not.toContain('stop-turn');
		expect(typesOf(play(pressed.state, press('ctrl+c')).effects)).toContain('stop-turn');
	});

	test('that was pasted, or had a template, comes back folded', () => {
		const text = Array.from({length: 20}, (_, index) => `line ${index}`).join('\n');
		const state = play(begin(), paste(text), press('enter'), answer('1'), enter('/edit')).state;
		expect(state.editor.buffer.lines).toHaveLength(1);
		expect(draftOf(state)).toBe(text);
	});
});

describe('on a terminal that edits lines', () => {
	test('a line replaces an earlier prompt, and an empty one sends it', () => {
		const other = play(asked, lineOf('/edit 2'), lineOf('zwei'), answer('new')).state;
		expect(messagesOf(other).slice(2)).toEqual(['user: zwei', 'assistant: new']);
		const same = play(asked, lineOf('/edit 2'), lineOf('/model gpt-x'), lineOf(''), answer('new'));
		expect(messagesOf(same.state).slice(2)).toEqual(['user: two', 'assistant: new']);
	});

	test('the draft waits until an earlier prompt is left', () => {
		const draft = play(asked, enter('four'), events(stepStart, failure('unavailable'))).state;
		const shown = play(draft, lineOf('/edit 1')).state;
		expect(draftOf(shown)).toBe('one');
		expect(draftOf(play(shown, press('ctrl+c')).state)).toBe('four');
		expect(draftOf(play(shown, lineOf('/edit x')).state)).toBe('one');
		expect(draftOf(play(shown, lineOf('/new')).state)).toBe('four');
	});
});

/** The kill ring, undo and redo, with the keys that use them. */
import {describe, expect, test} from 'vitest';
import {fuzz} from '../../helpers/fuzz.ts';
import {createSeededRandom} from '../../helpers/seeded-random.ts';
import {
	begin,
	draftOf,
	markedDraft,
	paste,
	play,
	press,
	type Step,
	type,
	withDraft,
} from '../play.ts';

/** Plays the actions on a draft, with the cursor at the `|`. */
function edit(draft: string, ...actions: readonly Step[]) {
	return markedDraft(play(withDraft(begin(), draft), ...actions).state);
}

const undo = '<ctrl+_>';
const redo = '<alt+_>';
const longPaste = 'line\n'.repeat(30);

describe('the kill ring', () => {
	test.each([
		['words to the left', 'one two three|', '<ctrl+w ctrl+w ctrl+y>', 'one two three|'],
		['in both directions', 'one |two', '<ctrl+k ctrl+u ctrl+y>', 'one two|'],
	])('gathers kills in a row: %s', (_, draft, keys, after) => {
		expect(edit(draft, keys)).toBe(after);
	});

	test('keeps kills apart when another key is pressed between them', () => {
		const killed = '<ctrl+w left right ctrl+w>';
		expect(edit('one two|', killed, '<ctrl+y>')).toBe('one |');
		expect(edit('one two|', killed, '<ctrl+y alt+y>')).toBe('two|');
		expect(edit('one two|', killed, '<ctrl+y alt+y alt+y>')).toBe('one |');
	});

	test('has the last 20 texts', () => {
		let state = begin();
		for (let number = 1; number <= 25; number += 1) {
			state = play(state, `${number}`, '<ctrl+w left>').state;
		}
		const olderBy = (steps: number) =>
			draftOf(play(state, '<ctrl+y>', ...Array(steps).fill('<alt+y>')).state);
		expect([olderBy(0), olderBy(19), olderBy(20)]).toEqual(['25', '6', '25']);
	});

	test('is rotated only right after a yank', () => {
		expect(edit('one two|', '<ctrl+w ctrl+y left alt+y>')).toBe('one tw|o');
		expect(edit('one two|', '<ctrl+w alt+y>')).toBe('one |');
	});
});

describe('undo', () => {
	test.each<[string, string, readonly Step[], string]>([
		['a word, typed letter by letter', '|', [...'go on'].map(type), 'go |'],
		['the letters deleted in a row', 'three|', ['<backspace backspace>'], 'three|'],
		['a yank, and what replaced it', 'a b|', ['<ctrl+w ctrl+y alt+y>'], 'a |'],
		['what was typed after a movement', 'b|', ['c', '<left>', 'x'], 'b|c'],
	])('takes back %s', (_, draft, changes, after) => {
		expect(edit(draft, ...changes, undo)).toBe(after);
	});

	test('cannot be redone after another change', () => {
		expect(edit('|', 'one two', undo, 'three', redo)).toBe('one three|');
	});

	test('keeps the last 200 groups', () => {
		const typed = play(begin(), type('word '.repeat(250))).state;
		const undone = play(typed, ...Array(300).fill(undo)).state;
		expect(draftOf(undone)).toBe('word '.repeat(50));
	});

	test('of an earlier prompt leaves the draft alone, and the other way round', () => {
		const before = play(begin(), 'old⏎', '<< 1', 'new draft').state;
		const changed = play(before, '<up>', 'er').state;
		expect(draftOf(play(changed, undo).state)).toBe('old');
		expect(draftOf(play(changed, undo, undo).state)).toBe('old');
		expect(draftOf(play(changed, '<down>', undo).state)).toBe('new ');
		expect(draftOf(play(changed, '<down up>', undo).state)).toBe('old');
	});
});

fuzz('any changes can be undone to the start, and redone to the end', (seed) => {
	const draw = createSeededRandom(seed);
	const pick = (choices: readonly string[]) => choices[draw(0, choices.length - 1)] ?? '';
	const chords = ['ctrl+w', 'alt+d', 'ctrl+u', 'ctrl+k', 'alt+backspace', 'ctrl+y', 'alt+y'];
	const moves = ['left', 'right', 'ctrl+a', 'ctrl+e', 'alt+b', 'ctrl+j', 'backspace', 'delete'];
	const texts = ['word', ' ', 'two words', '日本', '👍🏽', '\u0301', '\t'];
	let state = withDraft(begin(), '|start');
	for (let step = 0; step < 60; step += 1) {
		const kind = draw(0, 9);
		const action =
			kind < 3
				? type(pick(texts))
				: kind === 3
					? paste(pick(['a\nb', longPaste]))
					: press(pick([...chords, ...moves]));
		state = play(state, action).state;
	}
	const before = draftOf(state);
	const undone = play(state, ...Array(200).fill(undo)).state;
	expect(draftOf(undone)).toBe('start');
	expect(draftOf(play(undone, ...Array(200).fill(redo)).state)).toBe(before);
});

/** Lines that are edited at their end: queries, and answers to the questions of commands. */
import {expect, test} from 'vitest';
import {editTextLine} from '../../src/repl/keys/edit-line.ts';
import {createKey} from '../../src/terminal/keys/key-input.ts';

test.each([
	['one two-three', createKey('backspace'), 'one two-thre'],
	['one two-three', createKey('h', {ctrl: true}), 'one two-thre'],
	['one 👍🏽', createKey('backspace'), 'one '],
	['one two-three ', createKey('w', {ctrl: true}), 'one '],
	['one two-three', createKey('backspace', {alt: true}), 'one two-'],
	['one two-three', createKey('u', {ctrl: true}), ''],
	['one', {type: 'paste', text: ' two\nthree'}, 'one two three'],
	['one', createKey('left'), undefined],
	['one', createKey('y', {ctrl: true}), undefined],
] as const)('%j becomes %j', (line, key, edited) => {
	expect(editTextLine(line, key)).toBe(edited);
});

/** Lines besides the draft: queries, which are edited at their end, and answers to questions. */
import {expect, test} from 'vitest';
import {expand} from '../../src/repl/editor/buffer.ts';
import {textField} from '../../src/repl/editor/change-editor.ts';
import {createBuffer} from '../../src/repl/editor/edit.ts';
import {editLine, writeOnLine} from '../../src/repl/keys/edit-line.ts';
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
	const query = editLine(createBuffer(line), key);
	expect(query && expand(query)).toBe(edited);
	const answer = writeOnLine(textField(createBuffer(line)), key);
	expect(expand(answer.buffer)).toBe(edited ?? line);
});

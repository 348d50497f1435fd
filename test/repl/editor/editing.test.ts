import {describe, expect, test} from 'vitest';
import {type EditorBuffer, emptyBuffer, expand, moveTo} from '../../../src/repl/editor/buffer.ts';
import {
	type EditorCommand,
	runEditorCommand,
	textField,
} from '../../../src/repl/editor/change-editor.ts';
import {createBuffer, insertPaste, insertText} from '../../../src/repl/editor/edit.ts';
import {layoutEditor} from '../../../src/repl/editor/editor-layout.ts';
import {costOf, expectCost} from '../../helpers/cost.ts';

/** Returns a buffer with this text, the cursor at the `|`. */
function parse(text: string): EditorBuffer {
	const [before = '', after = ''] = text.split('|');
	const lines = before.split('\n');
	const cursor = {line: lines.length - 1, column: lines.at(-1)?.length ?? 0};
	return moveTo(createBuffer(before + after), cursor);
}

function show({lines, cursor}: EditorBuffer): string {
	return lines
		.map((line, index) =>
			index === cursor.line ? `${line.slice(0, cursor.column)}|${line.slice(cursor.column)}` : line,
		)
		.join('\n');
}

function run(command: EditorCommand, buffer: EditorBuffer): EditorBuffer {
	return runEditorCommand(textField(buffer), command).buffer;
}

test('a word longer than the window is one word', () => {
	const long = 'x'.repeat(3000);
	const buffer = run('move-word-left', createBuffer(`a ${long}`));
	expect(buffer.cursor.column).toBe(2);
	expect(run('move-word-right', buffer).cursor.column).toBe(3002);
});

test('a space with a mark on it is white space', () => {
	expect(show(run('delete-whitespace-word-left', parse('at 12, \ufe0f|')))).toBe('at |');
});

describe('inserting', () => {
	test('turns line ends into new lines, and drops other control characters', () => {
		const buffer = insertText(parse('a|d'), 'b\r\nc\r\u001b[31m\u0085\tx');
		expect(show(buffer)).toBe('ab\nc\n[31m\tx|d');
	});

	test('replaces half a surrogate pair', () => {
		expect(expand(createBuffer('a\ud83d'))).toBe('a\ufffd');
	});
});

describe('pastes', () => {
	const lines = (count: number) => 'line\n'.repeat(count).slice(0, -1);
	const labelsOf = (buffer: EditorBuffer) =>
		layoutEditor(buffer, 80, 10)
			.rows.flat()
			.filter(({isLive}) => isLive)
			.map(({text}) => text);

	test.each([
		['10 lines and a line end', `${lines(10)}\n`, []],
		['11 lines', lines(11), ['[Pasted 11 lines #1]']],
		['2,000 characters', 'x'.repeat(2000), []],
		['2,001 characters', 'x'.repeat(2001), ['[Pasted 2,001 characters #1]']],
		['1,500 emoji', '👍'.repeat(1500), ['[Pasted 1,500 characters #1]']],
	])('%s', (_, text, labels) => {
		const buffer = insertPaste(emptyBuffer, text);
		expect(labelsOf(buffer)).toEqual(labels);
		expect(expand(buffer)).toBe(text);
	});

	test('a folded paste is one position for the cursor and for deletion', () => {
		const pasted = insertText(insertPaste(parse('see: |'), lines(240)), '\u0301 and');
		const before = run('move-word-left', run('move-word-left', pasted));
		expect(before.cursor.column).toBe(5);
		expect(expand(run('delete-left', run('move-right', before)))).toBe('see: \u0301 and');
		expect(expand(run('delete-right', before))).toBe('see: \u0301 and');
	});

	test('several folded pastes are numbered, and each expands in its place', () => {
		const first = insertText(insertPaste(emptyBuffer, lines(11)), ' or ');
		const both = insertPaste(first, lines(12));
		expect(labelsOf(both)).toEqual(['[Pasted 11 lines #1]', '[Pasted 12 lines #2]']);
		expect(expand(both)).toBe(`${lines(11)} or ${lines(12)}`);
	});

	test('text that contains a mark does not become a paste', () => {
		const pasted = insertPaste(emptyBuffer, lines(11));
		const [mark] = pasted.lines;
		const buffer = insertText(pasted, `${mark}[Pasted 11 lines #1]`);
		expect(expand(buffer)).toBe(`${lines(11)}[Pasted 11 lines #1]`);
	});
});

describe('94,000 characters', {tags: ['cost']}, () => {
	const texts = {
		'of lines': 'a line of some words in it\n'.repeat(3482),
		'in one line': 'word '.repeat(18_800),
		'in one line of emoji': '👍🏽'.repeat(23_500),
	};

	/** Compares the cost for the text and for a hundredth of it. */
	const expectSameCost = (text: string, work: (buffer: EditorBuffer) => void) => {
		const [short, long] = [text.slice(0, text.length / 100), text].map((part) =>
			run('move-word-left', createBuffer(part)),
		);
		expectCost(() => work(long ?? emptyBuffer), 25 * costOf(() => work(short ?? emptyBuffer)));
	};

	test.each(Object.entries(texts))('%s: typing costs the same as in a short text', (_, text) => {
		expectSameCost(text, (start) => {
			let buffer = start;
			for (let count = 0; count < 50; count += 1) {
				buffer = insertText(buffer, 'x');
				buffer = run('move-left', buffer);
			}
		});
	});

	test('of lines: layout costs the same as of a short text', () => {
		expectSameCost(texts['of lines'], (buffer) => {
			for (let count = 0; count < 50; count += 1) layoutEditor(buffer, 80, 12);
		});
	});
});

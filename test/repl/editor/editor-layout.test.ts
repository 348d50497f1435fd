import {describe, expect, test} from 'vitest';
import {type EditorBuffer, emptyBuffer, moveTo} from '../../../src/repl/editor/buffer.ts';
import {createBuffer, insertPaste, insertText} from '../../../src/repl/editor/edit.ts';
import {type EditorLayout, layoutEditor} from '../../../src/repl/editor/editor-layout.ts';
import {moveRow} from '../../../src/repl/editor/motion.ts';

const textOf = ({rows}: EditorLayout) =>
	rows.map((pieces) => pieces.map(({text}) => text).join(''));

describe('rows', () => {
	test('long lines wrap, wide characters stay whole, tabs become spaces', () => {
		const layout = layoutEditor(createBuffer('abcdef\n日本語\n\tx'), 5, 10);
		expect(textOf(layout)).toEqual(['abcde', 'f', '日本', '語', '    x']);
	});

	test('break after spaces, which may go past the edge', () => {
		const layout = layoutEditor(createBuffer('wrap the words, my 한국어 산문'), 7, 10);
		expect(textOf(layout)).toEqual(['wrap ', 'the ', 'words, ', 'my ', '한국어 ', '산문']);
		const hanging = layoutEditor(createBuffer('abcdefg   '), 7, 10);
		expect(textOf(hanging)).toEqual(['abcdefg']);
		expect(hanging.cursor).toEqual({x: 7, y: 0});
	});

	test('a folded paste is a separate piece that wraps as a whole', () => {
		const pasted = insertPaste(createBuffer('see '), 'x\n'.repeat(240));
		const {rows} = layoutEditor(insertText(pasted, '!'), 22, 10);
		expect(rows).toEqual([
			[{text: 'see ', isLive: false}],
			[
				{text: '[Pasted 240 lines #1]', isLive: true},
				{text: '!', isLive: false},
			],
		]);
	});

	test('a folded paste wider than the screen is truncated', () => {
		const layout = layoutEditor(insertPaste(emptyBuffer, 'x\n'.repeat(240)), 8, 10);
		expect(textOf(layout)).toEqual(['[Pasted…']);
		expect(layout.cursor).toEqual({x: 8, y: 0});
	});
});

describe('scrolling', () => {
	const lines = Array.from({length: 20}, (_, index) => `line ${index}`);
	const buffer = createBuffer(lines.join('\n'));
	const viewAt = (line: number) => {
		const layout = layoutEditor(moveTo(buffer, {line, column: 0}), 20, 5);
		const {cursor, hasMoreAbove, hasMoreBelow} = layout;
		return {
			first: textOf(layout)[0],
			count: layout.rows.length,
			y: cursor.y,
			hasMoreAbove,
			hasMoreBelow,
		};
	};

	test.each([
		[0, 'line 0', 0, false, true],
		[3, 'line 1', 2, true, true],
		[19, 'line 15', 4, true, false],
	])('with the cursor in line %i', (line, first, y, hasMoreAbove, hasMoreBelow) => {
		expect(viewAt(line)).toEqual({first, count: 5, y, hasMoreAbove, hasMoreBelow});
	});
});

test('up and down keep their column over shorter rows, and end at the first and last', () => {
	const start = moveTo(createBuffer('日本語 abcdef\nx\n日本語'), {line: 2, column: 2});
	const up = (buffer: EditorBuffer) => moveRow(buffer, -1, 8) ?? buffer;
	const [second, first, top] = [up(start), up(up(start)), up(up(up(start)))];
	const places = [second, first, top].map(({cursor}) => [cursor.line, cursor.column]);
	expect(places).toEqual([
		[1, 1],
		[0, 8],
		[0, 2],
	]);
	expect(moveRow(top, -1, 8)).toBeUndefined();
	expect(moveRow(second, 1, 8)?.cursor).toEqual({line: 2, column: 2});
	expect(moveRow(start, 1, 8)).toBeUndefined();
});

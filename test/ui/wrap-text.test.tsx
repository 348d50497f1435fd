import {describe, expect, test} from 'vitest';
import {fitLine, wrapText} from '../../src/ui/ink/wrap-text.ts';

describe('wrapped text', () => {
	test.each([
		['one two three', 7, ['one two', 'three']],
		['one two three', 6, ['one', 'two', 'three']],
		['an unbreakable', 6, ['an', 'unbrea', 'kable']],
		['    indented text', 12, ['    indented', 'text']],
		['one\n\n two', 9, ['one', '', ' two']],
		['a\tb', 9, ['a    b']],
		['日本語です', 5, ['日本', '語で', 'す']],
	])('%j in %i cells', (source, width, rows) => {
		expect(wrapText(source, width)).toEqual(rows);
	});
});

test.each([
	['one\ntwo\tthree', 40, 'one two three'],
	['one two', 5, 'one …'],
	['日本語', 4, '日…'],
	['', 4, ''],
	['x', 0, 'x'],
])('the line %j in %i cells is %j', (source, width, row) => {
	expect(fitLine(source, width)).toBe(row);
});

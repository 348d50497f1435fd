/** Plain text as rows: broken at spaces, the same however it came, at a cost that has a limit. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {textWidth} from '../../src/terminal/width.ts';
import {fitLine, wrapText} from '../../src/ui/ink/wrap-text.ts';
import {hostileTexts, ordinaryTexts} from '../fixtures/hostile-texts.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

const text = fc.oneof(
	fc.constantFrom(...[...hostileTexts, ...ordinaryTexts].map((sample) => sample.text)),
	fc.string({unit: 'grapheme', maxLength: 40}),
	fc.constantFrom(
		'word ',
		' ',
		'  ',
		'\n',
		'\n\n',
		'\t',
		'日本',
		'é',
		'👩‍👩‍👧',
		'unbreakable'.repeat(9),
	),
);

const texts = fc.array(text, {maxLength: 12});

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

	fuzzProperty(
		'is never wider than it may be, and loses nothing but spaces',
		50,
		fc.property(texts, fc.integer({min: 8, max: 60}), (parts, width) => {
			const source = parts.join('');
			const rows = wrapText(source, width);
			for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
			const withoutSpaces = (value: string) => value.replace(/[\s]/g, '');
			expect(withoutSpaces(rows.join(''))).toBe(withoutSpaces(wrapText(source, 10_000).join('')));
		}),
	);

	test.each([
		['plain words', 'word '],
		['accents', 'é a'],
		['wide characters', '日本'],
		['no spaces', 'x'],
	])('takes linear time for a line of %s', {tags: ['cost']}, (_, piece) => {
		expectLinearCost((size) => wrapText(piece.repeat(size / piece.length), 40), 20_000);
	});
});

describe('a line that is fitted', () => {
	test.each([
		['one\ntwo\tthree', 40, 'one two three'],
		['one two', 5, 'one …'],
		['日本語', 4, '日…'],
		['', 4, ''],
		['x', 0, 'x'],
	])('%j in %i cells is %j', (source, width, row) => {
		expect(fitLine(source, width)).toBe(row);
	});
});

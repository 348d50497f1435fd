/** Plain text as rows: broken at spaces, the same however it came, at a cost that has a limit. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {textWidth} from '../../src/terminal/width.ts';
import {createTailBuffer} from '../../src/ui/ink/tail-buffer.ts';
import {fitLine, wrapText} from '../../src/ui/ink/wrap-text.ts';
import {hostileTexts, ordinaryTexts} from '../fixtures/hostile-texts.ts';
import {costOf, expectCost, expectLinearCost} from '../helpers/cost.ts';
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
		['', 5, ['']],
		['one two three', 20, ['one two three']],
		['one two three', 7, ['one two', 'three']],
		['one two three', 6, ['one', 'two', 'three']],
		['unbreakable', 4, ['unbr', 'eaka', 'ble']],
		['an unbreakable', 6, ['an', 'unbrea', 'kable']],
		['one   two', 4, ['one', 'two']],
		['    indented text', 12, ['    indented', 'text']],
		['one\n\n two', 9, ['one', '', ' two']],
		['a\tb', 9, ['a    b']],
		['日本語です', 5, ['日本', '語で', 'す']],
		['ok 日本語', 5, ['ok 日', '本語']],
		['👩‍👩‍👧👩‍👩‍👧', 3, ['👩‍👩‍👧', '👩‍👩‍👧']],
		['日', 1, ['日']],
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
	])('takes linear time for a line of %s', (_, piece) => {
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

describe('the tail of a growing text', () => {
	fuzzProperty(
		'is the same for all cuts and all readings',
		50,
		fc.property(
			fc.array(fc.tuple(text, fc.boolean()), {maxLength: 20}),
			fc.integer({min: 2, max: 60}),
			fc.integer({min: 1, max: 12}),
			(parts, width, maxRows) => {
				const piecewise = createTailBuffer();
				for (const [part, isLookedAt] of parts) {
					piecewise.push(part);
					if (isLookedAt) piecewise.rows(width, maxRows);
				}
				const whole = createTailBuffer();
				whole.push(parts.map(([part]) => part).join(''));
				expect(piecewise.rows(width, maxRows)).toEqual(whole.rows(width, maxRows));
			},
		),
	);

	test('is that of the wrapped text', () => {
		const source = `${'Some words of reasoning, 日本語.\n'.repeat(30)}and the end`;
		const tail = createTailBuffer();
		tail.push(source);
		expect(tail.rows(20, 12)).toEqual(wrapText(source, 20).slice(-12));
		expect(tail.rows(50, 12)).toEqual(wrapText(source, 50).slice(-12));
		expect(tail.rows(20, 12)).toEqual(wrapText(source, 20).slice(-12));
	});

	test('of nothing, or of line ends, has no rows', () => {
		const tail = createTailBuffer();
		expect(tail.rows(20, 5)).toEqual([]);
		tail.push('\n\n');
		expect(tail.rows(20, 5)).toEqual([]);
		tail.push('a\n \n\n');
		expect(tail.rows(20, 5)).toEqual(['a']);
		expect(tail.rows(20, 1)).toEqual(['a']);
		expect(tail.rows(20, 0)).toEqual([]);
	});

	test('has no empty row at its edges, and keeps its height', () => {
		const tail = createTailBuffer();
		tail.push('\none\n\n\ntwo\nthree\n\n');
		expect(tail.rows(20, 9)).toEqual(['one', '', '', 'two', 'three']);
		expect(tail.rows(20, 3)).toEqual(['one', 'two', 'three']);
		expect(tail.rows(20, 2)).toEqual(['two', 'three']);
	});

	test('never moves a row that is full', () => {
		const tail = createTailBuffer();
		let source = '';
		for (let index = 0; index < 300; index += 1) {
			const piece = `${'word'.repeat(index % 4)}日${index % 3 === 0 ? ' ' : ''}`;
			source += piece;
			tail.push(piece);
			expect(tail.rows(30, 6)).toEqual(wrapText(source, 30).slice(-6));
		}
	});

	test.each([
		['lines', 'Some words 日本\n'],
		['one line', 'Some words 日本 '],
	])('is right where its beginning was long forgotten: %s', (_, piece) => {
		const tail = createTailBuffer();
		let source = '';
		for (let index = 0; index < 6000; index += 1) {
			source += `${index} ${piece}`;
			tail.push(`${index} ${piece}`);
			if (index % 10 === 0) tail.rows(30, 6);
		}
		expect(tail.rows(30, 6)).toEqual(wrapText(source.trimEnd(), 30).slice(-6));
	});

	test('costs the same at the end of a long line as at its beginning', () => {
		const piece = 'é word 日本 ';
		const grow = (length: number) => {
			const tail = createTailBuffer();
			tail.push(piece.repeat(length / piece.length));
			for (let index = 0; index < 500; index += 1) {
				tail.push(piece);
				tail.rows(50, 12);
			}
		};
		// As much as it keeps, and thirty times as much.
		expectCost(() => grow(990_000), 8 * costOf(() => grow(33_000)));
	});
});

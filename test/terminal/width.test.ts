import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {
	boundaryFrom,
	graphemes,
	nextBoundary,
	previousBoundary,
	textWidth,
	truncateToWidth,
} from '../../src/terminal/width.ts';
import {wrapCells, wrapWords} from '../../src/terminal/wrap-line.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {fuzz, fuzzProperty} from '../helpers/fuzz.ts';

const segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});
const segment = (text: string) => [...segmenter.segment(text)].map((part) => part.segment);

// Every class of character that the rules of grapheme boundaries speak of.
const nasty = fc
	.array(
		fc.constantFrom(
			...['a', 'Z', ' ', '\t', '\r', '\n', '\u0301', '\u200d', '\u200c', '\ufe0f', '\u00ad', 'é'],
			...['日', 'が', '\u3099', 'ｶ', '\uff9e', 'ไ', 'ำ', 'क', '\u094d', 'त', '\u093f', '\u0600'],
			...['👍', '🏽', '👩', '👩‍👩‍👧', '🇩', '🇪', '🇩🇪', '❤️', '1️⃣', '\u{e0067}', '\u{1f3f4}', '©'],
			...['\u1100', '\u1161', '\u11a8', '가', '각', '\ud800', '\udc00', '\u0e33'],
			...['ß', '؛', 'א', 'م'],
		),
		{maxLength: 30},
	)
	.map((parts) => parts.join(''));

describe('graphemes', () => {
	fuzzProperty(
		'are what Unicode says, for any characters',
		200,
		fc.property(nasty, (text) => {
			expect(graphemes(text)).toEqual(segment(text));
		}),
	);

	test.each(['क्🏽क', 'क्\u{e0061}क'])('finds no boundary inside %j', (text) => {
		for (let index = 1; index <= text.length; index += 1) {
			expect(boundaryFrom(text, index)).toBe(text.length);
		}
	});

	fuzzProperty(
		'boundaries are found from every index, forwards and backwards',
		200,
		fc.property(nasty, (text) => {
			const boundaries = [0];
			for (const part of segment(text)) boundaries.push((boundaries.at(-1) ?? 0) + part.length);
			for (let index = 1; index <= text.length; index += 1) {
				expect(boundaryFrom(text, index)).toBe(boundaries.find((boundary) => boundary >= index));
				expect(previousBoundary(text, index)).toBe(
					boundaries.findLast((boundary) => boundary < index),
				);
			}
			for (const [index, boundary] of boundaries.entries()) {
				expect(nextBoundary(text, boundary)).toBe(boundaries[index + 1] ?? text.length);
			}
		}),
	);
});

/** Chinese characters and Korean syllables, all as wide as each other. */
const isIdeograph = (code: number) =>
	(code >= 0x3400 && code < 0x9f00) || (code >= 0xac00 && code < 0xd700);

describe('widths', () => {
	fuzz('are those of string-width, for every character of the tables', (seed) => {
		const wrong: string[] = [];
		// Four rounds look at every character.
		for (let code = 0xa0 + (seed % 4); code <= 0xffff; code += isIdeograph(code) ? 61 : 4) {
			if (code >= 0xd800 && code <= 0xdfff) continue;
			const character = String.fromCharCode(code);
			if (textWidth(character) !== stringWidth(character)) wrong.push(code.toString(16));
		}
		expect(wrong).toEqual([]);
	});

	test.each([
		['👩‍👩‍👧', 2],
		['🇩🇪!', 3],
		['\t', 4],
	])('%j takes %i cells', (text, width) => {
		expect(textWidth(text)).toBe(width);
	});

	test.each([
		['日本語', 5, '日本…'],
		['plain', 0, ''],
		['👩‍👩‍👧x👩‍👩‍👧', 4, '👩‍👩‍👧x…'],
	])('%j cut to %i cells is %j', (text, width, cut) => {
		expect(truncateToWidth(text, width)).toBe(cut);
	});
});

describe.each([
	['words', wrapWords],
	['cells', wrapCells],
])('wrapping %s', (name, wrap) => {
	const rowsOf = (text: string, width: number) =>
		wrap(text, width).map(({start, end}) => text.slice(start, end));

	test.each<[string, number, string[]]>([
		['', 5, ['']],
		['日本語', 5, ['日本', '語']],
		['a日b', 1, ['a', '日', 'b']],
		['\u0600a', 1, ['\u0600a']],
	])('%j at %i is %j', (text, width, rows) => {
		expect(rowsOf(text, width)).toEqual(rows);
	});

	test.each<[string, number, {words: string[]; cells: string[]}]>([
		['one two', 5, {words: ['one ', 'two'], cells: ['one t', 'wo']}],
		['ab  cd', 2, {words: ['ab  ', 'cd'], cells: ['ab', '  ', 'cd']}],
		['日本。', 4, {words: ['日', '本。'], cells: ['日本', '。']}],
		['안녕 세계', 7, {words: ['안녕 ', '세계'], cells: ['안녕 세', '계']}],
	])('%j at %i breaks by its own rules', (text, width, rows) => {
		expect(rowsOf(text, width)).toEqual(rows[name as 'words' | 'cells']);
	});

	fuzzProperty(
		'keeps all of the text, never parts a grapheme and never exceeds the width',
		200,
		fc.property(nasty, fc.integer({min: 1, max: 12}), (text, width) => {
			const rows = rowsOf(text, width);
			expect(rows.join('')).toBe(text);
			expect(rows.flatMap(graphemes)).toEqual(graphemes(text));
			for (const row of rows) {
				const shown = name === 'words' ? row.trimEnd() : row;
				if (name === 'words' && shown.includes('\t')) continue;
				// Without its tab a text may join other graphemes, so each is measured alone.
				const widths = graphemes(shown).map((grapheme) =>
					grapheme === '\t' ? 0 : textWidth(grapheme),
				);
				if (widths.filter((cells) => cells > 0).length < 2) continue;
				expect(widths.reduce((sum, cells) => sum + cells, 0)).toBeLessThanOrEqual(width);
			}
		}),
	);

	fuzzProperty(
		'leaves all rows but the last as they are when the line grows',
		200,
		fc.property(nasty, nasty, fc.integer({min: 1, max: 12}), (text, more, width) => {
			// A grapheme that grows may get wider.
			fc.pre(graphemes(text + more).length === graphemes(text).length + graphemes(more).length);
			const full = rowsOf(text, width).slice(0, -1);
			expect(rowsOf(text + more, width).slice(0, full.length)).toEqual(full);
		}),
	);

	test.each([
		['word ', 4_000],
		// These are slow enough to measure with fewer.
		['é\u0301', 1_000],
		['👩‍👩‍👧', 1_000],
	] as const)('takes linear time for %s', {tags: ['cost']}, (unit, smallSize) => {
		expectLinearCost((size) => wrap(unit.repeat(size / unit.length), 80), smallSize);
	});
});

import {expect, test} from 'vitest';
import {createPhraseFinder, createPhraseSet} from '../../src/quotes/find-phrases.ts';
import {normalize} from '../../src/quotes/normalize.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {fuzz} from '../helpers/fuzz.ts';
import {createSeededRandom} from '../helpers/seeded-random.ts';

function findLines(text: string, phrase: string, pieceLength: number) {
	const lines: number[] = [];
	const finder = createPhraseFinder(
		createPhraseSet([phrase]),
		() => true,
		({line}) => lines.push(line),
	);
	for (let start = 0; start < text.length; start += pieceLength) {
		finder.push(text.slice(start, start + pieceLength));
	}
	finder.end();
	return lines;
}

/** Counts phrases whose first and last words are whole. */
function countIn(normal: string, phrase: string): number {
	const word = String.raw`[\p{L}\p{M}\p{Cs}\p{N}]`;
	const isIdeographic = /[\p{scx=Han}\p{scx=Kana}]/u;
	const isWord = (unit = '') => new RegExp(word, 'u').test(unit) && !isIdeographic.test(unit);
	const isCut = (outside: string | undefined, inside: string | undefined, beyond = '') => {
		if (isWord(outside) && isWord(inside)) return true;
		return /[0-9]/.test(inside ?? '') && /[.,:-]/.test(outside ?? '') && /[0-9]/.test(beyond);
	};
	let count = 0;
	for (let at = normal.indexOf(phrase); at !== -1; at = normal.indexOf(phrase, at + 1)) {
		const end = at + phrase.length;
		const cutsFirst = isCut(normal[at - 1], normal[at], normal[at - 2]);
		if (!cutsFirst && !isCut(normal[end], normal[end - 1], normal[end + 1])) count++;
	}
	return count;
}

fuzz('a phrase is found where the normal form of a text has it, however it is written', (seed) => {
	const draw = createSeededRandom(seed);
	const units = [...'aAbB  éÉя1/=.,;:)%(#>-—’\'"«»*|\t\n\u00ad你好カ'];
	let found = 0;
	for (let round = 0; round < 60; round++) {
		const text = Array.from({length: 200}, () => units[draw(0, units.length - 1)]).join('');
		const normal = normalize(text);
		const start = draw(0, normal.length - 30);
		const phrase = normal.slice(start, start + draw(12, 30)).trim();
		if (phrase.replace(/[-\s'#>]/g, '').length < 4) continue;
		const expected = countIn(normal, phrase);
		const where = JSON.stringify({text, phrase});
		expect(findLines(text, phrase, draw(1, 300)), where).toHaveLength(expected);
		found += expected;
	}
	expect(found).toBeGreaterThan(0);
});

test('a phrase may be spread over a wide table, and begins in the line of its first word', () => {
	const row = `${'| '.repeat(5000)}\n`;
	const text = `${row}one two${row}${row}three`;
	expect(findLines(text, 'one two three', 1000)).toEqual([2]);
	expect(findLines(text.repeat(20), 'one two three', 70_000)).toHaveLength(20);
});

test('opening brackets take no blank after them, nor closing marks before', () => {
	expect(normalize('Done ( or so ) : yes , A B')).toBe('done (or so): yes, a b');
});

test('words that repeat cost no more than their number', {tags: ['cost']}, () => {
	expectLinearCost((size) => {
		expect(findLines('ab '.repeat(size), `x${' ab'.repeat(size / 4)}`, 1000)).toEqual([]);
	}, 2000);
});

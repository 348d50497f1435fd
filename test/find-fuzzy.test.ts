import {describe, expect, test} from 'vitest';
import {findFuzzy} from '../src/find-fuzzy.ts';
import {expectLinearCost} from './helpers/cost.ts';

function find(query: string, ...texts: readonly string[]): readonly string[] {
	return findFuzzy(query, texts, (text) => text).map(({item}) => item);
}

/** Returns the first match, its matched letters in brackets. */
function mark(query: string, ...texts: readonly string[]): string {
	const [best] = findFuzzy(query, texts, (text) => text);
	const places = new Set(best?.places);
	return (best?.item ?? '').replace(/./gs, (letter, place) =>
		places.has(place) ? `[${letter}]` : letter,
	);
}

describe('finds', () => {
	test('letters in their order only', () => {
		expect(find('mdl', '/model', '/medal', '/help')).toEqual(['/model', '/medal']);
		expect(find('lm', '/model')).toEqual([]);
	});

	test('everything for an empty query, in its order', () => {
		expect(find('', 'b', 'a', 'c')).toEqual(['b', 'a', 'c']);
	});

	test('texts whatever their case and their accents', () => {
		expect(mark('RESU', 'my résumé.pdf')).toBe('my [r][é][s][u]mé.pdf');
		expect(mark('resume', 're\u0301sume\u0301.pdf')).toBe('[r][e]\u0301[s][u][m][e]\u0301.pdf');
		expect(mark('Éa', 'camera')).toBe('cam[e]r[a]');
	});

	test('words in any order, and a text that has them in this order first', () => {
		const models = ['claude-instant', 'claude-3-opus', 'a claude 3'];
		expect(find('3 claude', ...models)).toEqual(['a claude 3', 'claude-3-opus']);
		expect(find('claude 3', ...models)).toEqual(['a claude 3', 'claude-3-opus']);
		expect(mark('opus claude', ...models)).toBe('[c][l][a][u][d][e]-3-[o][p][u][s]');
		expect(find('  ', ...models)).toEqual(models);
	});
});

describe('puts first', () => {
	test.each([
		['the text as it is typed', 'set', 'system-set', 's-e-t'],
		['the start of a text', 're', 'retry', 'tree'],
		['the name of a file before its folder', 'popup', 'src/repl/popup.ts', 'popup/src/repl.ts'],
		['the starts of words', 'rk', 'reduce-keys.ts', 'arakis.ts'],
		['humps', 'gB', 'getBody', 'gab.ts'],
		['letters in a run', 'chnk', 'achunk', 'acxhunxk'],
		['the shorter one of two that match alike', 'popup', 'popup.ts', 'popup.test.ts'],
	])('%s', (_, query, first, second) => {
		expect(find(query, second, first)).toEqual([first, second]);
	});
});

test('a long text is searched for the query as a whole', () => {
	const long = `${'ab'.repeat(5000)} needle`;
	expect(find('needle', long)).toEqual([long]);
	expect(find('ndl', long)).toEqual([]);
});

test('a search costs no more than the number of texts', {tags: ['cost']}, () => {
	const search = (count: number) => {
		const paths = Array.from({length: count}, (_, index) => `${index}/${'a'.repeat(200)}.ts`);
		findFuzzy('aaaaaaaaab', paths, (text) => text);
	};
	expectLinearCost(search, 50);
});

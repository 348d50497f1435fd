import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createThinkTagSplitter} from '../../src/protocol/decode/think-tags.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

/** Splits these pieces of text, one after another. */
function split(pieces: readonly string[]) {
	const splitter = createThinkTagSplitter();
	let reasoning = '';
	let text = '';
	const take = (part: {reasoning: string; text: string}) => {
		reasoning += part.reasoning;
		text += part.text;
	};
	for (const piece of pieces) take(splitter.push(piece));
	take(splitter.end());
	return {reasoning, text};
}

const rows: ReadonlyArray<readonly [given: string, reasoning: string, text: string]> = [
	['Hello', '', 'Hello'],
	['<think>hm</think>\n\n Hello\n', 'hm', 'Hello\n'],
	[' \n<think>hm</think>Hello', 'hm', 'Hello'],
	['<think>hm</thin', 'hm</thin', ''],
	['  ', '', '  '],
	['<THINK>no</THINK>', '', '<THINK>no</THINK>'],
	['<think>a<think>b</think>c</think>', 'a<think>b', 'c</think>'],
	['<<think>a</think>', '', '<<think>a</think>'],
];

describe('leading think tags', () => {
	it.each(rows)('split %j into %j and %j, in any pieces', (given, reasoning, text) => {
		expect(split([given])).toEqual({reasoning, text});
		expect(split([...given])).toEqual({reasoning, text});
	});

	const words = fc.constantFrom('<think>', '</think>', '<', '</', 'think>', ' ', '\n', 'a', '😀');
	fuzzProperty(
		'come out the same for any text and any cuts',
		100,
		fc.property(fc.array(words, {maxLength: 12}), fc.array(fc.nat(40)), (parts, cuts) => {
			const given = parts.join('');
			const places = [...new Set(cuts.map((cut) => Math.min(cut, given.length)))].sort(
				(a, b) => a - b,
			);
			const pieces = [0, ...places].map((from, i) => given.slice(from, places[i]));
			expect(split(pieces)).toEqual(split([given]));
		}),
	);

	it('pass reasoning on at once, except a possible closing tag', () => {
		const splitter = createThinkTagSplitter();
		expect(splitter.push('<think>let me see')).toEqual({reasoning: 'let me see', text: ''});
		expect(splitter.push(' if </th')).toEqual({reasoning: ' if ', text: ''});
		expect(splitter.push('is')).toEqual({reasoning: '</this', text: ''});
	});

	it.each([
		['reasoning in small pieces', '<think>', 'word </'],
		['many blanks', '', ' '],
	])('take linear time for %s, and keep it', {tags: ['cost']}, (_, start, piece) => {
		expectLinearCost((size) => {
			const {reasoning, text} = split([start, ...Array.from({length: size}, () => piece)]);
			expect(reasoning + text).toHaveLength(size * piece.length);
		}, 5_000);
	});
});

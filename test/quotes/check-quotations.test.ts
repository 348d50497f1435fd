import {describe, expect, test} from 'vitest';
import {type CheckedQuotation, passes} from '../../src/chat/checked-quotation.ts';
import {checkQuotations, type GivenText} from '../../src/quotes/check-quotations.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {fuzz} from '../helpers/fuzz.ts';
import {createSeededRandom, type DrawInteger} from '../helpers/seeded-random.ts';
import {forge, type Language, languages, rewrite, wrapText, writeSentences} from './corpus.ts';

const given = (name: string, text: string, isFile = true): GivenText => ({
	name,
	isFile,
	read: () => [text],
});

async function check(quoted: string, texts: readonly GivenText[], named?: string) {
	const [checked] = await checkQuotations([{text: quoted, named}], texts);
	return checked;
}

const contract = `# Contract

1. The supplier is liable for all dam-
ages of more than €5,000 — but not for loss of profit.
2. The customer shall not reverse engineer the “software”.
3. Either party may end this contract with 30 days’ notice.

| Fee | 12.5 % |
`;

describe('a quotation', () => {
	test.each([
		['verbatim', 3, 'The supplier is liable for all damages'],
		['verbatim', 3, 'the  supplier is **liable** for all\nDAMAGES,'],
		['verbatim', 5, "shall not reverse engineer the 'software'"],
		['verbatim', 4, 'ages of more than €5,000 - but not for loss'.slice(5)],
		['verbatim', 6, "Either party may end … with 30 days' notice"],
		['verbatim', 6, '[E]ither party may [...] this contract with 30 days’ notice…'],
		['stitched', undefined, 'The supplier is liable for this contract with 30 days’ notice'],
		['changed', undefined, 'The supplier is liable for all damages of more than €6,000'],
		['changed', undefined, 'The customer shall reverse engineer the “software”. 3. Either party'],
		['stitched', undefined, 'with 30 days’ notice … Either party may end this contract'],
		['absent', undefined, 'The customer owns all rights'],
		['absent', undefined, 'customer shall … pay'],
		// Words and numbers are whole.
		['absent', undefined, 'able for all damages'],
		['absent', undefined, 'of more than €5'],
	])('is %s in line %s: %s', async (found, line, quoted) => {
		expect(await check(quoted, [given('contract.md', contract)])).toMatchObject({
			found,
			places: line === undefined ? [] : [{name: 'contract.md', line}],
		});
	});

	test('is elsewhere if another file has it than the named one, or only the prompt', async () => {
		const texts = [
			given('prompt', 'Is it a well-known fact?', false),
			given('a.txt', 'It is a well-\nknown fact.'),
			given('b.txt', 'Nothing.\nA wellknown fact'),
		];
		const checked = (named?: string) => check('a well-known fact', texts, named);
		expect(await checked('b.txt')).toMatchObject({
			found: 'verbatim',
			places: [{name: 'b.txt', line: 2}, {name: 'prompt'}, {name: 'a.txt', line: 1}],
		});
		expect(await checked('c.txt')).toMatchObject({found: 'elsewhere'});
		expect(await check('a well-known fact?', texts.slice(0, 1))).toMatchObject({
			found: 'elsewhere',
			places: [{name: 'prompt', line: 1}],
		});
	});

	test('is found wherever a long text is cut', async () => {
		const text = `${'lorem ipsum '.repeat(9000)}\nthe very last words of it`;
		for (const size of [1, 7, 8191, 8192, 40_000]) {
			const parts = Array.from({length: Math.ceil(text.length / size)}, (_, index) =>
				text.slice(index * size, (index + 1) * size),
			);
			const long = {name: 'long', isFile: true, read: () => parts};
			expect(await check('ipsum the very last words', [long])).toMatchObject({
				found: 'verbatim',
				places: [{name: 'long', line: 1}],
			});
		}
	});
});

test.each(['word ', ','])(
	'a quotation costs no more than its length: %j',
	{tags: ['cost']},
	(unit) => {
		const prepare = (size: number) =>
			void checkQuotations([{text: `a${unit.repeat(size)}b`, named: undefined}], []);
		expectLinearCost(prepare, 5000);
	},
);

/** Draws quotations of a text in each language, and checks them; returns those that fit `isWrong`. */
async function checkDrawn(
	seed: number,
	quote: (phrases: readonly string[], language: Language, draw: DrawInteger) => string,
	isWrong: (quotation: CheckedQuotation) => boolean,
) {
	const wrong: string[] = [];
	for (const language of languages) {
		const draw = createSeededRandom(seed);
		const sentences = writeSentences(language, draw);
		const plain = sentences.map((phrases) => phrases.join(language.blank));
		const whole = plain.join(language.blank);
		const quotations = Array.from({length: 150}, () => {
			const phrases = sentences[draw(0, sentences.length - 1)] ?? [];
			return {text: quote(phrases, language, draw), named: undefined};
		}).filter(({text}) => quote === rewrite || !whole.includes(text));
		expect(quotations.length).toBeGreaterThan(100);
		const checked = await checkQuotations(quotations, [
			given('text', wrapText(plain, language, draw)),
		]);
		wrong.push(...checked.filter(isWrong).map(({text}) => text));
	}
	return wrong;
}

fuzz('hardly any true quotation is refused, however it is written', async (seed) => {
	const refused = await checkDrawn(seed, rewrite, (quotation) => !passes(quotation));
	expect(refused.length, refused.slice(0, 3).join('\n')).toBeLessThanOrEqual(8);
});

fuzz('no forged quotation passes', async (seed) => {
	expect(await checkDrawn(seed, forge, passes)).toEqual([]);
});

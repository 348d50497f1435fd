import {assert, property, string} from 'fast-check';
import {expect, test} from 'vitest';
import {countTokens, splitTokens, takeTokens} from '../../src/server/reply/tokens.ts';

test('tokens joined are the text, and counted they are as many', {tags: ['cost']}, () =>
	assert(
		property(string({unit: 'binary', maxLength: 60}), (text) => {
			const tokens = [...splitTokens(text)];
			expect(tokens.join('')).toBe(text);
			expect(countTokens(text)).toBe(tokens.length);
			for (const token of tokens) expect(() => encodeURIComponent(token)).not.toThrow();
			expect(takeTokens(text, 2)).toBe(tokens.slice(0, 2).join(''));
		}),
	),
);

test('a word takes its space along, long words are cut in eights, characters stay whole', () => {
	expect([...splitTokens('👩‍👩‍👧‍👦🇨🇦🇩🇪👍🏽e\u0301日\r\nx')]).toEqual([
		'👩‍👩‍👧‍👦',
		'🇨🇦',
		'🇩🇪',
		'👍🏽',
		'e\u0301',
		'日',
		'\r\n',
		'x',
	]);
	expect([...splitTokens('a quick internationalisation,  ok')]).toEqual([
		'a',
		' quick',
		' internat',
		'ionalisa',
		'tion',
		',',
		' ',
		' ok',
	]);
});

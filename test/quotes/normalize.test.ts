import {expect, test} from 'vitest';
import {createNormalizer} from '../../src/quotes/normalize.ts';
import {createSeededRandom} from '../helpers/seeded-random.ts';

function normalizeParts(texts: Iterable<string>): string {
	const normalizer = createNormalizer();
	return Array.from(texts, (text) => {
		const {codes, length} = normalizer.push(text);
		return String.fromCharCode(...codes.subarray(0, length));
	}).join('');
}

test('a text has one normal form, whole or unit by unit', () => {
	const draw = createSeededRandom(20);
	const units = [...'aAbB  éÉя1/=.,;:)%(#>-—’\'"«»*|\t\n\u00ad你好カ'];
	for (let round = 0; round < 60; round++) {
		const text = Array.from({length: 200}, () => units[draw(0, units.length - 1)]).join('');
		expect(normalizeParts([text]), JSON.stringify(text)).toBe(normalizeParts(text));
	}
});

test('opening brackets take no blank after them, nor closing marks before', () => {
	expect(normalizeParts(['Done ( or so ) : yes , A B'])).toBe('done (or so): yes, a b');
});

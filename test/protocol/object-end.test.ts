import {expect, test} from 'vitest';
import {createObjectEnd} from '../../src/protocol/decode/object-end.ts';

function isReached(pieces: Iterable<string>): boolean {
	const end = createObjectEnd();
	let text = '';
	for (const piece of pieces) {
		end.push(piece);
		text += piece;
	}
	return end.isReached(text);
}

test.each([
	['{}', true],
	['{"a":[{"b":"}"}],"c":"\\"}"} \n', true],
	['', false],
	['{', false],
	['{"a":"}', false],
	['{}{}', false],
	['{},', false],
	['{a}', false],
	['[1]', false],
	['"}"', false],
	['}{', false],
])('%j is one whole JSON object: %s', (text, expected) => {
	expect(isReached([text])).toBe(expected);
	expect(isReached(text)).toBe(expected);
});

test('a text that goes on after an object is not an object', () => {
	const end = createObjectEnd();
	end.push('{}');
	expect(end.isReached('{}')).toBe(true);
	end.push(',');
	expect(end.isReached('{},')).toBe(false);
});

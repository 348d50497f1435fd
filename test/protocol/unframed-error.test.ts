import {describe, expect, it, test} from 'vitest';
import {createUnframedErrors} from '../../src/protocol/decode/unframed-error.ts';

function find(pieces: Iterable<string>) {
	const lines = createUnframedErrors('[DONE]');
	for (const piece of pieces) lines.push(piece);
	return lines.end().error;
}

const rows: ReadonlyArray<readonly [name: string, text: string, found: unknown]> = [
	['a raw object', 'data: {"a":1}\n\n{"error":"x"}', {error: 'x'}],
	['an error field', 'error: {"code":400}\n\ndata: [DONE]\n\n', {code: 400}],
	['an error field without a space', 'error:{"code":400}\n\n', {code: 400}],
	['CRLF around it', 'data: a\r\n\r\n{"error":"x"}\r\n', {error: 'x'}],
	['the last of two', '{"a":1}\n{"b":2}\n', {b: 2}],
	['blanks after it', '{"a":1} \t\n', {a: 1}],
	['none in data', 'data: {"error":"x"}\n\n', undefined],
	['none in a comment', ': {"error":"x"}\n\n', undefined],
	['none that is cut', '{"error":"x"', undefined],
	['none that is an array', '[{"error":"x"}]\n', undefined],
	['braces without valid JSON', '{error}\n', undefined],
	['none behind the end mark', 'data: a\n\ndata: [DONE]\n\n{"error":"x"}\n', undefined],
	['the one before the end mark', '{"a":1}\n\ndata:[DONE] \n\n{"b":1}\n', {a: 1}],
	['nothing', '', undefined],
];

describe('an error outside the events', () => {
	it.each(rows)('%s is found, in any pieces', (_, text, found) => {
		expect(find([text])).toEqual(found);
		expect(find(text)).toEqual(found);
	});

	it('is found at any distance from the end, in any pieces', () => {
		const text = `{"error":"x"}\n${'data: {"a":1}\n\n'.repeat(20_000)}`;
		for (const pieces of [[text], text, text.match(/[\s\S]{1,1000}/g) ?? []]) {
			expect(find(pieces)).toEqual({error: 'x'});
		}
	});

	it('is not a line of over 64 KiB, and not the rest of a long event', () => {
		const long = `{"error":"${'x'.repeat(64 * 1024)}"}`;
		for (const text of [long, `data: ${long}\n`, `data: ${'x'.repeat(64 * 1024)}{"error":"x"}`]) {
			expect(find([text])).toBeUndefined();
			expect(find(text)).toBeUndefined();
		}
	});
});

test.each([
	['', false],
	['data: a\n\n', false],
	['data: a\r', false],
	['data: a\n  ', false],
	['data: a', true],
	['data: a\n\nda', true],
])('the last line of %j is open: %s', (text, isOpen) => {
	for (const pieces of [[text], text]) {
		const lines = createUnframedErrors('[DONE]');
		for (const piece of pieces) lines.push(piece);
		expect(lines.end().isOpen).toBe(isOpen);
	}
});

import {describe, expect, it} from 'vitest';
import {createStreamTail} from '../../src/protocol/stray-error.ts';

function find(pieces: Iterable<string>) {
	const tail = createStreamTail();
	for (const piece of pieces) tail.push(piece);
	return tail.findError();
}

const rows: ReadonlyArray<readonly [name: string, text: string, found: unknown]> = [
	['a raw object', 'data: {"a":1}\n\n{"error":"x"}', {error: 'x'}],
	['an error field', 'error: {"code":400}\n\ndata: [DONE]\n\n', {code: 400}],
	['an error field without a space', 'error:{"code":400}\n\n', {code: 400}],
	['CRLF around it', 'data: a\r\n\r\n{"error":"x"}\r\n', {error: 'x'}],
	['the last of two', '{"a":1}\n{"b":2}\n', {b: 2}],
	['blanks behind it', '{"a":1} \t\n', {a: 1}],
	['none in data', 'data: {"error":"x"}\n\n', undefined],
	['none in a comment', ': {"error":"x"}\n\n', undefined],
	['none that is cut', '{"error":"x"', undefined],
	['none that is an array', '[{"error":"x"}]\n', undefined],
	['none that is no JSON', '{error}\n', undefined],
	['none behind the end mark', 'data: a\n\ndata: [DONE]\n\n{"error":"x"}\n', undefined],
	['the one before the end mark', '{"a":1}\n\ndata:[DONE] \n\n{"b":1}\n', {a: 1}],
	['nothing', '', undefined],
];

describe('an error outside the events', () => {
	it.each(rows)('%s is found, however the stream is cut', (_, text, found) => {
		expect(find([text])).toEqual(found);
		expect(find(text)).toEqual(found);
	});

	it('is found at the end of a long stream, however it is cut', () => {
		const text = `${'data: {"a":1}\n\n'.repeat(20_000)}{"error":"x"}\n`;
		expect(find([text])).toEqual({error: 'x'});
		expect(find(text)).toEqual({error: 'x'});
		expect(find(text.match(/[\s\S]{1,1000}/g) ?? [])).toEqual({error: 'x'});
	});

	it('is not found far from the end', () => {
		const far = `{"error":"x"}\n${'data: {"a":1}\n\n'.repeat(20_000)}`;
		expect(find([far])).toBeUndefined();
	});

	it('is not found in the rest of an event that is longer than what is kept', () => {
		for (let length = 64 * 1024 - 3; length <= 64 * 1024 + 3; length++) {
			const event = `data: {"error":"${'x'.repeat(length - 12)}"}`;
			expect(find([event]), `${length}`).toBeUndefined();
			expect(find(event), `${length}`).toBeUndefined();
		}
	});
});

/** Errors that services write outside of the events of a stream. */
import {describe, expect, it} from 'vitest';
import {decodeBytes, errorOf, toChunk, toEventStream} from './decode-bytes.ts';

const hello = toEventStream([toChunk({content: 'Hello'})]);
const reported = (text: string, pieces: Iterable<string> = [text]) =>
	errorOf(decodeBytes([...pieces].map((piece) => Buffer.from(piece))))?.message.match(
		/reported an error: (.*)/,
	)?.[1];

const rows: ReadonlyArray<readonly [name: string, text: string, error: string | undefined]> = [
	['a raw object', '{"error":"x"}', 'x'],
	['an error field', 'error: {"code":400}\n\ndata: [DONE]\n\n', '400'],
	['CRLF around it', 'data: {}\r\n\r\n{"error":"x"}\r\n', 'x'],
	['the last of two', '{"error":"x"}\n{"error":"y"}\n', 'y'],
	['none in a comment', ': {"error":"x"}\n\n', undefined],
	['none that is cut', '{"error":"x"', undefined],
	['braces without valid JSON', '{error}\n', undefined],
	['none after the end mark', 'data: [DONE]\n\n{"error":"x"}\n', undefined],
	['the one before the end mark', '{"error":"x"}\n\ndata:[DONE] \n\n{"error":"y"}\n', 'x'],
	[
		'none after a finish reason',
		`${toEventStream([toChunk({}, 'stop')])}{"error":"x"}\n`,
		undefined,
	],
];

describe('an error outside the events', () => {
	it.each(rows)('%s is found, in any pieces', (_, text, error) => {
		expect(reported(hello + text)).toBe(error);
		expect(reported(hello + text, hello + text)).toBe(error);
	});

	it('is found at any distance from the end', () => {
		const text = `${hello}{"error":"x"}\n${`data: {"a":"${'x'.repeat(1_000)}"}\n\n`.repeat(100)}`;
		for (const pieces of [[text], text.match(/[\s\S]{1,1000}/g) ?? []]) {
			expect(reported(text, pieces)).toBe('x');
		}
	});

	it('is not a line of over 64 KiB, and not the rest of a long event', () => {
		const long = `{"error":"${'x'.repeat(64 * 1024)}"}`;
		for (const text of [`${long}\n`, `data: ${'x'.repeat(64 * 1024)}{"error":"x"}`]) {
			expect(reported(hello + text)).toBeUndefined();
		}
	});
});

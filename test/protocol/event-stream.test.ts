import {describe, expect, it} from 'vitest';
import {createEventStreamParser} from '../../src/protocol/decode/event-stream.ts';
import {expectLinearCost} from '../helpers/cost.ts';

const ignore = () => undefined;

/** The payloads as `name:data`, or data alone. */
function parse(pieces: Iterable<string>): string[] {
	const payloads: string[] = [];
	const parser = createEventStreamParser((data, name) => {
		payloads.push(name === undefined ? data : `${name}:${data}`);
	}, ignore);
	for (const piece of pieces) parser.push(piece);
	parser.end();
	return payloads;
}

const rows: ReadonlyArray<readonly [name: string, text: string, payloads: readonly string[]]> = [
	['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
	['mixed line ends', 'data: a\r\n\ndata: b\r\n\rdata: c\n\r\n', ['a', 'b', 'c']],
	['only the first space dropped', 'data:  a \n\n', [' a ']],
	['an event name', 'event: error\ndata: a\n\ndata: b\n\n', ['error:a', 'b']],
	['unknown fields', 'foo: 1\ndata: a\nbar\n\n', ['a']],
	['other separators in data', 'data: a\u2028b\u2029c\u0085d\n\n', ['a\u2028b\u2029c\u0085d']],
	['a last name of a field', 'data: a\n\ndata', ['a', '']],
];

describe('an event stream', () => {
	it.each(rows)('with %s is parsed the same in any pieces', (_, text, payloads) => {
		expect(parse([text])).toEqual(payloads);
		expect(parse(text)).toEqual(payloads);
		for (let at = 1; at < text.length; at++) {
			expect(parse([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(payloads);
		}
	});

	it('delivers an event at its blank line', () => {
		const payloads: string[] = [];
		const parser = createEventStreamParser((data) => payloads.push(data), ignore);
		parser.push('data: a\n');
		expect(payloads).toEqual([]);
		parser.push('\n');
		expect(payloads).toEqual(['a']);
		parser.push('data: b\r\r');
		expect(payloads).toEqual(['a', 'b']);
	});

	it('parses a long line in linear time', () => {
		const piece = 'x'.repeat(16 * 1024);
		expectLinearCost((pieces) => {
			let length = 0;
			const parser = createEventStreamParser((data) => {
				length = data.length;
			}, ignore);
			parser.push('data: ');
			for (let i = 0; i < pieces; i++) parser.push(piece);
			parser.push('\n\n');
			expect(length).toBe(pieces * piece.length);
		}, 128);
	});

	it.each([
		['data: a\r', false],
		['data: a\n  ', false],
		['data: a', true],
	])('%j has an open last line: %s', (text, isOpen) => {
		for (const pieces of [[text], text]) {
			const parser = createEventStreamParser(ignore, ignore);
			for (const piece of pieces) parser.push(piece);
			expect(parser.isOpen).toBe(isOpen);
		}
	});
});

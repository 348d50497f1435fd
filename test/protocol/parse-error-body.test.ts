import {describe, expect, it} from 'vitest';
import {readErrorBody, readErrorPayload} from '../../src/protocol/errors/parse-error-body.ts';
import {expectLinearCost} from '../helpers/cost.ts';

type Row = readonly [name: string, body: unknown, message: string, rest?: object];

/** Bodies that are JSON. */
const shapes: readonly Row[] = [
	[
		'a status beside it',
		{statusCode: 401, message: 'Access denied.'},
		'Access denied.',
		{status: 401},
	],
	['a message for pages', {'html-message': 'fetch failed'}, 'fetch failed'],
	[
		'a wrapped error as JSON text',
		{error: {message: 'Provider returned error', metadata: {raw: '{"error":{"message":"real"}}'}}},
		'real',
	],
	['only names of other things', {error: {toString: 'x', constructor: {message: 'y'}}}, ''],
];

/** Bodies that are not. */
const texts: ReadonlyArray<readonly [name: string, body: string, message: string]> = [
	['tags alone', '<p>Just <b>a\nmoment</b></p>', 'Just a moment'],
	['plain text of several lines', '\r\n404 page not found\r\nbye', '404 page not found'],
	['JSON that is cut', '{"error": {"mess', '{"error": {"mess'],
];

describe('the message of an error body', () => {
	it.each(shapes)('is found in %s', (_, body, message, rest) => {
		expect(readErrorBody(JSON.stringify(body))).toMatchObject({message, ...(rest ?? {})});
	});

	it.each(texts)('is read from %s', (_, body, message) => {
		expect(readErrorBody(body)).toMatchObject({
			message,
			code: undefined,
			type: undefined,
			status: undefined,
		});
	});

	it('is at most 500 characters long, from text, HTML and JSON', () => {
		const long = 'x'.repeat(2000);
		for (const body of [long, `<title>${long}</title>`, JSON.stringify({error: long})]) {
			expect(readErrorBody(body).message).toBe(`${'x'.repeat(500)}…`);
		}
	});

	it('is searched to a limited depth', () => {
		const nested = (depth: number): string =>
			depth === 0 ? '"m"' : `{"error":${nested(depth - 1)}}`;
		expect(readErrorBody(nested(6)).message).toBe('m');
		expect(readErrorBody(nested(60)).message).toBe('');
	});

	it('joins the first few of many', () => {
		const errors = Array.from({length: 100}, (_, i) => ({message: `e${i}`}));
		expect(readErrorPayload({errors}).message).toBe('e0; e1; e2; e3; e4');
	});

	it('accepts locations of any type', () => {
		const body = '{"detail":[{"loc":["body",{"toString":1},null,2],"msg":"m"}]}';
		expect(readErrorBody(body).message).toBe('body.2: m');
	});

	it.each(['<title', '<h1>'])('is found in linear time in a page that repeats %s', (tag) => {
		expectLinearCost((size) => readErrorBody(tag.repeat(size)), 1_500);
	});
});

describe('the status in an error body', () => {
	it.each([
		[{error: {code: 200}}, undefined],
		[{error: {code: 600}}, undefined],
		[{error: {code: '429'}}, 429],
	])('of %j is %s', (payload, status) => {
		expect(readErrorPayload(payload).status).toBe(status);
	});
});

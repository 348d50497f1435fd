import {describe, expect, it} from 'vitest';
import {readErrorBody, readErrorPayload} from '../../src/protocol/errors/parse-error-body.ts';
import {expectLinearCost} from '../helpers/cost.ts';

const long = 'x'.repeat(2000);
const wrapped = {message: 'Provider returned error', metadata: {raw: '{"message":"real"}'}};

describe('the message of an error body', () => {
	it.each<[name: string, body: unknown, message: string]>([
		['a status beside it', {statusCode: 401, message: 'Access denied.'}, 'Access denied.'],
		['a message for pages', {'html-message': 'fetch failed'}, 'fetch failed'],
		['a wrapped error as JSON text', {error: wrapped}, 'real'],
		['only names of other things', {error: {toString: 'x', constructor: {message: 'y'}}}, ''],
		['a list', {errors: [1, 2, 3, 4, 5, 6].map((n) => ({message: `e${n}`}))}, 'e1; e2; e3; e4; e5'],
		['tags alone', '<p>Just <b>a\nmoment</b></p>', 'Just a moment'],
		['plain text of several lines', '\r\n404 page not found\r\nbye', '404 page not found'],
		['JSON that is cut', '{"error": {"mess', '{"error": {"mess'],
		['a long text', long, `${'x'.repeat(500)}…`],
		['long JSON', {error: long}, `${'x'.repeat(500)}…`],
	])('is found in %s', (_, body, message) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		expect(readErrorBody(text).message).toBe(message);
	});

	it('is searched to a limited depth', () => {
		const nested = (depth: number): string =>
			depth === 0 ? '"m"' : `{"error":${nested(depth - 1)}}`;
		expect(readErrorBody(nested(6)).message).toBe('m');
		expect(readErrorBody(nested(60)).message).toBe('');
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
		[{statusCode: 401, message: 'Access denied.'}, 401],
	])('of %j is %s', (payload, status) => {
		expect(readErrorPayload(payload).status).toBe(status);
	});
});

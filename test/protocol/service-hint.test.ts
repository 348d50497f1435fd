/** The hints that depend on more than one reply; the others have wire cases. */
import {describe, expect, it} from 'vitest';
import type {ErrorContext} from '../../src/protocol/errors/error-context.ts';
import {readErrorBody} from '../../src/protocol/errors/parse-error-body.ts';
import {findHint} from '../../src/protocol/errors/service-hint.ts';

const base = 'https://api.test/v1/chat/completions';

type Changes = {readonly waitMs?: number; readonly url?: string} & Partial<
	Omit<ErrorContext, 'url'>
>;

function hintOf(status: number, body: unknown = '', {waitMs, url = base, ...rest}: Changes = {}) {
	const context = {
		url: new URL(url),
		model: 'm-test',
		keySource: 'CHAT_API_KEY',
		isModelChosen: true,
		...rest,
	};
	const parsed = readErrorBody(typeof body === 'string' ? body : JSON.stringify(body));
	return findHint({status, parsed, waitMs, context});
}

describe('the hint', () => {
	it('for a refused key names its source', () => {
		expect(hintOf(401)).toMatch(/not accept the key from CHAT_API_KEY\./);
		expect(hintOf(403)).toMatch(/denied access to the key from CHAT_API_KEY\./);
		expect(
			hintOf(400, {error: {message: 'API key expired.', details: [{reason: 'API_KEY_INVALID'}]}}),
		).toMatch(/not accept the key from CHAT_API_KEY\./);
	});

	it('for a missing key says that none was sent', () => {
		expect(hintOf(401, '', {keySource: undefined})).toMatch(/No API key was sent/);
	});

	it('for a wrong path explains how base URLs are changed', () => {
		expect(hintOf(404, {detail: 'Not Found'})).toMatch(
			/To use it as it is, end it in \/chat\/completions/,
		);
		const url = 'https://api.test/chat/completions';
		expect(hintOf(404, '404 page not found', {url})).toMatch(/no version.*\/v1/);
	});

	it.each([
		['/v1/responses/chat/completions', '/responses'],
		['/v1/messages/chat/completions', '/messages'],
		['/api/chat/v1/chat/completions', '/api/chat'],
	])('for the path %s names the operation that does not belong there', (path, operation) => {
		expect(hintOf(404, '', {url: `https://api.test${path}`})).toBe(
			`Leave ${operation} out of the base URL: it is another operation.`,
		);
	});

	it('for the default model explains how to choose another', () => {
		for (const status of [400, 404]) {
			const body = {error: {message: "model 'm-test' not found"}};
			expect(hintOf(status, body, {isModelChosen: false})).toMatch(/No model is set/);
			expect(hintOf(status, body)).toMatch(/Choose another model/);
		}
		expect(hintOf(400, {error: 'bad request'}, {isModelChosen: false})).toBeUndefined();
	});

	it('for a request that is too large advises smaller input', () => {
		expect(hintOf(413)).toMatch(/too large/);
	});

	it('names the wait that the service requests', () => {
		expect(hintOf(429)).toBe('Try again later.');
		expect(hintOf(429, '', {waitMs: 300})).toBe('The service asks to wait 0.3 s.');
		expect(hintOf(503, '', {waitMs: 7_200_000})).toBe('The service asks to wait 2 h.');
		expect(hintOf(503)).toBeUndefined();
	});
});

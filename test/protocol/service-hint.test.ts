/** The hints that depend on more than one reply; the others have wire cases. */
import {describe, expect, it} from 'vitest';
import type {ErrorContext} from '../../src/protocol/errors/error-context.ts';
import {readErrorBody} from '../../src/protocol/errors/parse-error-body.ts';
import {findHint} from '../../src/protocol/errors/service-hint.ts';

type Changes = {readonly waitMs?: number} & Partial<ErrorContext>;

function hintOf(status: number, body: unknown = '', {waitMs, ...changes}: Changes = {}) {
	const context = {
		url: new URL('https://api.test/v1/chat/completions'),
		addressHint: {code: 'check-path'} as const,
		model: 'm-test',
		keySource: 'CHAT_API_KEY',
		isModelChosen: true,
		...changes,
	};
	const parsed = readErrorBody(typeof body === 'string' ? body : JSON.stringify(body));
	return findHint({status, parsed, waitMs, context});
}

describe('the hint', () => {
	it('for a refused key names its source', () => {
		const hint = {code: 'check-key', keySource: 'CHAT_API_KEY'};
		expect(hintOf(401)).toMatchObject({...hint, isDenied: false});
		expect(hintOf(403)).toMatchObject({...hint, isDenied: true});
		const expired = {message: 'API key expired.', details: [{reason: 'API_KEY_INVALID'}]};
		expect(hintOf(400, {error: expired})).toMatchObject({...hint, isDenied: false});
	});

	it('for a missing key says that none was sent', () => {
		expect(hintOf(401, '', {keySource: undefined})).toMatchObject({code: 'set-key'});
	});

	it('for a key in the wrong header names the right one', () => {
		for (const [words, header] of [
			['Access denied due to invalid subscription key or wrong API endpoint.', 'api-key'],
			['x-api-key header is required', 'x-api-key'],
			["No 'api-key' header was found", 'api-key'],
		]) {
			const body = {error: {code: '401', message: words}};
			expect(hintOf(401, body)).toEqual({code: 'other-key-header', header});
			expect(hintOf(401, body, {authHeader: 'api-key'})).toMatchObject({code: 'check-key'});
			expect(hintOf(401, body, {keySource: undefined})).toMatchObject({code: 'set-key'});
		}
		expect(hintOf(401, {error: 'Invalid API-key provided.'})).toMatchObject({code: 'check-key'});
	});

	it('for words that may be about the model or the path explains both', () => {
		const addressHint = {code: 'use-base-url', baseUrl: 'https://api.test/x'} as const;
		const hintFor = (words: string) => hintOf(404, {message: words}, {addressHint});
		expect(hintFor('check the model: it does not exist')).toEqual({
			code: 'several',
			hints: [addressHint, {code: 'choose-model'}],
		});
		expect(hintFor('the model m-test does not exist')).toEqual({code: 'choose-model'});
	});

	it('for a wrong path is that of the wire', () => {
		expect(hintOf(404, {detail: 'Not Found'})).toEqual({code: 'check-path'});
		const addressHint = {code: 'missing-version'} as const;
		expect(hintOf(404, '404 page not found', {addressHint})).toEqual(addressHint);
	});

	it.each([
		[
			400,
			'Function tools with reasoning_effort are not supported for m-test in /v1/chat/completions. Please use /v1/responses instead.',
			'no-reasoning-with-tools',
		],
		[
			404,
			'This model is only supported in v1/responses and not in v1/chat/completions.',
			'no-chat-model',
		],
		[
			404,
			'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
			'no-chat-model',
		],
	])('for %i "%s" is %s', (status, message, code) => {
		const chosenFields = ['reasoning_effort'];
		for (const isModelChosen of [true, false]) {
			const hint = hintOf(status, {error: {message}}, {isModelChosen, chosenFields});
			expect(hint).toEqual({code});
		}
	});

	it('for the default model explains how to choose another', () => {
		for (const status of [400, 404]) {
			const body = {error: {message: "model 'm-test' not found"}};
			expect(hintOf(status, body, {isModelChosen: false})).toEqual({
				code: 'set-model',
				defaultModel: 'm-test',
			});
			expect(hintOf(status, body)).toEqual({code: 'choose-model'});
		}
		expect(hintOf(400, {error: 'bad request'}, {isModelChosen: false})).toBeUndefined();
	});

	it.each([
		[400, 'document', 'messages[1]: unknown variant `file`, expected `text`'],
		[400, 'document', '.messages[1]: file must have a file_id or file_data'],
		[500, 'document', 'Unknown part type: file'],
		[400, 'audio', "Unsupported chat content part type: 'input_audio'. Supported types: text"],
		[400, 'audio', 'The audio content type (CONTENT_TYPE_AUDIO) is not supported for this model'],
		[404, 'image', 'No endpoints found that support image input'],
		[400, 'image', 'Invalid content type. image_url is only supported by certain models.'],
	] as const)(
		'for a part that the service does not know is about that part: %i %s',
		(status, part, message) => {
			const error = {error: {message}};
			const code = 'unsupported-part';
			expect(hintOf(status, error, {parts: new Set([part])})).toEqual({code, part});
			expect(hintOf(status, error)).not.toEqual({code, part});
			const other = {error: {message: 'context length exceeded'}};
			expect(hintOf(status, other, {parts: new Set([part])})).not.toEqual({code, part});
		},
	);

	it('for a request that is too large advises smaller input', () => {
		expect(hintOf(413)).toEqual({code: 'request-too-large'});
	});

	it('names the wait that the service requests', () => {
		expect(hintOf(429)).toEqual({code: 'wait', waitMs: undefined});
		expect(hintOf(429, '', {waitMs: 300})).toEqual({code: 'wait', waitMs: 300});
		expect(hintOf(503, '', {waitMs: 7_200_000})).toEqual({code: 'wait', waitMs: 7_200_000});
		expect(hintOf(503)).toBeUndefined();
	});
});

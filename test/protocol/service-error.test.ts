import {describe, expect, it} from 'vitest';
import type {ErrorKind} from '../../src/errors.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import type {ErrorContext} from '../../src/protocol/errors/error-context.ts';
import {errorFromPayload, errorFromReply} from '../../src/protocol/errors/service-error.ts';
import type {HttpHead} from '../../src/protocol/http/http-head.ts';

const context: ErrorContext = {
	url: new URL('https://api.test/v1/chat/completions'),
	words: createChatCompletions(new URL('https://api.test/v1')).words,
	model: 'm-test',
	keySource: 'CHAT_API_KEY',
	isModelChosen: true,
};

function fromReply(
	status: number,
	body: unknown = '',
	headers: HttpHead['headers'] = {},
	changes: Partial<ErrorContext> = {},
) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return errorFromReply({status, headers}, text, {...context, ...changes});
}

describe('a reply with an error status', () => {
	it.each([
		[400, 'rejected', false],
		[401, 'auth', false],
		[408, 'busy', true],
		[429, 'busy', true],
		[500, 'unavailable', true],
		[529, 'busy', true],
	] as ReadonlyArray<[number, ErrorKind, boolean]>)(
		'of %i is of kind %s, retryable: %s',
		(status, kind, retryable) => {
			expect(fromReply(status)).toMatchObject({kind, details: {status, retryable}});
		},
	);

	it('names address, status, model and the words of the service', () => {
		const error = fromReply(400, {error: {message: 'No such thing.', code: 'nope', type: 't'}});
		expect(error.message).toBe(
			'https://api.test/v1/chat/completions answered 400 to model m-test: No such thing.',
		);
		expect(error.details.code).toBe('nope');
		expect(fromReply(502).message).toBe(
			'https://api.test/v1/chat/completions answered 502 to model m-test',
		);
	});

	it('never shows secrets of the address', () => {
		const url = new URL('https://user:pw@api.test/v1/chat/completions?api-key=k1234&v=2');
		for (const error of [
			fromReply(401, '', {}, {url}),
			fromReply(307, '', {location: '/there?token=t1234'}, {url}),
			errorFromPayload({error: 'x'}, undefined, {...context, url}),
		]) {
			expect(error?.message).not.toMatch(/pw|k1234|t1234/);
		}
	});

	it('is busy when the service reports overload or a rate limit, with any status', () => {
		expect(fromReply(503, {error: {message: 'm', type: 'overloaded_error'}}).kind).toBe('busy');
		expect(fromReply(400, {error: {message: 'm', code: 'rate_limit_exceeded'}}).kind).toBe('busy');
	});

	it('keeps its request id', () => {
		for (const name of ['x-request-id', 'request-id']) {
			expect(fromReply(500, '', {[name]: 'req_1'}).details.requestId).toBe('req_1');
		}
	});

	it('prefers x-should-retry to its status', () => {
		expect(fromReply(400, '', {'x-should-retry': 'true'}).details.retryable).toBe(true);
		expect(fromReply(503, '', {'x-should-retry': 'false'}).details.retryable).toBe(false);
		expect(fromReply(503, '', {'x-should-retry': 'maybe'}).details.retryable).toBe(true);
	});

	it.each(['image input is not supported', 'tools param requires --jinja flag'])(
		'that is a refusal called an internal error is not retried: %s',
		(message) => {
			const error = fromReply(500, {error: {code: 500, message, type: 'server_error'}});
			expect(error).toMatchObject({kind: 'rejected', details: {retryable: false}});
		},
	);

	it('is not about the key if the prompt was refused', () => {
		const error = fromReply(403, {error: {message: 'Your input was flagged for "violence".'}});
		expect(error.kind).toBe('rejected');
		expect(error.details.hint).toMatch(/because of its content, not the key/);
	});
});

describe('a redirect', () => {
	it.each([['https://other.test/v1/chat/completions', 'https://other.test/v1/chat/completions']])(
		'to %s is an error that names %s',
		(location, target) => {
			const error = fromReply(307, 'moved', {location});
			expect(error).toMatchObject({kind: 'protocol', details: {status: 307, retryable: false}});
			expect(error.message).toContain(`redirects to ${target};`);
		},
	);

	it.each([undefined, 'http://['])('to %s has no address in its hint', (location) => {
		const {message, details} = fromReply(307, 'moved', {location});
		expect(message).toMatch(/redirects to no valid address$/);
		expect(details.hint).toContain('Is this the base URL of');
	});

	it.each([300, 308])('%i is not retried', (status) => {
		expect(fromReply(status, '', {'x-should-retry': 'true'})).toMatchObject({
			kind: 'protocol',
			details: {retryable: false},
		});
	});
});

describe('a payload of a reply with status 200', () => {
	const from = (payload: Parameters<typeof errorFromPayload>[0], eventName?: string) =>
		errorFromPayload(payload, eventName, context);

	it.each([{error: null}, {error: {}}, {object: 'chat.completion.chunk'}, 'error'])(
		'like %j is not an error',
		(payload) => {
			expect(from(payload)).toBeUndefined();
		},
	);

	it.each([
		[{error: {message: 'said', type: 'server_error'}}, 'unavailable', 'server_error'],
		[{error: {object: 'error', message: 'said', code: 400}}, 'rejected', '400'],
		[{object: 'error', message: 'said', code: 500}, 'unavailable', '500'],
		[{type: 'error', message: 'said'}, 'unavailable', 'error'],
		[{error: 'said'}, 'unavailable', undefined],
		[[{error: {message: 'said', code: 503}}], 'unavailable', '503'],
		[{choices: [{delta: {}}], error: {message: 'said'}}, 'unavailable', undefined],
	] as const)('like %j is an error', (payload, kind, code) => {
		const error = from(payload);
		expect(error).toMatchObject({kind, details: {code}});
		expect(error?.message).toBe('https://api.test/v1/chat/completions reported an error: said');
	});

	it('is retryable by the status in it, except without quota', () => {
		const retryable = (error: object) => from({error: {message: 'm', ...error}})?.details.retryable;
		expect(retryable({code: 503})).toBe(true);
		expect(retryable({code: 400})).toBe(false);
		expect(retryable({code: 429, type: 'insufficient_quota'})).toBe(false);
		expect(retryable({type: 'insufficient_quota'})).toBe(false);
		expect(retryable({type: 'overloaded_error'})).toBe(true);
		expect(retryable({})).toBeUndefined();
	});
});

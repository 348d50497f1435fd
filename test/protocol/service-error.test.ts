import {describe, expect, it} from 'vitest';
import type {ErrorKind} from '../../src/errors.ts';
import {
	type ErrorContext,
	errorFromPayload,
	errorFromReply,
	type ReplyHead,
	retryAfterMs,
	serviceWords,
} from '../../src/protocol/service-error.ts';

const context: ErrorContext = {
	url: new URL('https://api.test/v1/chat/completions'),
	model: 'm-test',
	keySource: 'CHAT_API_KEY',
	isModelChosen: true,
};

function fromReply(
	status: number,
	body: unknown = '',
	headers: ReplyHead['headers'] = {},
	changes: Partial<ErrorContext> = {},
) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return errorFromReply({status, headers}, text, {...context, ...changes});
}

const hintOf = (...args: Parameters<typeof fromReply>) => fromReply(...args).details.hint;

describe('a reply with an error status', () => {
	it.each([
		[400, 'rejected', false],
		[401, 'auth', false],
		[402, 'rejected', false],
		[403, 'auth', false],
		[404, 'rejected', false],
		[408, 'busy', true],
		[409, 'rejected', true],
		[413, 'rejected', false],
		[422, 'rejected', false],
		[429, 'busy', true],
		[500, 'unavailable', true],
		[502, 'unavailable', true],
		[503, 'unavailable', true],
		[504, 'unavailable', true],
		[524, 'unavailable', true],
		[529, 'busy', true],
	] as ReadonlyArray<[number, ErrorKind, boolean]>)(
		'of %i is of kind %s, retryable: %s',
		(status, kind, retryable) => {
			expect(fromReply(status)).toMatchObject({kind, details: {status, retryable}});
		},
	);

	it('says address, status, model and what the service said', () => {
		const error = fromReply(400, {error: {message: 'No such thing.', code: 'nope', type: 't'}});
		expect(error.message).toBe(
			'https://api.test/v1/chat/completions answered 400 to model m-test: No such thing.',
		);
		expect(error.details.code).toBe('nope');
		expect(fromReply(502).message).toBe(
			'https://api.test/v1/chat/completions answered 502 to model m-test',
		);
	});

	it('gives the words of the service alone', () => {
		const odd = {...context, model: 'grok-reasoning: max_tokens'};
		const error = errorFromReply({status: 400, headers: {}}, '{"error":"Nope"}', odd);
		expect(serviceWords(error, odd)).toBe(': Nope');
		expect(serviceWords(error, context)).toBe('');
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

	it('is busy when the service says overloaded or rate limit, whatever the status', () => {
		expect(fromReply(503, {error: {message: 'm', type: 'overloaded_error'}}).kind).toBe('busy');
		expect(fromReply(400, {error: {message: 'm', code: 'rate_limit_exceeded'}}).kind).toBe('busy');
	});

	it.each([
		['x-request-id', 'req_1'],
		['request-id', 'req_2'],
	])('keeps the request id of %s', (name, id) => {
		expect(fromReply(500, '', {[name]: id}).details.requestId).toBe(id);
	});

	it('asks x-should-retry before its status', () => {
		expect(fromReply(400, '', {'x-should-retry': 'true'}).details.retryable).toBe(true);
		expect(fromReply(503, '', {'x-should-retry': 'false'}).details.retryable).toBe(false);
		expect(fromReply(503, '', {'x-should-retry': 'maybe'}).details.retryable).toBe(true);
	});

	it.each(['type', 'code'])('is final when the quota is used up, by its %s', (field) => {
		const error = fromReply(429, {error: {message: 'm', [field]: 'insufficient_quota'}});
		expect(error.details.retryable).toBe(false);
		expect(error.details.hint).toMatch(/no quota left/);
	});

	it('still reads the error if the body is HTML', () => {
		expect(fromReply(413, '<title>413 Too Large</title>').message).toMatch(/: 413 Too Large$/);
	});
});

describe('the hint', () => {
	it('on 401 and 403 names where the key came from', () => {
		expect(hintOf(401)).toMatch(/key from CHAT_API_KEY was not accepted/);
		expect(hintOf(403)).toMatch(/key from CHAT_API_KEY was not allowed/);
	});

	it('on 401 without a key says that none was sent', () => {
		expect(hintOf(401, '', {}, {keySource: undefined})).toMatch(/No API key was sent/);
	});

	it('on 404 mentions /v1 if the address was given with no version, else the base URL', () => {
		const url = new URL('https://api.test/chat/completions');
		expect(hintOf(404, '404 page not found', {}, {url})).toMatch(/\/v1/);
		expect(hintOf(404, {detail: 'Not Found'})).toMatch(/Check the base URL/);
	});

	it('on 400 and 404 about a model that nobody chose says how to choose one', () => {
		for (const status of [400, 404]) {
			const body = {error: {message: "model 'm-test' not found"}};
			expect(hintOf(status, body, {}, {isModelChosen: false})).toMatch(/No model is set/);
			expect(hintOf(status, body)).toMatch(/Choose another model/);
		}
		expect(hintOf(400, {error: 'bad request'}, {}, {isModelChosen: false})).toBeUndefined();
	});

	it('on 413 says to send less', () => {
		expect(hintOf(413)).toMatch(/too large/);
	});

	it('on 429 says how long to wait, if the service does', () => {
		expect(hintOf(429)).toBe('Try again later.');
		expect(hintOf(429, '', {'retry-after': '89.2'})).toMatch(/wait 90 s/);
	});

	it('on any other status tells of a wait that was asked for', () => {
		expect(hintOf(503)).toBeUndefined();
		expect(hintOf(503, '', {'retry-after': '120'})).toMatch(/wait 120 s/);
	});

	it('tells of a wrong path that comes with status 200', () => {
		const payload = {error: 'Unexpected endpoint or method. (POST /chat/completions)'};
		const url = new URL('https://api.test/chat/completions');
		const error = errorFromPayload(payload, undefined, {...context, url});
		expect(error?.details.hint).toMatch(/\/v1/);
	});
});

describe('a redirect', () => {
	it.each([
		['https://other.test/v1/chat/completions', 'https://other.test/v1/chat/completions'],
		['/v2/chat/completions', 'https://api.test/v2/chat/completions'],
		['//other.test/', 'https://other.test/'],
	])('to %s is an error that names %s', (location, target) => {
		const error = fromReply(307, 'moved', {location});
		expect(error).toMatchObject({kind: 'protocol', details: {status: 307, retryable: false}});
		expect(error.message).toContain(`redirects to ${target};`);
	});

	it.each([undefined, 'http://['])('to %s has no address to try instead', (location) => {
		const {message, details} = fromReply(307, 'moved', {location});
		expect(message).toMatch(/redirects to no address that can be read$/);
		expect(details.hint).toBe('Is the base URL that of a chat-completions service?');
	});

	it.each([300, 301, 302, 303, 304, 308])('%i is one too, and not retried', (status) => {
		expect(fromReply(status, '', {'x-should-retry': 'true'})).toMatchObject({
			kind: 'protocol',
			details: {retryable: false},
		});
	});
});

const date = 'Fri, 20 Nov 2026 10:00:00 GMT';

describe('the wait a service asks for', () => {
	it.each([
		['none', {}, undefined],
		['milliseconds', {'retry-after-ms': '1500'}, 1500],
		['parts of milliseconds', {'retry-after-ms': '0.5'}, 0.5],
		['no milliseconds', {'retry-after-ms': '0'}, 0],
		['milliseconds before seconds', {'retry-after-ms': '20', 'retry-after': '3'}, 20],
		['seconds if the milliseconds are none', {'retry-after-ms': 'soon', 'retry-after': '3'}, 3000],
		['seconds', {'retry-after': '2'}, 2000],
		['parts of seconds', {'retry-after': '1.5'}, 1500],
		['no seconds', {'retry-after': '0'}, 0],
		['a repeated header', {'retry-after': ['4', '5']}, 4000],
		[
			'a date, by the clock of the service',
			{date, 'retry-after': 'Fri, 20 Nov 2026 10:00:07 GMT'},
			7000,
		],
		['a date that starts with a number', {date, 'retry-after': '20 Nov 2026 10:00:09 GMT'}, 9000],
		['a date that is now', {date, 'retry-after': date}, 0],
		['a date that has passed', {date, 'retry-after': 'Fri, 20 Nov 2026 09:59:59 GMT'}, undefined],
		['a negative number', {'retry-after': '-5'}, undefined],
		['a duration', {'retry-after': '1m30s'}, undefined],
		['a number with a unit', {'retry-after': '5s'}, undefined],
		['words with a number', {'retry-after': 'soon 5'}, undefined],
		['words with a year', {'retry-after': 'in 2099'}, undefined],
		['nothing in it', {'retry-after': ''}, undefined],
	] as ReadonlyArray<[string, ReplyHead['headers'], number | undefined]>)(
		'as %s is understood',
		(_, headers, expected) => {
			expect(retryAfterMs({status: 429, headers})).toBe(expected);
		},
	);

	it('as a date without a date of the reply is measured by the clock here', () => {
		const until = new Date(Date.now() + 30_000).toUTCString();
		const waitMs = retryAfterMs({status: 429, headers: {'retry-after': until}});
		expect(waitMs).toBeGreaterThan(25_000);
		expect(waitMs).toBeLessThanOrEqual(30_000);
	});
});

describe('a payload of a reply with status 200', () => {
	const from = (payload: Parameters<typeof errorFromPayload>[0], eventName?: string) =>
		errorFromPayload(payload, eventName, context);

	it.each([
		{choices: []},
		{error: null},
		{error: ''},
		{error: {}},
		{error: []},
		{error: false},
		{error: 0},
		{object: 'chat.completion.chunk'},
		{type: 'ping'},
		{x_groq: {id: 'req_1'}},
		{x_groq: {error: ''}},
		{message: 'hello'},
		[],
		[{choices: []}],
		null,
		'error',
		7,
	])('like %j is no error', (payload) => {
		expect(from(payload)).toBeUndefined();
	});

	it.each([
		[{error: {message: 'said', type: 'server_error'}}, 'unavailable', 'server_error'],
		[{error: {message: 'said', code: 429}}, 'busy', '429'],
		[{error: {message: 'said', code: 401}}, 'auth', '401'],
		[{error: {message: 'said', code: 400}}, 'rejected', '400'],
		[{error: {object: 'error', message: 'said', code: 400}}, 'rejected', '400'],
		[{object: 'error', message: 'said', code: 500}, 'unavailable', '500'],
		[{type: 'error', message: 'said'}, 'unavailable', 'error'],
		[
			{type: 'error', error: {type: 'overloaded_error', message: 'said'}},
			'busy',
			'overloaded_error',
		],
		[{error: 'said'}, 'unavailable', undefined],
		[{error: true, message: 'said'}, 'unavailable', undefined],
		[[{error: {message: 'said', code: 503}}], 'unavailable', '503'],
		[{choices: [{delta: {}}], error: {message: 'said'}}, 'unavailable', undefined],
		[{choices: [], x_groq: {error: 'said'}}, 'unavailable', undefined],
	] as const)('like %j is an error', (payload, kind, code) => {
		const error = from(payload);
		expect(error).toMatchObject({kind, details: {code}});
		expect(error?.message).toBe('https://api.test/v1/chat/completions reported an error: said');
	});

	it.each([['plain words'], [{message: 'plain words'}], [{detail: 'plain words'}]])(
		'under the event name error is one in any form: %j',
		(payload) => {
			expect(from(payload, 'error')?.message).toContain('plain words');
			expect(from(payload, 'message')).toBeUndefined();
		},
	);

	it('that gives no reason says so', () => {
		expect(from({error: {param: 'x'}})?.message).toContain('no reason given');
	});

	it('is retryable by the status it names, but for a used-up quota', () => {
		const retryable = (error: object) => from({error: {message: 'm', ...error}})?.details.retryable;
		expect(retryable({code: 503})).toBe(true);
		expect(retryable({code: 400})).toBe(false);
		expect(retryable({code: 429, type: 'insufficient_quota'})).toBe(false);
		expect(retryable({})).toBeUndefined();
	});
});

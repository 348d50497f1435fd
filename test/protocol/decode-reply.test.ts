/** The bytes of one reply, for cases that are not wire cases. */
import {describe, expect, it, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import type {BodyEnd} from '../../src/protocol/decode/body-decoder.ts';
import {
	callsOf,
	closedEnd,
	createDecoder,
	decodeText,
	errorOf,
	textOf,
	toChunk,
	toEventStream,
	wholeEnd,
} from './decode-bytes.ts';

const broken = new ChatError('unavailable', 'the connection broke', {
	code: 'ECONNRESET',
	retryable: true,
});
const late = new ChatError('timeout', 'nothing more came', {code: 'ETIMEDOUT', retryable: false});
const brokenEnd: BodyEnd = {isBodyComplete: false, failure: broken};
const lateEnd: BodyEnd = {isBodyComplete: false, failure: late};

const hello = toChunk({content: 'Hello'});
const done = 'data: [DONE]\n\n';

function finishReasons(...reasons: ReadonlyArray<string | null>) {
	const chunks = reasons.map((reason) => toChunk({}, reason));
	return decodeText(toEventStream([hello, ...chunks]) + done);
}

const finishReasonOf = (events: ReturnType<typeof decodeText>) =>
	events.flatMap((event) => (event.type === 'step-end' ? [event.finishReason.raw] : []));

const noticesOf = (events: ReturnType<typeof decodeText>) =>
	events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []));

const noticesTold = (events: ReturnType<typeof decodeText>) =>
	events.flatMap((event) => (event.type === 'notice' ? [event.notice.message] : []));

test('an answer in a choice of its own is read if the first choice has none', () => {
	const second = (content: string) => ({choices: [{index: 1, delta: {content}}]});
	const chunks = [toChunk({reasoning_content: 'Hm.'}), second('Hel'), second('lo')];
	const events = decodeText(toEventStream([...chunks, toChunk({}, 'stop')]) + done);
	expect(textOf(events, 'text-delta')).toBe('Hello');
	expect(noticesTold(events)).toEqual([]);
});

test('calls of a further choice stay in the extra fields when its text is the answer', () => {
	const calls = [{index: 0, id: 'a', function: {name: 'f', arguments: '{}'}}];
	const second = {choices: [{index: 1, delta: {content: 'Hello', tool_calls: calls}}]};
	const events = decodeText(toEventStream([toChunk({}), second, toChunk({}, 'stop')]) + done);
	expect(textOf(events, 'text-delta')).toBe('Hello');
	expect(events.flatMap((event) => (event.type === 'step-end' ? [event.extra] : []))).toEqual([
		{choices: [{index: 1, message: {tool_calls: calls}}]},
	]);
});

test('a creation time that is not an integer is none', () => {
	const [start] = decodeText(toEventStream([{...hello, created: 1.5}]) + done);
	expect(start).toMatchObject({type: 'step-start', created: undefined});
});

test('a reply of reasoning and calls is not called empty', () => {
	const call = {index: 0, id: 'a', function: {name: 'f', arguments: '{}'}};
	const chunks = [toChunk({reasoning_content: 'Hm.'}), toChunk({tool_calls: [call]}, 'tool_calls')];
	expect(noticesTold(decodeText(toEventStream(chunks) + done))).toEqual([]);
});

describe('the finish reason', () => {
	it.each([
		['MAX_TOKENS', 'the answer was cut off at the token limit'],
		['FINISH_REASON_MAX_TOKENS', 'the answer was cut off at the token limit'],
		['maxOutputTokens', 'the answer was cut off at the token limit'],
		['content_filter', "the answer was cut off by the service's content filter"],
		[
			'content_filter: PII',
			"the answer was cut off by the service's content filter (content_filter: PII)",
		],
		['tired', 'the answer ended for an unknown reason, "tired", and may be cut off'],
	])('%s is explained', (reason, message) => {
		expect(noticesTold(finishReasons(reason))).toEqual([message]);
	});

	it('that is a long text is shortened', () => {
		expect(noticesTold(finishReasons('x'.repeat(5000)))[0]?.length).toBeLessThan(150);
	});
});

describe('several finish reasons', () => {
	it.each([
		[['stop', '', null, 'null'], 'stop'],
		[['length', 'stop'], 'length'],
		[['length', 'content_filter'], 'content_filter'],
	])('%j mean %s', (reasons, expected) => {
		const events = finishReasons(...reasons);
		expect(finishReasonOf(events)).toEqual([expected]);
		expect(noticesTold(events)).toHaveLength(expected === 'stop' ? 0 : 1);
	});

	it('a failure stays a failure', () => {
		expect(errorOf(finishReasons('length', 'overloaded_error', 'stop'))?.kind).toBe('unavailable');
	});
});

test('calls of an answer that was cut off at the limit are not runnable', () => {
	const call = {index: 0, id: 'a', function: {name: 'f', arguments: '{}'}};
	const chunks = [toChunk({tool_calls: [call]}, 'length'), toChunk({}, 'stop')];
	expect(callsOf(decodeText(toEventStream(chunks) + done))).toMatchObject([{isRunnable: false}]);
});

describe('a stream without any end mark', () => {
	const {choices, ...rest} = toChunk({content: 'Hello'}) as {choices: object[]};
	const literal = {
		...rest,
		choices: choices.map((choice) => ({...choice, finish_reason: undefined})),
	};
	const stream = toEventStream([literal]);

	it('is complete if the body is, with a notice', () => {
		const events = decodeText(stream, wholeEnd);
		expect(errorOf(events)).toBeUndefined();
		expect(noticesOf(events)).toEqual(['end-unmarked']);
	});

	it.each([
		['the connection was just closed', closedEnd, 'incomplete'],
		[
			'the body is whole but its compression is not',
			{isBodyComplete: true, failure: broken},
			'incomplete',
		],
	] as const)('is cut off if %s', (_, end, kind) => {
		const events = decodeText(stream, end);
		expect(errorOf(events)?.kind).toBe(kind);
		expect(textOf(events, 'text-delta')).toBe('Hello');
	});

	it('is complete after each whole event, and cut off after any other byte', () => {
		const two = stream + stream;
		for (let cut = stream.length; cut <= two.length; cut++) {
			// An event needs no line end to be whole.
			const isWhole = [stream.length, two.length].some((end) => cut <= end && cut >= end - 2);
			const events = decodeText(two.slice(0, cut));
			expect(errorOf(events)?.kind, two.slice(0, cut)).toBe(isWhole ? undefined : 'incomplete');
		}
	});
});

describe('a reply that ends early', () => {
	it.each([
		[' \r\n ', lateEnd, 'timeout'],
		['{"choices":[', brokenEnd, 'incomplete'],
		['{"choices":[', lateEnd, 'timeout'],
	] as const)('with only %j is an error of kind %s', (text, end, kind) => {
		const events = decodeText(text, end);
		expect(errorOf(events)?.kind).toBe(kind);
		expect(events).toHaveLength(1);
	});

	it('with nothing at all says so', () => {
		expect(errorOf(decodeText(''))?.message).toMatch(/ sent an empty reply$/);
	});

	it('keeps half a tag and half a character', () => {
		const held = toEventStream([toChunk({content: '<thi'})]);
		expect(textOf(decodeText(held, closedEnd), 'text-delta')).toBe('<thi');
		const half = toEventStream([toChunk({reasoning: 'a\ud83d'})]);
		expect(textOf(decodeText(half, closedEnd), 'reasoning-delta')).toBe('a\ud83d');
	});
});

describe('a message in place of a delta', () => {
	const message = (fields: object, reason: string | null = null) => ({
		choices: [{index: 0, message: fields, finish_reason: reason}],
	});

	it('after deltas adds only what is new', () => {
		const call = {index: 0, id: 'a', function: {name: 'f', arguments: '{"x":1}'}};
		const events = decodeText(
			toEventStream([
				toChunk({reasoning: 'h'}),
				toChunk({content: 'Look'}),
				toChunk({tool_calls: [call]}),
				message({reasoning: 'hm', content: 'Looking', tool_calls: [call]}, 'tool_calls'),
			]),
		);
		expect(textOf(events, 'reasoning-delta')).toBe('hm');
		expect(textOf(events, 'text-delta')).toBe('Looking');
		expect(callsOf(events)).toMatchObject([{arguments: '{"x":1}', isRunnable: true}]);
	});
});

describe('a JSON reply', () => {
	const reply = (message: object, reason: unknown = 'stop', more: object = {}) =>
		JSON.stringify({id: 'c', choices: [{index: 0, message, finish_reason: reason}], ...more});

	it('with an error keeps its text and usage', () => {
		const events = decodeText(
			reply({content: 'Hi'}, 'error', {error: {message: 'boom'}, usage: {prompt_tokens: 3}}),
		);
		expect(textOf(events, 'text-delta')).toBe('Hi');
		expect(errorOf(events)?.message).toContain('boom');
		expect(errorOf(events)?.details.usage?.raw).toEqual({prompt_tokens: 3});
	});

	it.each([
		['{"status":"ok"}', 'not a chat completion'],
		['[{"error":{"message":"bad key"}}]', 'bad key'],
		['two\nlines', 'not a chat completion: two'],
		['\u0000\u0001', 'not a chat completion: bytes that are not text'],
	])('%s is refused: %s', (text, message) => {
		const error = errorOf(decodeText(text));
		expect(error?.message).toContain(message);
		expect(error?.details.retryable).not.toBe(true);
	});

	it('that is nested without end is not a chat completion', () => {
		const depth = 30_000;
		for (const text of [
			'['.repeat(depth) + ']'.repeat(depth),
			`{"choices":[{"delta":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}]}`,
		]) {
			expect(errorOf(decodeText(text))?.kind).toBe('protocol');
			expect(errorOf(decodeText(`data: ${text}\n\n`))?.kind).toBe('protocol');
		}
	});
});

describe('a name that every object has', () => {
	it('is kept as it is', () => {
		const hostile = '__proto__';
		const called = {name: hostile, arguments: `{"${hostile}":1}`};
		const call = {index: 0, id: hostile, function: called};
		const pollution = `"${hostile}":{"polluted":1}`;
		const delta = `{${pollution},"content":"${hostile}","tool_calls":[${JSON.stringify(call)}]}`;
		const choice = `{${pollution},"delta":${delta},"finish_reason":"${hostile}"}`;
		const chunk = `{${pollution},"id":"${hostile}","choices":[${choice}],"usage":{"${hostile}":1}}`;
		expect(decodeText(`data: ${chunk}\n\n`)).toMatchObject([
			{type: 'step-start', id: hostile},
			{type: 'text-delta', text: hostile},
			{type: 'tool-call-start', callId: hostile, name: hostile},
			{type: 'tool-call-delta', callId: hostile},
			{type: 'notice', notice: {code: 'finish-unknown'}},
			{type: 'tool-call', call: {callId: hostile, name: hostile, isRunnable: true}},
			{type: 'step-end', finishReason: {kind: 'unknown', raw: hostile}},
			{type: 'turn-end'},
		]);
		expect({}).not.toHaveProperty('polluted');
	});
});

it('a JSON body that is whole and not valid is not called cut off', () => {
	const told = (end: BodyEnd) => errorOf(decodeText('{"choices":[}', end))?.message;
	expect(told(wholeEnd)).toMatch(/ sent a reply that is not valid JSON$/);
	expect(told(closedEnd)).toMatch(/ was cut off: its JSON is not valid$/);
});

it.each(['[', '<'])('a body of %s without end is refused before its end', (piece) => {
	const decoder = createDecoder();
	let length = 0;
	for (; !decoder.isDone && length < 10_000_000; length += 100_000) {
		decoder.push(Buffer.from(piece.repeat(100_000)));
	}
	expect(length).toBeLessThan(2_000_000);
	if (decoder.error === undefined) decoder.end(closedEnd);
	expect(decoder.error?.message).toMatch(/ sent a reply that is not a chat completion: a /);
});

it('half a JSON body with two million spaces in it is read in linear time', () => {
	const events = decodeText(`{"choices":${' '.repeat(2_000_000)}[`);
	expect(errorOf(events)?.kind).toBe('protocol');
});

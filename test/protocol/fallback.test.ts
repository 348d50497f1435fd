import {describe, expect, it} from 'vitest';
import {findFallback, noQuirks, quirksOf} from '../../src/protocol/chat-completions/fallback.ts';

const fullBody = JSON.stringify({
	messages: [{role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: []}],
	stream: true,
	stream_options: {include_usage: true},
	max_tokens: 5,
});

const learn = (said: string, status = 400, body = fullBody, quirks = noQuirks) =>
	findFallback(quirks, status, said, body)?.quirks;

describe('a refusal', () => {
	it.each([
		['extra_forbidden: body.stream_options', {hasStreamOptions: false}],
		[
			'body.stream_options.include_usage: Extra inputs are not permitted',
			{hasStreamOptions: false},
		],
		[
			"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
			{tokenLimitField: 'max_completion_tokens'},
		],
		['messages.0.reasoning_content: Extra inputs are not permitted', {isReasoningReplayed: false}],
		['unknown field reasoning', {isReasoningReplayed: false}],
		['invalid message content type: <nil>', {emptyContent: ''}],
	])('"%s" leads to one fallback', (said, learned) => {
		for (const status of [400, 422]) {
			expect(learn(said, status)).toEqual({...noQuirks, ...learned});
		}
	});

	it.each([401, 404, 413, 429, 500, undefined])('with status %s leads to none', (status) => {
		const said = 'stream_options is unknown';
		expect(findFallback(noQuirks, status, said, fullBody)).toBeUndefined();
	});

	it.each([
		['stream_options', {messages: [{content: 'x'}], stream: false}],
		['max_tokens', {messages: [{content: 'x'}]}],
		['reasoning_content', {messages: [{content: 'x'}]}],
		['content', {messages: [{content: 'x'}]}],
		['stream_options', {messages: [{content: 'what is "stream_options"?'}]}],
	])('that names %s, which was not sent, teaches nothing', (said, body) => {
		expect(learn(said, 400, JSON.stringify(body))).toBeUndefined();
	});

	it('that names nothing known teaches nothing', () => {
		for (const said of ['', 'bad request', 'model not found', 'unreasonable']) {
			expect(learn(said)).toBeUndefined();
		}
	});

	it('leads to each fallback once', () => {
		const said = 'stream_options, max_tokens, reasoning and content are wrong';
		const seen: unknown[] = [];
		for (let quirks = noQuirks; ; ) {
			const next = learn(said, 400, fullBody, quirks);
			if (next === undefined) break;
			quirks = next;
			seen.push(next);
		}
		expect(seen).toHaveLength(4);
		expect(seen.at(-1)).toEqual({
			...noQuirks,
			hasStreamOptions: false,
			tokenLimitField: 'max_completion_tokens',
			isReasoningReplayed: false,
			emptyContent: '',
			responseFormat: 'any',
		});
	});
});

it.each([
	['https://api.openai.com/v1', 'max_completion_tokens'],
	['https://eu.api.openai.com/v1', 'max_completion_tokens'],
	['https://notapi.openai.com/v1', 'max_tokens'],
	['https://api.openai.com.example/v1', 'max_tokens'],
	['http://127.0.0.1:8080/v1', 'max_tokens'],
])('%s gets %s in the first request', (url, field) => {
	expect(quirksOf(new URL(url)).tokenLimitField).toBe(field);
});

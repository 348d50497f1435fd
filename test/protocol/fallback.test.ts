import {describe, expect, it} from 'vitest';
import {
	findFallback,
	noQuirks,
	quirksOf,
	toolImagesTitle,
} from '../../src/protocol/chat-completions/fallback.ts';

const fullBody = JSON.stringify({
	model: 'm-vision-reasoning',
	messages: [
		{role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: []},
		{role: 'user', content: toolImagesTitle},
	],
	tools: [{}],
	response_format: {type: 'json_schema', json_schema: {}},
	stream: true,
	stream_options: {include_usage: true},
	max_tokens: 5,
	temperature: 1,
});

const learn = (
	said: string,
	status: number | undefined = 400,
	body = fullBody,
	quirks = noQuirks,
) => findFallback(quirks, {status, serviceMessage: said}, body)?.quirks;

describe('a refusal', () => {
	it.each([
		['extra_forbidden: body.stream_options', {hasStreamOptions: false}],
		[
			'body.stream_options.include_usage: Extra inputs are not permitted',
			{hasStreamOptions: false},
		],
		['Unrecognized request argument supplied: stream_options', {hasStreamOptions: false}],
		[
			"Additional properties are not allowed ('stream_options' was unexpected)",
			{hasStreamOptions: false},
		],
		[
			"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
			{tokenLimitField: 'max_completion_tokens'},
		],
		[
			'max_tokens is too old, please use max_completion_tokens',
			{tokenLimitField: 'max_completion_tokens'},
		],
		['This model does not support response format `json_schema`.', {responseFormat: 'json_object'}],
		['This response_format type is unavailable now', {responseFormat: 'json_object'}],
		["Invalid schema for response_format 'n': In context=()", {responseFormat: 'json_object'}],
		['`temperature` is deprecated for this model.', {hasTemperature: false}],
		[
			'Function tools with reasoning_effort are not supported for m-vision-reasoning in /v1/chat/completions. Please use /v1/responses instead.',
			{toolModelWithoutReasoning: 'm-vision-reasoning'},
		],
		['messages.0.reasoning_content: Extra inputs are not permitted', {isReasoningReplayed: false}],
		["'messages.2': property 'reasoning' is unsupported", {isReasoningReplayed: false}],
		['Please remove the reasoning_content from your message', {isReasoningReplayed: false}],
		['unknown field reasoning', {isReasoningReplayed: false}],
		['m-vision-reasoning is not a multimodal model', {hasToolImages: false}],
		['At most 0 image(s) may be provided in one request.', {hasToolImages: false}],
		['invalid message content type: <nil>', {emptyContent: ''}],
		["Invalid value for 'content': expected a string, got null.", {emptyContent: ''}],
		["'messages.1.content': value must be a string", {emptyContent: ''}],
	])('"%s" leads to one fallback', (said, learned) => {
		for (const status of [400, 422]) {
			expect(learn(said, status)).toEqual({...noQuirks, ...learned});
		}
	});

	it.each([
		'The prompt was filtered by the content management policy.',
		'The prompt was refused: its content violates the policy on images of people.',
		'max_tokens is too large: 999999. This model supports at most 16384 completion tokens.',
		'Could not finish the message because max_tokens or model output limit was reached.',
		'`max_completion_tokens` must be less than or equal to `8192`',
		"Invalid 'messages[0].content': string too long. Expected a string with maximum length 9.",
		'The `reasoning_content` in the thinking mode must be passed back to the API.',
		'The model m-vision-reasoning is not supported.',
		'The requests with stream_options, response_format and images of today are used up.',
		'temperature must be between 0 and 2. This key is not allowed here.',
	])('"%s", which only mentions fields, leads to none', (said) => {
		expect(learn(said)).toBeUndefined();
	});

	it.each([
		['stream_options', {hasStreamOptions: false}],
		['response_format', {responseFormat: 'json_object'}],
		['messages[0].reasoning_content', {isReasoningReplayed: false}],
	])('that names %s as its cause leads to one, whatever its words', (param, learned) => {
		const refusal = {status: 400, serviceMessage: '请求参数错误', param};
		expect(findFallback(noQuirks, refusal, fullBody)?.quirks).toEqual({...noQuirks, ...learned});
	});

	it.each([
		['invalid_value', undefined],
		['unsupported_parameter', {...noQuirks, tokenLimitField: 'max_completion_tokens'}],
	])('that names max_tokens as its cause, with the code %s', (code, learned) => {
		const refusal = {status: 400, serviceMessage: 'No.', param: 'max_tokens', code};
		expect(findFallback(noQuirks, refusal, fullBody)?.quirks).toEqual(learned);
	});

	it.each([401, 404, 413, 429, 500, undefined])('with status %s leads to none', (status) => {
		const said = 'unknown field stream_options';
		expect(findFallback(noQuirks, {status, serviceMessage: said}, fullBody)).toBeUndefined();
	});

	it.each([
		['stream_options', {messages: [{content: 'x'}], stream: false}],
		['max_tokens', {messages: [{content: 'x'}]}],
		['reasoning_content', {messages: [{content: 'x'}]}],
		['null as content', {messages: [{content: 'x'}]}],
		['stream_options', {messages: [{content: 'what is "stream_options"?'}]}],
	])('of %s, which was not sent, teaches nothing', (field, body) => {
		expect(learn(`not supported: ${field}`, 400, JSON.stringify(body))).toBeUndefined();
	});

	it('that names nothing known teaches nothing', () => {
		for (const said of ['', 'bad request', 'model not found', 'unreasonable']) {
			expect(learn(said)).toBeUndefined();
		}
	});

	it('leads to each fallback once', () => {
		const said = 'not supported: stream_options, max_tokens, reasoning, null as content';
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

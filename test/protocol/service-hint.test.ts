/** The hints that depend on more than one reply; the others have wire cases. */
import {describe, expect, it, test} from 'vitest';
import {lineHint} from '../../src/hint.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import {explainRefusal} from '../../src/protocol/errors/common-refusals.ts';
import type {ErrorContext, WireWords} from '../../src/protocol/errors/error-context.ts';
import {readErrorBody} from '../../src/protocol/errors/parse-error-body.ts';

type Changes = {
	readonly waitMs?: number;
	readonly address?: Partial<WireWords>;
} & Partial<ErrorContext>;

const {words} = createChatCompletions(new URL('https://api.test/v1'));

function explain(status: number, body: unknown = '', {waitMs, address, ...changes}: Changes = {}) {
	const context = {
		url: new URL('https://api.test/v1/chat/completions'),
		words: {...words, ...address},
		model: 'm-test',
		keySource: 'CHAT_API_KEY',
		isModelChosen: true,
		...changes,
	};
	const parsed = readErrorBody(typeof body === 'string' ? body : JSON.stringify(body));
	return explainRefusal({...parsed, status, waitMs, context});
}

const hintOf = (...refusal: Parameters<typeof explain>) => explain(...refusal).hint;

const lengthWords = [
	'prompt is too long: 210000 tokens > 200000 maximum',
	'the request exceeds the available context size, try increasing it',
	'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
	'Your input exceeds the context window of this model. Please adjust your input and try again.',
];

test.each(lengthWords)('a refusal for length is known: %s', (message) => {
	expect(explain(400, {error: {message}}).isTooLong).toBe(true);
});

test.each(['max_tokens must be at most 4096', 'messages is too long: at most 100'])(
	'another refusal is not: %s',
	(message) => {
		expect(explain(400, {error: {message}}).isTooLong).toBeUndefined();
	},
);

describe('a refusal', () => {
	const refusedBy = (message: string, more: object = {}) =>
		explain(400, {error: {message, ...more}}, {model: 'grok-reasoning'}).refusedParts ?? [];

	it.each([
		['body.stream_options.include_usage: Extra inputs are not permitted', 'stream_options'],
		["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens'],
		['This response_format type is unavailable now', 'json_schema'],
		["Invalid schema for response_format 'n': In context=()", 'json_schema'],
		["Unsupported value: 'top_p' does not support 0.1 with this model.", 'top_p'],
		[
			'Function tools with reasoning_effort are not supported for grok-reasoning in /v1/chat/completions. Please use /v1/responses instead.',
			'reasoning with tools',
		],
		['messages.0.reasoning_content: Extra inputs are not permitted', 'earlier reasoning'],
		['Please remove the reasoning_content from your message', 'earlier reasoning'],
		['grok-reasoning is not a multimodal model', 'images of tools'],
		["Invalid value for 'content': expected a string, got null.", 'null content'],
		["'messages.1.content': value must be a string", 'null content'],
	])('of a field is known: %s', (message, part) => {
		expect(refusedBy(message)[0]).toBe(part);
	});

	it.each([
		['response_format', 'json_schema'],
		['messages[0].reasoning_content', 'earlier reasoning'],
	])('is known by its cause %s, whatever its words', (param, part) => {
		expect(refusedBy('请求参数错误', {param})[0]).toBe(part);
	});

	it.each([
		['unsupported_parameter', ['max_tokens']],
		['invalid_value', []],
	])('that names max_tokens as its cause, with the code %s, refuses %j', (code, parts) => {
		expect(refusedBy('No.', {param: 'max_tokens', code})).toEqual(parts);
	});

	// The content of a prompt.
	it.each([
		'Images of real people are not allowed by the content policy.',
		'Streaming of this content is not allowed by the moderation policy',
		'Your input was flagged. Unsupported content: null',
		// The value of a field.
		'max_tokens 999999 is not supported by this model, which takes at most 16384.',
		'max_tokens: values above 8192 are not allowed',
		'`max_completion_tokens` must be less than or equal to `8192`',
		'temperature 3 is not allowed; it must be between 0 and 2.',
		// Something else.
		'The `reasoning_content` in the thinking mode must be passed back to the API.',
		'This model does not support reasoning effort.',
		"Missing required parameter: 'messages[1].content[0].type'.",
		'Invalid JSON schema for tool f: expected an object',
		'tools[0].function.parameters: must be a valid JSON schema',
		'The model grok-reasoning is not supported.',
		'The requests with stream_options, response_format and images of today are used up.',
		"Generated JSON does not match the expected schema. Please adjust your prompt. See 'failed_generation' for more details. Error: jsonschema: '/a' does not validate with schema.json: expected string",
		'',
	])('is of no field: %s', (message) => {
		const parts = refusedBy(message);
		expect(parts.filter((part) => part !== 'reasoning_effort')).toEqual([]);
	});

	it.each([
		['content_filter', 'rejected'],
		['invalid_api_key', 'auth'],
	])('with the code %s is not about a field that it names', (code, kind) => {
		const message = 'Streaming is not supported for this account. Content not allowed: null';
		const {kind: found, refusedParts} = explain(400, {error: {message, code}});
		expect({found, refusedParts}).toEqual({found: kind, refusedParts: []});
	});
});

const otherModel = {repl: 'Choose another model with /model.'};

describe('the hint', () => {
	it('for a refused key names its source, or says that none was sent', () => {
		const refused = 'The service does not accept the key from CHAT_API_KEY.';
		expect(hintOf(401)).toContain(refused);
		expect(hintOf(403)).toContain('The service denied access to the key from CHAT_API_KEY.');
		const expired = {message: 'API key expired.', details: [{reason: 'API_KEY_INVALID'}]};
		expect(hintOf(400, {error: expired})).toContain(refused);
		const withoutHeader = {keySource: undefined, authHeader: 'none'};
		expect(hintOf(401, '', withoutHeader)).toContain('auth-header is none');
		for (const keySource of ['CHAT_API_KEY', undefined]) {
			const hint = hintOf(401, '', {keySource, isKeyReadAgain: true});
			expect(hint).toContain('next prompt');
		}
	});

	it.each([
		['https://openrouter.ai', 'openrouter:'],
		['http://192.0.2.1', 'http://192.0.2.1 --insecure-http'],
	])('for a missing key of %s has a command that works anywhere', (origin, words) => {
		const hint = hintOf(401, '', {keySource: undefined, url: new URL('/v1', origin)});
		expect(hint).toBe(`No API key was sent. To store one: chat auth set --base-url ${words}`);
	});

	it('for a key in the wrong header names the right one', () => {
		for (const [words, header] of [
			['Access denied due to invalid subscription key or wrong API endpoint.', 'api-key'],
			['x-api-key header is required', 'x-api-key'],
			["No 'api-key' header was found", 'api-key'],
		]) {
			const body = {error: {code: '401', message: words}};
			expect(hintOf(401, body)).toContain(`--auth-header ${header},`);
			expect(hintOf(401, body, {authHeader: 'api-key'})).toContain('does not accept the key');
			expect(hintOf(401, body, {keySource: undefined})).toContain('No API key was sent.');
		}
		expect(hintOf(401, {error: 'Invalid API-key provided.'})).toContain('does not accept the key');
	});

	it('for words that may be about the model or the path explains both', () => {
		const address = {
			address: {addressHint: 'Another: https://api.test/x', isAddressWrong: true},
		};
		const hintFor = (words: string) => hintOf(404, {message: words}, address);
		expect(hintFor('check the model: it does not exist')).toMatchObject({
			repl: 'Another: https://api.test/x. Choose another model with /model.',
		});
		expect(hintFor('the model m-test does not exist')).toMatchObject(otherModel);
	});

	it.each([
		[400, 'Function tools with reasoning_effort are not supported.', 'Use --reasoning-effort none'],
		[404, 'It is only supported in v1/responses.', 'does not support chat completions'],
		[404, 'This is not a chat model.', 'does not support chat completions'],
	])('for %i "%s" is %s', (status, message, words) => {
		const hint = hintOf(status, {error: {message}}, {chosenFields: ['reasoning_effort']});
		expect(lineHint(hint ?? '')).toContain(words);
	});

	it('for the default model explains how to choose another', () => {
		for (const status of [400, 404]) {
			const body = {error: {message: "model 'm-test' not found"}};
			expect(hintOf(status, body, {isModelChosen: false})).toMatchObject({
				repl: 'No model is set, so the default m-test was requested. Choose one with /model.',
			});
			expect(hintOf(status, body)).toMatchObject(otherModel);
		}
		expect(hintOf(400, {error: 'bad request'}, {isModelChosen: false})).toBeUndefined();
	});

	it.each([
		[400, 'document', '.messages[1]: file must have a file_id or file_data'],
		[500, 'document', 'Unknown part type: file'],
		[400, 'audio', "Unsupported chat content part type: 'input_audio'. Supported types: text"],
		[404, 'image', 'No endpoints found that support image input'],
	] as const)(
		'for a part that the service does not know is about that part: %i %s',
		(status, part, message) => {
			const error = {error: {message}};
			const isAboutPart = (refusal: object, parts = new Set<string>([part])) => {
				const words = part === 'document' ? 'PDFs' : part === 'image' ? 'images' : part;
				return lineHint(hintOf(status, refusal, {parts}) ?? '').includes(
					`may not support ${words}.`,
				);
			};
			expect(isAboutPart(error)).toBe(true);
			expect(isAboutPart(error, new Set())).toBe(false);
			expect(isAboutPart({error: {message: 'context length exceeded'}})).toBe(false);
		},
	);

	it.each([
		['seed', {fieldSources: {seed: '--seed'}}, 'Leave out seed (set by --seed) with /set seed.'],
		[
			'top_k',
			{fieldSources: {top_k: '/set'}, extraFields: {top_k: 40}},
			'Leave out top_k with /set top_k=null.',
		],
		[
			'reasoning_effort',
			{},
			'The model may not reason, or take another field, as in /set thinking.type=enabled. Leave out reasoning_effort with /set reasoning_effort.',
		],
	])('for the refused field %s leaves it out', (field, context, session) => {
		const message = `Unsupported field: ${field}`;
		const chosenFields = [field];
		const hint = hintOf(400, {error: {message}}, {...context, chosenFields});
		expect(hint).toMatchObject({repl: session});
	});

	it('names the proxy that requires a password', () => {
		expect(hintOf(407)).toContain('The proxy requires a user name and password');
		expect(explain(407).kind).toBe('auth');
	});

	it('names the wait that the service requests', () => {
		expect(hintOf(429)).toBe('Try again later.');
		expect(hintOf(429, '', {waitMs: 300})).toBe('The service asks to wait 0.3 s.');
		expect(hintOf(503, '', {waitMs: 7_200_000})).toBe('The service asks to wait 2 h.');
		expect(hintOf(503)).toBeUndefined();
	});
});

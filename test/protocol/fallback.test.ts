/** A refused field is replaced once, and the replacement is remembered. */
import {afterEach, describe, expect, it} from 'vitest';
import {
	type AnswerMessage,
	type Conversation,
	createConversation,
} from '../../src/chat/conversation.ts';
import type {ChatOptions} from '../../src/chat/message.ts';
import type {ToolSource} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import {createStreamChat} from '../../src/protocol/stream-chat.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {openConversation} from '../helpers/conversation.ts';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {type ReplayServer, startReplayServer} from '../helpers/replay-server.ts';
import {ask, toEvent, wideLimits} from './raw-server.ts';

let server: ReplayServer;
afterEach(() => server.close());

const answer: ReplayReply = {
	status: 200,
	headers: {'content-type': 'text/event-stream'},
	bodyChunks: [toEvent('Hi', 'stop'), 'data: [DONE]\n\n'],
};

function refusal(message: string, status = 400, details: object = {}): ReplayReply {
	const error = {message, type: 'invalid_request_error', ...details};
	return {
		status,
		headers: {'content-type': 'application/json'},
		bodyChunks: [JSON.stringify({error})],
	};
}

const tools: ToolSource = {
	tools: [{definition: {name: 'f', description: undefined, parameters: {type: 'object'}}}],
	onChange: () => () => undefined,
	takeNotices: () => [],
	close: async () => undefined,
};

type Talk = {
	/** Asks once more, with the same client. */
	ask(options?: Partial<ChatOptions>, tools?: ToolSource): ReturnType<typeof collectTurn>;
	/** The bodies of all requests so far. */
	bodies(): ReadonlyArray<Record<string, unknown>>;
};

async function talk(
	replies: readonly ReplayReply[],
	maxRetries = 2,
	before: Conversation = createConversation(),
): Promise<Talk> {
	server = await startReplayServer(replies);
	const streamChat = createStreamChat({
		wire: createChatCompletions(server.url),
		limits: {...wideLimits, maxRetries},
	});
	const conversation = openConversation('Hello?', before);
	return {
		ask: (options, tools) =>
			collectTurn(
				runTurn({
					tools,
					conversation,
					options: {model: 'm-test', isStreaming: true, ...options},
					streamChat,
					signal: new AbortController().signal,
				}),
			),
		bodies: () => server.requests.map(({body}) => JSON.parse(body)),
	};
}

const messages: readonly AnswerMessage[] = [
	{
		role: 'assistant',
		status: 'complete',
		model: 'grok-reasoning',
		parts: [
			{type: 'reasoning', text: 'hm', providerData: {field: 'reasoning_content'}},
			{type: 'tool-call', call: {callId: 'a', name: 'f', arguments: '{}', isRunnable: true}},
		],
	},
	{role: 'tool', callId: 'a', ...textOutput('x', false)},
];
const times = {startedAt: 0, reasoningMs: 0, totalMs: 0};
const turn = {
	...{id: 'turn-1', prompt: {text: 'List.', attachments: []}, model: 'grok-reasoning'},
	...({messages, times, status: 'complete'} as const),
};
const thought: Conversation = {...createConversation(), turns: [turn]};

const image = {type: 'image', url: 'data:image/png;base64,iVBORw0KGgo='} as const;
const withImages: Conversation = {
	...createConversation(),
	turns: [
		{
			...turn,
			messages: messages.map((one) => (one.role === 'tool' ? {...one, parts: [image]} : one)),
		},
	],
};

describe('a refusal', () => {
	it.each([401, 404, 413])('with status %i leads to no other request', async (status) => {
		const {ask, bodies} = await talk([refusal('unknown field stream_options', status), answer]);
		expect(await ask()).toMatchObject({isComplete: false, notices: []});
		expect(bodies()).toHaveLength(1);
	});

	it.each(['stream_options', 'max_tokens', 'reasoning_content', 'null as content'])(
		'of %s, which was not sent, leads to no other request',
		async (field) => {
			const {ask, bodies} = await talk([refusal(`not supported: ${field}`), answer]);
			expect((await ask({isStreaming: false})).error?.kind).toBe('rejected');
			expect(bodies()).toHaveLength(1);
		},
	);

	it('of several fields leads to a request for each, at most', async () => {
		const said = 'not supported: stream_options, max_tokens, reasoning, null as content';
		const {ask, bodies} = await talk([refusal(said)], 2, withImages);
		const {notices} = await ask({model: 'grok-reasoning', maxTokens: 5});
		expect(new Set(notices.map(({message}) => message)).size).toBe(4);
		expect(bodies()).toHaveLength(5);
	});

	it('in a reply that began well leads to another request', async () => {
		const error = {code: 400, message: 'unknown field stream_options'};
		const refused = {...answer, bodyChunks: [`data: ${JSON.stringify({error})}\n\n`]};
		const {ask} = await talk([refused, answer]);
		expect(await ask()).toMatchObject({attempts: 2, isComplete: true});
	});
});

it.each([
	['https://api.openai.com/v1', 'max_completion_tokens'],
	['https://eu.api.openai.com/v1', 'max_completion_tokens'],
	['https://notapi.openai.com/v1', 'max_tokens'],
	['https://api.openai.com.example/v1', 'max_tokens'],
	['http://127.0.0.1:8080/v1', 'max_tokens'],
])('%s gets %s in the first request', (url, field) => {
	const options = {model: 'm', isStreaming: true, maxTokens: 5};
	const {body} = createChatCompletions(new URL(url)).encode({messages: [], options});
	expect(JSON.parse(body)).toHaveProperty(field, 5);
});

describe('a service that refuses a field', () => {
	it.each([400, 422])('stream_options with %i gets the request without it', async (status) => {
		const {ask, bodies} = await talk([refusal('unknown field stream_options', status), answer]);
		const turn = await ask();
		expect(turn).toMatchObject({content: 'Hi', isComplete: true, attempts: 2});
		expect(turn.notices.map(({code}) => code)).toEqual(['fallback']);
		const [first, second] = bodies();
		const {stream_options, ...rest} = first ?? {};
		expect(stream_options).toEqual({include_usage: true});
		expect(second).toEqual(rest);
	});

	it('does not get that field in later turns', async () => {
		const {ask, bodies} = await talk([refusal('unknown field stream_options'), answer]);
		await ask();
		const turn = await ask();
		expect(turn).toMatchObject({isComplete: true, attempts: 1, notices: []});
		expect(bodies()).toHaveLength(3);
		expect(bodies()[2]).not.toHaveProperty('stream_options');
	});

	it('max_tokens gets max_completion_tokens, and gets it in later turns', async () => {
		const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
		const {ask, bodies} = await talk([refusal(message), answer]);
		await ask({maxTokens: 5});
		await ask({maxTokens: 6});
		const limits = bodies().map((body) => [body['max_tokens'], body['max_completion_tokens']]);
		expect(limits).toEqual([
			[5, undefined],
			[undefined, 5],
			[undefined, 6],
		]);
	});

	it('gets only one request without retries', async () => {
		const {ask, bodies} = await talk([refusal('unknown field stream_options'), answer], 0);
		const turn = await ask();
		expect(turn.error).toMatchObject({kind: 'rejected', details: {attempts: 1}});
		expect(turn.notices).toEqual([]);
		expect(bodies()).toHaveLength(1);
	});

	it.each([
		['json_object', 'Answer with nothing but one JSON object.', ['json_object', undefined]],
		[
			{name: 'n', schema: {type: 'object'}},
			'Answer with nothing but JSON that fits this JSON Schema:\n{"type":"object"}',
			['json_schema', 'json_object', undefined],
		],
	] as const)('response_format gets the request without it: %j', async (format, words, forms) => {
		const refused = refusal('response_format is not supported');
		const {ask, bodies} = await talk([...forms.slice(1).map(() => refused), answer]);
		const turn = await ask({responseFormat: format});
		expect(turn).toMatchObject({isComplete: true, attempts: forms.length});
		const sent = bodies().map((body) => (body['response_format'] as {type?: string})?.type);
		expect(sent).toEqual(forms);
		expect(bodies().at(-1)?.['messages']).toEqual([
			{role: 'system', content: words},
			{role: 'user', content: 'Hello?'},
		]);
	});

	it.each([
		['temperature', "Unsupported value: 'temperature' does not support 0.7 with this model."],
		['top_p', "Unsupported parameter: 'top_p' is not supported with this model."],
		['stream', 'Your organization must be verified to stream this model.'],
		['stream', "This model doesn't support streaming."],
	])('%s gets the request without it: %s', async (field, message) => {
		const {ask, bodies} = await talk([refusal(message), answer]);
		expect(await ask({temperature: 0.7, topP: 0.5})).toMatchObject({
			isComplete: true,
			notices: [{code: 'fallback', message: expect.stringMatching(/; retrying without/)}],
		});
		const [first, second] = bodies();
		const changed = Object.keys(first ?? {}).filter((key) => first?.[key] !== second?.[key]);
		expect(changed.filter((key) => key !== 'messages' && key !== 'stream_options')).toEqual([
			field,
		]);
	});

	it.each(['Please use', "To use function tools, set reasoning_effort to 'none' or use"])(
		'tools while the model reasons gets the request without reasoning: %s',
		async (advice) => {
			const message = `Function tools with reasoning_effort are not supported for m-test in /v1/chat/completions. ${advice} /v1/responses instead.`;
			const {ask, bodies} = await talk([refusal(message), answer]);
			const fieldSources = {reasoning_effort: '--reasoning-effort'};
			expect(await ask({fieldSources}, tools)).toMatchObject({
				isComplete: true,
				notices: [
					{
						code: 'fallback',
						message:
							'this model cannot reason and use tools over chat completions; retrying without reasoning (set by --reasoning-effort)',
					},
				],
			});
			await ask({reasoningEffort: 'high'}, tools);
			await ask({reasoningEffort: 'high'});
			await ask({model: 'another'}, tools);
			const efforts = bodies().map((body) => body['reasoning_effort']);
			expect(efforts).toEqual([undefined, 'none', 'none', 'high', undefined]);
		},
	);

	it('reasoning gets the request without it', async () => {
		const message = 'messages.1.reasoning_content: Extra inputs are not permitted';
		const {ask, bodies} = await talk([refusal(message, 422), answer], 2, thought);
		expect(await ask({model: 'grok-reasoning'})).toMatchObject({isComplete: true});
		const sent = bodies().map(({messages}) =>
			JSON.stringify(messages).includes('reasoning_content'),
		);
		expect(sent).toEqual([true, false]);
	});

	it.each([
		'This model does not support image input.',
		'messages[3]: unknown variant `image_url`, expected `text`',
	])('images of tools gets the request with their names: %s', async (message) => {
		const {ask, bodies} = await talk([refusal(message), answer, answer], 2, withImages);
		expect(await ask()).toMatchObject({isComplete: true, notices: [{code: 'fallback'}]});
		await ask();
		await ask({model: 'another'});
		const [first, second, third, fourth] = bodies();
		expect(first?.['messages']).toHaveLength(5);
		expect(fourth?.['messages']).toHaveLength(5);
		const named = [{}, {}, {content: '[image/png, 8 bytes]'}, {content: 'Hello?'}];
		expect([second, third]).toMatchObject([{messages: named}, {messages: named}]);
	});

	it('null gets the request with an empty text', async () => {
		const message = 'invalid message content type: <nil>';
		const {ask, bodies} = await talk([refusal(message), answer], 2, thought);
		expect(await ask({model: 'grok-reasoning'})).toMatchObject({isComplete: true});
		expect(bodies()[1]).toMatchObject({messages: [{}, {content: ''}, {}, {}]});
	});
});

describe('a service that fails temporarily', () => {
	const busy = (headers: Record<string, string>): ReplayReply => ({
		...refusal('slow down', 429),
		headers,
	});

	it('gets the request again after the requested time, with a notice', async () => {
		const {ask} = await talk([busy({'retry-after-ms': '20'}), answer]);
		const turn = await ask();
		expect(turn).toMatchObject({isComplete: true, attempts: 2});
		expect(turn.notices).toMatchObject([{code: 'retry', retry: {reason: '429 slow down'}}]);
		expect(turn.notices[0]?.message).toMatch(/^retrying in 20 ms \(1 of 2\): .*slow down$/);
	});

	it('gets three requests at most', async () => {
		const {ask, bodies} = await talk([busy({'retry-after-ms': '1'})]);
		expect((await ask()).error).toMatchObject({kind: 'busy', details: {attempts: 3}});
		expect(bodies()).toHaveLength(3);
	});

	it('keeps its retries after a fallback', async () => {
		const again = busy({'retry-after-ms': '1'});
		const {ask} = await talk([again, refusal('unknown field stream_options'), again, answer]);
		expect(await ask()).toMatchObject({isComplete: true, attempts: 4});
	});

	it('gets the request again after a cut reply only if nothing was shown', async () => {
		const nothing: ReplayReply = {...answer, bodyChunks: [': x\n\n'], end: 'reset'};
		const something: ReplayReply = {...answer, bodyChunks: [toEvent('Hi')], end: 'reset'};
		const {ask, bodies} = await talk([nothing, something, answer]);
		expect(await ask()).toMatchObject({content: 'Hi', isComplete: false, attempts: 2});
		expect(bodies()).toHaveLength(2);
	});

	it('ends its wait when the turn is stopped', async () => {
		server = await startReplayServer([busy({'retry-after': '30'})]);
		const controller = new AbortController();
		const stream = ask(server.url, {signal: controller.signal, limits: {maxRetries: 2}});
		expect((await stream.next()).value).toMatchObject([{notice: {code: 'retry'}}]);
		const stop = new Error('stop');
		const rest = stream.next();
		controller.abort(stop);
		expect((await rest).value).toMatchObject([{type: 'error', error: {message: 'stop'}}]);
	});
});

/** A refused field is replaced once, and the replacement is remembered. */
import {describe, expect, it, onTestFinished} from 'vitest';
import {
	type AnswerMessage,
	type Conversation,
	createConversation,
	messagesOf,
} from '../../src/chat/conversation.ts';
import type {ChatOptions} from '../../src/chat/message.ts';
import type {ToolSource} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import type {OptionalPart} from '../../src/protocol/chat-completions/words.ts';
import {createStreamChat} from '../../src/protocol/stream-chat.ts';
import type {Wire} from '../../src/protocol/wire.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {openConversation} from '../helpers/conversation.ts';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {startReplayServer} from '../helpers/replay-server.ts';
import {ask, toEvent, wideLimits} from './raw-server.ts';

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
	const server = await startReplayServer(replies);
	onTestFinished(() => server.close());
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

const schema = {type: 'object'};
const format = {responseFormat: {name: 'n', schema}};
const hello = {role: 'user', content: 'Hello?'};
const told = (content: string) => [{role: 'system', content}, hello];
const byWords = told('Answer with nothing but one JSON object.');
const bySchema = told(
	'Answer with nothing but JSON that fits this JSON Schema:\n{"type":"object"}',
);

describe('a part that was refused', () => {
	const wire = createChatCompletions(new URL('http://service.test'));

	/** The messages of a conversation are given; the options are those of `m-test`. */
	function encode(by: Wire, options: object, before = createConversation()) {
		const messages = messagesOf(openConversation('Hello?', before));
		return JSON.parse(
			by.encode({messages, options: {model: 'm-test', isStreaming: true, ...options}}).body,
		);
	}

	function without(part: OptionalPart): Wire {
		const refusal = wire.words.refusals.find(({about}) => about === part);
		if (refusal === undefined) throw new Error(`nothing refuses ${part}`);
		return wire.without(refusal, 'm-test');
	}

	it.each<[OptionalPart, options: object, changes: object, isOfModel?: 'of this model']>([
		['stream_options', {}, {stream_options: undefined}],
		['max_tokens', {maxTokens: 5}, {max_tokens: undefined, max_completion_tokens: 5}],
		['stream', {}, {stream: false, stream_options: undefined}, 'of this model'],
		['temperature', {temperature: 0}, {temperature: undefined}, 'of this model'],
		['top_p', {topP: 0}, {top_p: undefined}, 'of this model'],
		['reasoning with tools', {tools: [{name: 'f'}]}, {reasoning_effort: 'none'}, 'of this model'],
		[
			'json_schema',
			format,
			{response_format: {type: 'json_object'}, messages: bySchema},
			'of this model',
		],
		['response_format', format, {response_format: undefined, messages: bySchema}],
		[
			'response_format',
			{responseFormat: 'json_object'},
			{response_format: undefined, messages: byWords},
		],
		['unmentioned JSON', {responseFormat: 'json_object'}, {messages: byWords}],
	])('is replaced: %s of %j by %j', (part, options, changes, isOfModel) => {
		const changed = {...encode(wire, options), ...changes};
		expect(encode(without(part), options)).toEqual(JSON.parse(JSON.stringify(changed)));
		const other = {...options, model: 'm-other'};
		const left = isOfModel === undefined ? changed : encode(wire, options);
		expect(encode(without(part), other)).toEqual({
			...JSON.parse(JSON.stringify(left)),
			model: 'm-other',
		});
	});

	it('is described behind the words of a system message', () => {
		const {messages} = encode(without('response_format'), format, createConversation('Be brief.'));
		expect(messages).toEqual([
			{role: 'system', content: `Be brief.\n\n${bySchema[0]?.content}`},
			hello,
		]);
	});

	it('is replaced in earlier messages: reasoning, no content, images of tools', () => {
		const sent = (by: Wire, before: Conversation) =>
			encode(by, {model: 'grok-reasoning'}, before).messages;
		const before = sent(wire, thought);
		expect(before[1]).toMatchObject({content: null, reasoning_content: 'hm'});
		const {reasoning_content: _, ...answer} = before[1];
		expect(sent(without('earlier reasoning'), thought)).toEqual(before.toSpliced(1, 1, answer));
		const empty = {...before[1], content: ''};
		expect(sent(without('null content'), thought)).toEqual(before.toSpliced(1, 1, empty));
		const withNames = encode(without('images of tools'), {}, withImages).messages;
		expect(withNames.slice(2)).toMatchObject([{content: '[image/png, 8 bytes]'}, hello]);
		expect(encode(without('images of tools'), {model: 'another'}, withImages).messages).toEqual(
			encode(wire, {model: 'another'}, withImages).messages,
		);
	});
});

describe('a refusal', () => {
	it('leads to the request without the field, with a notice, also in later turns', async () => {
		const {ask, bodies} = await talk([refusal('unknown field stream_options', 422), answer]);
		const turn = await ask();
		expect(turn).toMatchObject({content: 'Hi', isComplete: true, attempts: 2});
		expect(turn.notices.map(({code}) => code)).toEqual(['fallback']);
		expect(await ask()).toMatchObject({isComplete: true, attempts: 1, notices: []});
		const sent = bodies().map((body) => body['stream_options']);
		expect(sent).toEqual([{include_usage: true}, undefined, undefined]);
	});

	it('of a field says who set it', async () => {
		const message =
			'Function tools with reasoning_effort are not supported for m-test in /v1/chat/completions. Please use /v1/responses instead.';
		const {ask} = await talk([refusal(message), answer]);
		const fieldSources = {reasoning_effort: '--reasoning-effort'};
		const {notices} = await ask({fieldSources}, tools);
		expect(notices).toMatchObject([
			{
				message:
					'this model cannot reason and use tools over chat completions; retrying without reasoning (set by --reasoning-effort)',
			},
		]);
	});

	it('of a field that was not sent, or without retries, leads to no other request', async () => {
		const unsent = await talk([refusal('not supported: max_tokens'), answer]);
		expect((await unsent.ask()).error?.kind).toBe('rejected');
		expect(unsent.bodies()).toHaveLength(1);
		const {ask, bodies} = await talk([refusal('unknown field stream_options'), answer], 0);
		const {error, notices} = await ask();
		expect(error).toMatchObject({kind: 'rejected', details: {attempts: 1}});
		expect([notices, bodies().length]).toEqual([[], 1]);
	});

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

describe('a service that fails temporarily', () => {
	const busy = (headers: Record<string, string>): ReplayReply => ({
		...refusal('slow down', 429),
		headers,
	});

	it('gets the request again after the requested time, with a notice, at most as often as set', async () => {
		const {ask, bodies} = await talk([busy({'retry-after-ms': '20'})]);
		const {error, notices} = await ask();
		expect(error).toMatchObject({kind: 'busy', details: {attempts: 3}});
		expect(bodies()).toHaveLength(3);
		expect(notices[0]).toMatchObject({code: 'retry', retry: {reason: '429 slow down'}});
		expect(notices[0]?.message).toMatch(/^retrying in 20 ms \(1 of 2\): .*slow down$/);
	});

	it('keeps its retries after a fallback', async () => {
		const again = busy({'retry-after-ms': '1'});
		const {ask} = await talk([again, refusal('unknown field stream_options'), again, answer]);
		expect(await ask()).toMatchObject({isComplete: true, attempts: 4});
	});

	it('ends its wait when the turn is stopped', async () => {
		const server = await startReplayServer([busy({'retry-after': '30'})]);
		onTestFinished(() => server.close());
		const controller = new AbortController();
		const stream = ask(server.url, {signal: controller.signal, limits: {maxRetries: 2}});
		expect((await stream.next()).value).toMatchObject([{notice: {code: 'retry'}}]);
		const stop = new Error('stop');
		const rest = stream.next();
		controller.abort(stop);
		expect((await rest).value).toMatchObject([{type: 'error', error: {message: 'stop'}}]);
	});
});

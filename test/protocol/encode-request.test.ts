import {describe, expect, it} from 'vitest';
import {messagesOf} from '../../src/chat/conversation.ts';
import type {AssistantMessage, Message, ToolCall} from '../../src/chat/message.ts';
import type {StepOptions} from '../../src/chat/stream-chat.ts';
import type {JsonObject} from '../../src/json.ts';
import {encodeRequest} from '../../src/protocol/chat-completions/encode-request.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {decodeText, toChunk, toEventStream} from './decode-bytes.ts';

const hello: Message = {role: 'user', parts: [{type: 'text', text: 'Hello'}]};

/** As it goes over the wire: what JSON leaves out was not sent. */
function encode(options: Partial<StepOptions> = {}, messages: readonly Message[] = [hello]) {
	const request = {messages, options: {model: 'm-test', isStreaming: false, ...options}};
	return JSON.parse(JSON.stringify(encodeRequest(request, () => false)));
}

const encodeMessages = (messages: readonly Message[]) => encode({}, messages).messages;

const call: ToolCall = {callId: 'call_1', name: 'f', arguments: '{"a":1}', isRunnable: true};
const wireCall = {id: 'call_1', type: 'function', function: {name: 'f', arguments: '{"a":1}'}};

function assistant(
	parts: AssistantMessage['parts'],
	status: AssistantMessage['status'] = 'complete',
): AssistantMessage {
	return {role: 'assistant', parts, status, model: 'm-test'};
}

describe('a request body', () => {
	it('has every option under the name of the service, zeros too, and requests usage', () => {
		const described = {name: 'f', description: 'does', parameters: {type: 'object'}};
		const options = {
			...{isStreaming: true, temperature: 0, topP: 0, maxTokens: 1},
			...({responseFormat: 'json_object', tools: [described, {name: 'g'}]} as const),
		};
		expect(encode(options)).toEqual({
			...{model: 'm-test', messages: [{role: 'user', content: 'Hello'}], stream: true},
			stream_options: {include_usage: true},
			...{temperature: 0, top_p: 0, max_tokens: 1, response_format: {type: 'json_object'}},
			tools: [
				{type: 'function', function: described},
				{type: 'function', function: {name: 'g'}},
			],
		});
	});

	it('has only options that are set', () => {
		const {messages: _, ...rest} = encode({temperature: undefined, tools: []});
		expect(rest).toEqual({model: 'm-test', stream: false});
	});

	it('sends a chosen tool by its name', () => {
		const choice = {type: 'function', function: {name: 'f'}};
		expect(encode({toolChoice: {name: 'f'}}).tool_choice).toEqual(choice);
		expect(encode({toolChoice: 'auto'}).tool_choice).toBe('auto');
	});
});

describe('the content of a message', () => {
	it('with images is an array with the text first', () => {
		const image = {type: 'image', url: 'data:image/png;base64,AA=='} as const;
		const text = {type: 'text', text: 'What?'} as const;
		expect(encodeMessages([{role: 'user', parts: [image, text]}])).toEqual([
			{role: 'user', content: [text, {type: 'image_url', image_url: {url: image.url}}]},
		]);
	});

	it('of an answer is its text and its refusal, in any status, without reasoning', () => {
		const parts = [
			{type: 'reasoning', text: 'hm', field: 'reasoning'},
			{type: 'text', text: 'Yes.'},
			{type: 'refusal', text: ' But no.'},
		] as const;
		for (const status of ['complete', 'interrupted', 'incomplete'] as const) {
			expect(encodeMessages([assistant(parts, status)])).toEqual([
				{role: 'assistant', content: 'Yes. But no.'},
			]);
		}
	});
});

describe('an answer with tool calls', () => {
	it('is followed by the images of its results, after the last of them', () => {
		const png = {type: 'image', url: 'data:image/png;base64,iVBORw0KGgo='} as const;
		const gif = {type: 'image', url: 'data:image/gif;base64,R0lGODlh'} as const;
		const messages: readonly Message[] = [
			assistant([1, 2].map((id) => ({type: 'tool-call', call: {...call, callId: `${id}`}}))),
			{role: 'tool', callId: '1', parts: [{type: 'text', text: 'Here:'}, png], isError: false},
			{role: 'tool', callId: '2', parts: [gif], isError: false},
			hello,
		];
		const results = [
			{role: 'tool', tool_call_id: '1', content: 'Here:\n[image/png, 8 bytes]'},
			{role: 'tool', tool_call_id: '2', content: '[image/gif, 6 bytes]'},
		];
		expect(encodeMessages(messages).slice(1)).toEqual([
			...results,
			{
				role: 'user',
				content: [
					{type: 'text', text: 'Images from the tool results above, in order:'},
					{type: 'image_url', image_url: {url: png.url}},
					{type: 'image_url', image_url: {url: gif.url}},
				],
			},
			{role: 'user', content: 'Hello'},
		]);
	});
});

it.each(['', '[1]'])(
	'an empty object goes back for the arguments %j, which services refuse each time',
	(text) => {
		const broken = {...call, arguments: text, isRunnable: false};
		const [message] = encodeMessages([assistant([{type: 'tool-call', call: broken}])]);
		expect(message.tool_calls[0].function.arguments).toBe('{}');
	},
);

describe('reasoning', () => {
	const thought = (providerData: JsonObject) =>
		assistant([
			{type: 'reasoning', text: 'hm', providerData},
			{type: 'tool-call', call},
		]);

	it.each([
		['reasoning_content', {reasoning_content: 'hm'}],
		['reasoning', {reasoning: 'hm'}],
		['reasoning_details', {}],
		['__proto__', {}],
	])('that came as %s goes back as %j', (field, sent) => {
		expect(encodeMessages([thought({field})])).toEqual([
			{role: 'assistant', content: null, ...sent, tool_calls: [wireCall]},
		]);
	});

	it('that came between text and calls goes back in one field', () => {
		const extra = {google: {thought_signature: 'c2ln'}};
		const chunks = [
			...[{reasoning: 'h'}, {reasoning: 'm '}, {content: 'Look'}, {reasoning: 's'}],
			{tool_calls: [{...wireCall, index: 0, extra_content: extra}]},
			...[{content: 'ing.'}, {reasoning: 'o'}],
		].map((delta) => toChunk(delta));
		const events = decodeText(toEventStream([...chunks, toChunk({}, 'tool_calls')]));
		const messages = messagesOf(reduceAll(openConversation('Where?'), events));
		expect(encode({}, JSON.parse(JSON.stringify(messages))).messages[1]).toEqual({
			role: 'assistant',
			content: 'Looking.',
			reasoning: 'hm so',
			tool_calls: [{...wireCall, extra_content: extra}],
		});
	});

	it('does not go back to another model', () => {
		const [message] = encode({model: 'm-other'}, [thought({field: 'reasoning'})]).messages;
		expect(message).not.toHaveProperty('reasoning');
	});
});

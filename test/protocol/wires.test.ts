/** The laws of a reply over each of the wires, and what the clients of some of them send back. */
import {expect, it} from 'vitest';
import {messagesOf} from '../../src/chat/conversation.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import {createMessages} from '../../src/protocol/messages/messages.ts';
import {createResponses} from '../../src/protocol/responses/responses.ts';
import {pixel} from '../helpers/camera-source.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {describeWire} from '../helpers/wire-contract.ts';
import {decodeText, toChunk, toEventStream} from './decode-bytes.ts';
import {block, blockEnd, delta, json, messageEnd, messageStart, text} from './messages-events.ts';

const url = new URL('http://service.test/v1');

const toChunks = (...deltas: object[]) => toEventStream(deltas.map((delta) => toChunk(delta)));
const call = {id: 'call_1', type: 'function', function: {name: 'f', arguments: '{"a":1}'}};

describeWire('chat completions', {
	wire: createChatCompletions(url),
	reply: {
		reasoning: toChunks({reasoning_content: 'Hm.'}, {reasoning_content: ' 🤔'}),
		text: [toChunks({content: 'Hel'}, {content: 'lo, '}), toChunks({content: 'world 🌍.'})],
		end:
			toChunks({tool_calls: [{index: 0, ...call}]}) +
			toEventStream([toChunk({}, 'tool_calls')]) +
			'data: [DONE]\n\n',
		whole: JSON.stringify({
			id: 'chatcmpl-1',
			model: 'm-test',
			choices: [
				{
					index: 0,
					message: {
						role: 'assistant',
						reasoning_content: 'Hm. 🤔',
						content: 'Hello, world 🌍.',
						tool_calls: [call],
					},
					finish_reason: 'tool_calls',
				},
			],
		}),
	},
	errorEvent: toEventStream([{error: {message: 'too busy'}}]),
});

const toNamedEvents = (...events: ReadonlyArray<{readonly type: string}>) =>
	events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const thinking = (text: string, signature: string) => [
	block({type: 'thinking', thinking: ''}),
	...[...text].map((character) => delta({type: 'thinking_delta', thinking: character})),
	delta({type: 'signature_delta', signature}),
	blockEnd,
];
const toolUse = (id: string, ...pieces: string[]) => [
	block({type: 'tool_use', id, name: 'f', input: {}}),
	...pieces.map(json),
	blockEnd,
];

describeWire('messages', {
	wire: createMessages(url),
	reply: {
		reasoning: toNamedEvents(messageStart(), {type: 'ping'}, ...thinking('Hm. 🤔', 's1')),
		text: [
			toNamedEvents(block({type: 'text', text: ''}), text('Hel'), text('lo, ')),
			toNamedEvents(text('world 🌍.'), blockEnd),
		],
		end: toNamedEvents(...toolUse('toolu_1', '{"a"', ':1}'), ...messageEnd('tool_use')),
		whole: JSON.stringify({
			...messageStart().message,
			content: [
				{type: 'thinking', thinking: 'Hm. 🤔', signature: 's1'},
				{type: 'text', text: 'Hello, world 🌍.'},
				{type: 'tool_use', id: 'toolu_1', name: 'f', input: {a: 1}},
			],
			stop_reason: 'tool_use',
		}),
	},
	errorEvent: toNamedEvents({
		type: 'error',
		...{error: {type: 'overloaded_error', message: 'too busy'}},
	}),
});

const response = {id: 'resp_1', object: 'response', model: 'm-test', created_at: 1, output: []};
const responseOutput = [
	{type: 'reasoning', id: 'rs_1', summary: [{type: 'summary_text', text: 'Hm. 🤔'}]},
	{
		type: 'message',
		role: 'assistant',
		content: [{type: 'output_text', text: 'Hello, world 🌍.', annotations: []}],
	},
	{type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}'},
];
const openedCall = {...responseOutput[2], arguments: ''};
const summary = (delta: string) => ({type: 'response.reasoning_summary_text.delta', delta});
const outputText = (delta: string) => ({
	type: 'response.output_text.delta',
	output_index: 1,
	delta,
});
const callText = (delta: string) => {
	return {type: 'response.function_call_arguments.delta', output_index: 2, delta};
};

describeWire('responses', {
	wire: createResponses(url),
	reply: {
		reasoning: toNamedEvents(
			{type: 'response.created', ...{response: {...response, status: 'in_progress'}}},
			{type: 'response.of_tomorrow'},
			summary('Hm.'),
			summary(' 🤔'),
		),
		text: [
			toNamedEvents(outputText('Hel'), outputText('lo, ')),
			toNamedEvents(outputText('world 🌍.')),
		],
		end: toNamedEvents(
			{type: 'response.output_item.added', ...{output_index: 2, item: openedCall}},
			callText('{"a"'),
			callText(':1}'),
			{type: 'response.output_item.done', ...{output_index: 2, item: responseOutput[2]}},
			{
				type: 'response.completed',
				...{response: {...response, status: 'completed', output: responseOutput}},
			},
		),
		whole: JSON.stringify({...response, status: 'completed', output: responseOutput}),
	},
	errorEvent: toNamedEvents({type: 'error', ...{code: 'server_error', message: 'too busy'}}),
});

it('sends interleaved thinking back in its places, signed, with the results of calls', () => {
	const body = toNamedEvents(
		messageStart(),
		...thinking('One.', 's1'),
		block({type: 'redacted_thinking', data: 'opaque'}),
		blockEnd,
		...toolUse('toolu_1', '{"a":1}'),
		...thinking('Two.', 's2'),
		block({type: 'text', text: ''}),
		text('Both.'),
		blockEnd,
		...toolUse('toolu_2'),
		...messageEnd('tool_use'),
	);
	const wire = createMessages(url);
	const done = reduceAll(openConversation('Go.'), decodeText(body, undefined, wire));
	const messages = messagesOf(openConversation('And?', done));
	const sent = wire.encode({messages, options: {model: 'm-test', isStreaming: true}});
	const result = {type: 'tool_result', content: 'cancelled', is_error: true};
	expect(JSON.parse(sent.body).messages).toEqual([
		{role: 'user', content: [{type: 'text', text: 'Go.'}]},
		{
			role: 'assistant',
			content: [
				{type: 'thinking', thinking: 'One.', signature: 's1'},
				{type: 'redacted_thinking', data: 'opaque'},
				{type: 'tool_use', id: 'toolu_1', name: 'f', input: {a: 1}},
				{type: 'thinking', thinking: 'Two.', signature: 's2'},
				{type: 'text', text: 'Both.'},
				{type: 'tool_use', id: 'toolu_2', name: 'f', input: {}},
			],
		},
		{
			role: 'user',
			content: [
				{...result, tool_use_id: 'toolu_1'},
				{...result, tool_use_id: 'toolu_2'},
				{type: 'text', text: 'And?'},
			],
		},
	]);
});

it('leaves it to the wire where the images of tools are sent', () => {
	const parts = [{type: 'image', url: pixel}] as const;
	const {body} = createMessages(new URL('http://localhost')).encode({
		messages: [{role: 'tool', callId: 'toolu_1', parts, isError: false}],
		options: {model: 'm-test', isStreaming: true},
	});
	const data = pixel.replace('data:image/png;base64,', '');
	const image = {type: 'image', source: {type: 'base64', media_type: 'image/png', data}};
	expect(JSON.parse(body).messages).toEqual([
		{
			role: 'user',
			content: [{type: 'tool_result', tool_use_id: 'toolu_1', content: [image], is_error: false}],
		},
	]);
});

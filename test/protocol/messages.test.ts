/** The Messages wire: an attested end, returned thinking, cache marks, refusals. */
import {describe, expect, test} from 'vitest';
import type {ChatOptions, Message} from '../../src/chat/message.ts';
import {explainRefusal} from '../../src/protocol/errors/common-refusals.ts';
import {readErrorBody} from '../../src/protocol/errors/parse-error-body.ts';
import {createMessages} from '../../src/protocol/messages/messages.ts';
import {
	callsOf,
	closedEnd,
	context,
	decodeText,
	errorOf,
	textOf,
	toEventStream,
} from './decode-bytes.ts';
import {block, blockEnd, json, messageEnd, messageStart, text} from './messages-events.ts';

const url = new URL('http://service.test/v1');
const wire = createMessages(url);
const decode = (...events: readonly object[]) => decodeText(toEventStream(events), closedEnd, wire);

const start = messageStart({
	usage: {input_tokens: 3, cache_read_input_tokens: 20, cache_creation_input_tokens: 7},
});

describe('the end of a message', () => {
	test.each([
		['end_turn', 'stop', undefined],
		['max_tokens', 'length', undefined],
		['refusal', 'filter', undefined],
		['pause_turn', undefined, 'gave up on the answer: pause_turn'],
	])('by %s is told apart, and the text is kept', (reason, kind, failure) => {
		const events = decode(start, start, text('Half.'), ...messageEnd(reason), text('never read'));
		expect(textOf(events, 'text-delta')).toBe('Half.');
		const ended = events.find((event) => event.type === 'step-end');
		expect(ended?.finishReason.kind).toBe(kind);
		if (failure !== undefined) expect(errorOf(events)?.message).toContain(failure);
	});

	test('is not the end mark without a stop reason', () => {
		const events = decodeText(
			toEventStream([start, text('Half.'), {type: 'message_stop'}]),
			undefined,
			wire,
		);
		expect(errorOf(events)).toMatchObject({kind: 'incomplete'});
	});

	test('has each call whole, though its pieces come after another block began', () => {
		const at = (index: number, event: object) => ({...event, index});
		const opened = (id: string) => block({type: 'tool_use', id, name: 'look', input: {}});
		const events = decode(
			start,
			...[at(0, opened('a')), at(0, blockEnd), at(1, opened('b'))],
			...[at(0, json('{"city":')), at(1, json('{"city":"Oslo"}'))],
			...[at(1, blockEnd), at(2, block({type: 'text', text: 'Looking.'}))],
			...[at(0, json('"Rome"}')), at(2, blockEnd)],
			...messageEnd('tool_use'),
		);
		expect(callsOf(events).map(({callId, arguments: given}) => [callId, given])).toEqual([
			['a', '{"city":"Rome"}'],
			['b', '{"city":"Oslo"}'],
		]);
		expect(textOf(events, 'text-delta')).toBe('Looking.');
	});

	test('comes with all counts of the input, and with blocks that are not text', () => {
		const search = {type: 'web_search_tool_result', content: []};
		const answer = [block(search), blockEnd, text('Yes.')];
		const events = decode(start, ...answer, ...messageEnd('end_turn'));
		expect(events.find((event) => event.type === 'step-end')).toMatchObject({
			usage: {promptTokens: 30, cachedTokens: 20, completionTokens: 5},
			extra: {content: [search]},
		});
	});
});

const options: ChatOptions = {model: 'm-test', isStreaming: true};
const user = (said: string): Message => ({role: 'user', parts: [{type: 'text', text: said}]});
const encode = (messages: readonly Message[], more: object = {}) =>
	JSON.parse(wire.encode({messages, options: {...options, ...more}}).body);

describe('a request', () => {
	test('has the fields of the convention', () => {
		const pdf = {type: 'document', name: 'a.pdf', url: 'data:application/pdf;base64,AAAA'} as const;
		const sent = encode(
			[
				{role: 'system', parts: [{type: 'text', text: 'Be brief.'}]},
				{role: 'user', parts: [{type: 'text', text: 'Read.'}, pdf]},
			],
			{
				reasoningEffort: 'low',
				stop: ['END'],
				toolChoice: 'auto',
				tools: [{name: 'look'}],
				responseFormat: {name: 'fields', schema: {type: 'object'}},
				extraFields: {metadata: {user_id: 'a'}},
			},
		);
		const data = {type: 'base64', media_type: 'application/pdf', data: 'AAAA'};
		expect(sent).toEqual({
			...{model: 'm-test', max_tokens: 32_000, stream: true, stop_sequences: ['END']},
			system: [{type: 'text', text: 'Be brief.'}],
			messages: [
				{
					role: 'user',
					content: [
						{type: 'text', text: 'Read.'},
						{type: 'document', title: 'a.pdf', source: data},
					],
				},
			],
			tools: [{name: 'look', input_schema: {type: 'object'}}],
			tool_choice: {type: 'auto'},
			thinking: {type: 'adaptive', display: 'summarized'},
			output_config: {effort: 'low', format: {type: 'json_schema', schema: {type: 'object'}}},
			metadata: {user_id: 'a'},
		});
	});

	test.each([
		[{reasoningEffort: 'none'}],
		[{temperature: 0}],
		[{topP: 0.5}],
		[{toolChoice: {name: 'look'}}],
	])('does not think with %j', (more) => {
		expect(encode([user('Hello?')], more)).not.toHaveProperty('thinking');
	});

	test('marks the prefix that the next one repeats, if it is long', () => {
		const answer = {role: 'assistant', parts: [{type: 'text', text: 'Yes.'}]} as const;
		const before = {...answer, status: 'complete', model: 'm-test'} as const;
		const mark = {type: 'ephemeral'};
		const system = (said: string): Message => ({
			role: 'system',
			parts: [{type: 'text', text: said}],
		});
		const ask = (said: string) => encode([system(said), user('One?'), before, user('Two?')]);
		const long = ask('long '.repeat(4000));
		expect(long.system[0].cache_control).toEqual(mark);
		expect(long.messages.map(({content}: {content: object[]}) => content.at(-1))).toEqual([
			{type: 'text', text: 'One?'},
			{type: 'text', text: 'Yes.', cache_control: mark},
			{type: 'text', text: 'Two?'},
		]);
		expect(JSON.stringify(ask('short'))).not.toContain('cache_control');
	});

	const recording = {type: 'audio', format: 'mp3', data: 'AAAA'} as const;
	test.each([
		['a seed', {seed: 1}, [], 'the Messages wire has no seed'],
		['a verbosity', {verbosity: 'low'}, [], 'the Messages wire has no verbosity'],
		['a recording', {}, [recording], 'the Messages wire takes no recordings'],
	])('with %s is refused', (_, more, parts, reason) => {
		expect(() => encode([{role: 'user', parts}], more)).toThrow(
			expect.objectContaining({kind: 'usage', message: reason}),
		);
	});

	test('sends thinking back to the same service and model only', () => {
		const parts = (from: string) => [
			{type: 'reasoning', text: 'Hm.', providerData: {messages: from, signature: 's1'}} as const,
			{type: 'text', text: 'Yes.'} as const,
		];
		const sentFor = (from: string, model: string) =>
			JSON.stringify(
				encode([
					user('One?'),
					{role: 'assistant', parts: parts(from), status: 'complete', model},
					user('Two?'),
				]).messages,
			);
		expect(sentFor(url.origin, 'm-test')).toContain('"signature":"s1"');
		expect(sentFor(url.origin, 'm-other')).not.toContain('s1');
		expect(sentFor('http://other.test', 'm-test')).not.toContain('s1');
	});

	test('carries the key and the version in headers of their own', () => {
		expect(wire.headers('secret')).toEqual({
			'anthropic-version': '2023-06-01',
			'x-api-key': 'secret',
		});
		const gateway = createMessages(url, {authHeader: 'X-Gateway', headers: {'x-team': 'blue'}});
		expect(gateway.headers('secret')).toMatchObject({'x-gateway': 'secret', 'x-team': 'blue'});
	});
});

test.each([
	[
		'adaptive thinking is not supported on this model',
		{thinking: {type: 'enabled', budget_tokens: 4096}},
	],
	['thinking is not supported by this model', {thinking: undefined}],
	[
		'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens',
		{max_tokens: 8192},
	],
	['effort is not supported by this model', {output_config: undefined}],
])('"%s" leads to another request', (message, fields) => {
	const error = JSON.stringify({error: {message}});
	const refused = explainRefusal({
		...readErrorBody(error),
		...{status: 400, waitMs: undefined, context: {...context, words: wire.words}},
	});
	const refusal = wire.words.refusals.find(({about}) => about === refused.refusedParts?.[0]);
	if (refusal === undefined) throw new Error('nothing was refused');
	const request = {messages: [], options: {...options, reasoningEffort: 'low'} as const};
	const before = JSON.parse(wire.encode(request).body);
	const after = JSON.parse(wire.without(refusal, 'm-test').encode(request).body);
	expect(after).toEqual(JSON.parse(JSON.stringify({...before, ...fields})));
});

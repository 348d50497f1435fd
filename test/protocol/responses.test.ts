/** The Responses wire: an attested end, returned items, missing fields. */
import {describe, expect, test} from 'vitest';
import {type Conversation, messagesOf} from '../../src/chat/conversation.ts';
import type {ChatOptions, Message} from '../../src/chat/message.ts';
import {explainRefusal} from '../../src/protocol/errors/common-refusals.ts';
import {readErrorBody} from '../../src/protocol/errors/parse-error-body.ts';
import {createResponses} from '../../src/protocol/responses/responses.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {
	callsOf,
	closedEnd,
	context,
	decodeText,
	errorOf,
	textOf,
	toEventStream,
} from './decode-bytes.ts';

const wire = createResponses(new URL('http://service.test/v1'));
const decode = (...events: readonly object[]) => decodeText(toEventStream(events), closedEnd, wire);

const text = (delta: string) => ({type: 'response.output_text.delta', delta});
const end = (status: string, response: object = {}) => ({
	type: `response.${status}`,
	response: {id: 'resp_1', model: 'm-test', status, output: [], ...response},
});
const message = (said: string) => {
	return {type: 'message', role: 'assistant', content: [{type: 'output_text', text: said}]};
};
const reasoning = (id: string, secret: string) => ({
	type: 'reasoning',
	id,
	summary: [{type: 'summary_text', text: `Thought ${id}.`}],
	encrypted_content: secret,
});
const call = (id: string, at: string) => {
	return {type: 'function_call', id: `fc_${id}`, call_id: id, name: 'look', arguments: at};
};

describe('the end of a response', () => {
	const cut = (reason: string) => end('incomplete', {incomplete_details: {reason}});
	test.each([
		['completed', end('completed'), 'stop'],
		['incomplete at its limit', cut('max_output_tokens'), 'length'],
		['incomplete by its filter', cut('content_filter'), 'filter'],
		['incomplete for an unknown reason', cut('solar_flare'), 'gave up on the answer: solar_flare'],
		['failed', end('failed', {error: {code: 'server_error', message: 'no memory'}}), 'no memory'],
	])('%s is told apart, and the text is kept', (_, last, expected) => {
		const events = decode(text('Half.'), last, text('never read'));
		expect(textOf(events, 'text-delta')).toBe('Half.');
		const ended = events.find((event) => event.type === 'step-end');
		expect(ended?.finishReason.kind ?? errorOf(events)?.message).toContain(expected);
	});

	test.each([
		['a status that contradicts its event', {status: 'incomplete'}, 'failed'],
		['as many tokens as allowed', {usage: {output_tokens: 9}}, 'length'],
		['as many, but details', {usage: {output_tokens: 9}, incomplete_details: null}, 'stop'],
		['fewer tokens, and no details', {usage: {output_tokens: 8}}, 'stop'],
	])('is %s', (_, response, kind) => {
		const decoder = wire.createDecoder({...context, maxTokens: 9}, 1);
		decoder.push(Buffer.from(toEventStream([text('Half.'), end('completed', response)])));
		decoder.end(closedEnd);
		const ended = decoder.take().find((event) => event.type === 'step-end');
		expect(ended?.finishReason.kind ?? decoder.error?.details.finishReason?.kind).toBe(kind);
	});

	test('is not the end mark of chat completions', () => {
		const body = `${toEventStream([text('Half.')])}data: [DONE]\n\n`;
		expect(errorOf(decodeText(body, undefined, wire))).toMatchObject({kind: 'incomplete'});
	});

	test('brings what no delta has brought, and nothing twice', () => {
		const output = [reasoning('rs_1', 's'), message('Hello.'), call('c1', '{"at":1}')];
		for (const deltas of [[], [text('Hel')], [text('Hello.')]]) {
			const events = decode(...deltas, end('completed', {output}));
			expect(textOf(events, 'text-delta')).toBe('Hello.');
			expect(textOf(events, 'reasoning-delta')).toBe('Thought rs_1.');
			expect(callsOf(events)).toEqual([
				{callId: 'c1', name: 'look', arguments: '{"at":1}', isRunnable: true},
			]);
		}
	});

	test.each([
		['by their ids', (id: string) => call(id, '{"at":1}')],
		[
			'by what was an id before',
			(id: string) => ({...call(`fc_${id}`, '{"at":1}'), id: undefined}),
		],
	])('finds calls without their places, %s', (_, last) => {
		const added = (id: string) => ({type: 'response.output_item.added', item: call(id, '')});
		const delta = (id: string, piece: string) => {
			return {type: 'response.function_call_arguments.delta', item_id: `fc_${id}`, delta: piece};
		};
		const events = decode(
			{...text('Looking.'), item_id: 'msg_1'},
			...[added('c1'), delta('c1', '{"at":'), delta('c1', '1}')],
			...[added('c2'), delta('c2', '{"at":'), delta('c2', '1}')],
			...['c1', 'c2'].map((id) => ({type: 'response.output_item.done', item: last(id)})),
			end('completed', {output: [message('Looking.'), last('c1'), last('c2')]}),
		);
		expect(textOf(events, 'text-delta')).toBe('Looking.');
		expect(callsOf(events)).toEqual(
			['c1', 'c2'].map((callId) => ({
				callId,
				name: 'look',
				arguments: '{"at":1}',
				isRunnable: true,
			})),
		);
	});

	test('comes with the counts, and with what is not text', () => {
		const usage = {
			input_tokens: 9,
			input_tokens_details: {cached_tokens: 4},
			output_tokens: 5,
			output_tokens_details: {reasoning_tokens: 3},
			total_tokens: 14,
		};
		const search = {type: 'web_search_call', id: 'ws_1'};
		const events = decode(
			text('Yes.'),
			end('completed', {usage, output: [search, message('Yes.')]}),
		);
		expect(events.find((event) => event.type === 'step-end')).toMatchObject({
			usage: {
				...{promptTokens: 9, cachedTokens: 4, completionTokens: 5},
				...{reasoningTokens: 3, totalTokens: 14, raw: usage},
			},
			extra: {output: [search]},
		});
	});
});

const options: ChatOptions = {model: 'm-test', isStreaming: true};
const encode = (messages: readonly Message[], more: Partial<ChatOptions> = {}) =>
	JSON.parse(wire.encode({messages, options: {...options, ...more}}).body);

describe('a request', () => {
	test('keeps nothing with the service, and has the whole conversation', () => {
		const image = {type: 'image', url: 'data:image/png;base64,AAAA'} as const;
		const pdf = {type: 'document', name: 'a.pdf', url: 'data:application/pdf;base64,AAAA'} as const;
		const sent = encode(
			[
				{role: 'system', parts: [{type: 'text', text: 'Be brief.'}]},
				{role: 'user', parts: [{type: 'text', text: 'Look.'}, image, pdf]},
				{
					role: 'assistant',
					parts: [{type: 'text', text: 'I see.'}],
					status: 'complete',
					model: 'm-test',
				},
			],
			{
				temperature: 0,
				maxTokens: 9,
				reasoningEffort: 'low',
				verbosity: 'high',
				serviceTier: 'flex',
				toolChoice: {name: 'look'},
				tools: [{name: 'look', parameters: {type: 'object'}}],
				responseFormat: {name: 'fields', schema: {type: 'object'}},
				extraFields: {metadata: {a: 1}},
			} as Partial<ChatOptions>,
		);
		expect(sent).toEqual({
			...{model: 'm-test', stream: true, store: false, instructions: 'Be brief.'},
			input: [
				{
					...{type: 'message', role: 'user'},
					content: [
						{type: 'input_text', text: 'Look.'},
						{type: 'input_image', image_url: image.url},
						{type: 'input_file', filename: 'a.pdf', file_data: pdf.url},
					],
				},
				message('I see.'),
			],
			tools: [{type: 'function', name: 'look', parameters: {type: 'object'}, strict: false}],
			tool_choice: {type: 'function', name: 'look'},
			...{temperature: 0, max_output_tokens: 9, service_tier: 'flex'},
			reasoning: {effort: 'low', summary: 'auto'},
			include: ['reasoning.encrypted_content'],
			text: {
				verbosity: 'high',
				format: {...{type: 'json_schema', name: 'fields', schema: {type: 'object'}}, strict: false},
			},
			metadata: {a: 1},
		});
	});

	const recording = {type: 'audio', format: 'mp3', data: 'AAAA'} as const;
	test.each([
		['a stop text', {stop: ['END']}, [], 'the Responses wire has no stop'],
		['a seed', {seed: 1}, [], 'the Responses wire has no seed'],
		['a recording', {}, [recording], 'the Responses wire takes no recordings'],
	])('with %s is refused', (_, more, parts, reason) => {
		expect(() => encode([{role: 'user', parts}], more)).toThrow(
			expect.objectContaining({kind: 'usage', message: reason}),
		);
	});
});

describe('reasoning', () => {
	/** The conversation after this reply, with each call cancelled. */
	const answered = (prompt: string, output: readonly object[], before?: Conversation) =>
		reduceAll(openConversation(prompt, before), decode(end('completed', {output})));
	const sentAfter = (done: Conversation, model = 'm-test') => {
		const messages = messagesOf(openConversation('And?', done));
		return JSON.parse(wire.encode({messages, options: {...options, model}}).body).input;
	};

	test('goes back byte for byte with its calls, and to no other model', () => {
		const [one, two] = [reasoning('rs_1', 'é\u2028secret 1'), reasoning('rs_2', 'secret 2')];
		const first = answered('Go.', [one, call('c1', '{}')]);
		const done = answered('On.', [two, message('A door.')], first);
		const called = {type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}'};
		const sent = sentAfter(done);
		expect(sent.slice(1, 3)).toEqual([one, called]);
		expect(sent.slice(3, -1)).toMatchObject([
			{type: 'function_call_output', call_id: 'c1'},
			{role: 'user'},
			two,
			message('A door.'),
		]);
		const other = sentAfter(done, 'm-other');
		expect(JSON.stringify(other)).not.toContain('secret');
		expect(other.at(-2)).toEqual(message('A door.'));
	});

	test("goes back with the service's own calls, and never unencrypted", () => {
		const search = {type: 'web_search_call', id: 'ws_1', status: 'completed'};
		const bare = {type: 'reasoning', id: 'rs_2', summary: []};
		const kept = [reasoning('rs_1', 'secret'), search];
		const done = answered('Hello?', [...kept, bare, message('Yes.')]);
		expect(sentAfter(done).slice(1, -1)).toEqual([...kept, message('Yes.')]);
	});

	test('comes without summaries for an unverified organization', () => {
		const words =
			'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general';
		const error = {message: words, param: 'reasoning.summary', code: 'unsupported_value'};
		const refused = explainRefusal({
			...readErrorBody(JSON.stringify({error})),
			...{status: 400, waitMs: undefined, context: {...context, words: wire.words}},
		});
		const refusal = wire.words.refusals.find(({about}) => about === refused.refusedParts?.[0]);
		const next = refusal && wire.without(refusal, 'm-test');
		const sent = JSON.parse(next?.encode({messages: [], options}).body ?? '');
		expect(sent).toMatchObject({reasoning: {}, include: ['reasoning.encrypted_content']});
		expect(sent.reasoning).toEqual({});
	});
});

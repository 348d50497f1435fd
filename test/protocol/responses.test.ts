/** The Responses wire: an attested end, returned items, missing fields. */
import {describe, expect, onTestFinished, test} from 'vitest';
import type {ChatOptions, Message} from '../../src/chat/message.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {createResponses} from '../../src/protocol/responses/responses.ts';
import {createStreamChat} from '../../src/protocol/stream-chat.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {startReplayServer} from '../helpers/replay-server.ts';
import {
	callsOf,
	closedEnd,
	context,
	decodeText,
	errorOf,
	textOf,
	toEventStream,
} from './decode-bytes.ts';
import {wideLimits} from './raw-server.ts';

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
	test.each([
		['completed', end('completed'), undefined, 'stop'],
		[
			'incomplete at its limit',
			end('incomplete', {incomplete_details: {reason: 'max_output_tokens'}}),
			undefined,
			'length',
		],
		[
			'incomplete by its filter',
			end('incomplete', {incomplete_details: {reason: 'content_filter'}}),
			undefined,
			'filter',
		],
		[
			'incomplete for an unknown reason',
			end('incomplete', {incomplete_details: {reason: 'solar_flare'}}),
			'gave up on the answer: solar_flare',
			undefined,
		],
		[
			'failed',
			end('failed', {error: {code: 'server_error', message: 'out of memory'}}),
			'out of memory',
			undefined,
		],
	])('%s is told apart, and the text is kept', (_, last, failure, kind) => {
		const events = decode(text('Half.'), last, text('never read'));
		expect(textOf(events, 'text-delta')).toBe('Half.');
		const ended = events.find((event) => event.type === 'step-end');
		expect(ended?.finishReason.kind).toBe(kind);
		if (failure !== undefined) expect(errorOf(events)?.message).toContain(failure);
	});

	test.each([
		['a status that contradicts its event', {status: 'incomplete'}, 'failed'],
		['as many tokens as allowed, and no details', {usage: {output_tokens: 9}}, 'length'],
		[
			'as many tokens as allowed, but details',
			{usage: {output_tokens: 9}, incomplete_details: null},
			'stop',
		],
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

	test.each([
		['a stop text', {stop: ['END']}, [], 'the Responses wire has no stop'],
		['a seed', {seed: 1}, [], 'the Responses wire has no seed'],
		[
			'a recording',
			{},
			[{type: 'audio', format: 'mp3', data: 'AAAA'} as const],
			'the Responses wire takes no recordings',
		],
	])('with %s is refused', (_, more, parts, reason) => {
		expect(() => encode([{role: 'user', parts}], more)).toThrow(
			expect.objectContaining({kind: 'usage', message: reason}),
		);
	});
});

/** Starts a service with these replies. */
async function start(...replies: ReadonlyArray<readonly object[] | object>) {
	const server = await startReplayServer(
		replies.map((reply) =>
			Array.isArray(reply)
				? {status: 200, bodyChunks: [toEventStream(reply)]}
				: {status: 400, bodyChunks: [JSON.stringify(reply)]},
		),
	);
	onTestFinished(() => server.close());
	const limits = {...wideLimits, maxRetries: 1};
	const streamChat = createStreamChat({wire: createResponses(server.url), limits});
	const bodies = () => server.requests.map(({body}) => JSON.parse(body));
	return {streamChat, bodies};
}

describe('reasoning', () => {
	const look = {
		definition: {name: 'look', parameters: {type: 'object'}},
		origin: {},
		check: () => undefined,
		describe: () => ({lines: []}),
		run: async () => textOutput('a door', false),
	};

	test('goes back byte for byte through a loop of tools, and to no other model', async () => {
		const steps = [1, 2, 3].map((step) => [reasoning(`rs_${step}`, `é\u2028secret ${step}`)]);
		const [one = [], two = [], three = []] = steps;
		const {streamChat, bodies} = await start(
			[end('completed', {output: [...one, call('c1', '{}')]})],
			[end('completed', {output: [...two, call('c2', '{}')]})],
			[text('A door.'), end('completed', {output: [...three, message('A door.')]})],
			[text('Yes.'), end('completed', {output: [message('Yes.')]})],
		);
		const tools = {tools: [look], onChange: () => () => undefined, takeNotices: () => []} as never;
		const run = (conversation: ReturnType<typeof openConversation>, model: string) =>
			collectTurn(
				runTurn({
					conversation,
					...{options: {...options, model}, streamChat, tools},
					approve: async () => ({type: 'run', decision: 'once'}) as const,
					signal: new AbortController().signal,
				}),
			);
		const asked = openConversation('Go.');
		const {events, content, error} = await run(asked, 'm-test');
		expect({content, error}).toEqual({content: 'A door.', error: undefined});
		const done = reduceAll(asked, events);
		await run(openConversation('And?', done), 'm-test');
		await run(openConversation('And?', done), 'm-other');
		const result = (id: string) => {
			return {type: 'function_call_output', call_id: id, output: 'a door'};
		};
		const called = (id: string) => ({
			type: 'function_call',
			call_id: id,
			name: 'look',
			arguments: '{}',
		});
		const [, , last, again, other] = bodies().map(({input}) => input);
		expect(last?.slice(1)).toEqual([
			...[...one, called('c1'), result('c1')],
			...[...two, called('c2'), result('c2')],
		]);
		expect(again?.slice(5, -1)).toEqual([
			...[called('c2'), result('c2')],
			...[...three, message('A door.')],
		]);
		expect(JSON.stringify(other)).not.toContain('secret');
		expect(other?.at(-2)).toEqual(message('A door.'));
	});

	test("goes back with the service's own calls, and never unencrypted", async () => {
		const search = {type: 'web_search_call', id: 'ws_1', status: 'completed'};
		const bare = {type: 'reasoning', id: 'rs_2', summary: []};
		const kept = [reasoning('rs_1', 'secret'), search];
		const {streamChat, bodies} = await start(
			[text('Yes.'), end('completed', {output: [...kept, bare, message('Yes.')]})],
			[text('Sure.'), end('completed', {output: [message('Sure.')]})],
		);
		const {signal} = new AbortController();
		const run = (conversation: ReturnType<typeof openConversation>) =>
			collectTurn(runTurn({conversation, options, streamChat, signal}));
		const asked = openConversation('Hello?');
		const {events} = await run(asked);
		await run(openConversation('And?', reduceAll(asked, events)));
		expect(bodies()[1]?.input.slice(1, -1)).toEqual([...kept, message('Yes.')]);
	});

	test('comes without summaries for an unverified organization', async () => {
		const message =
			'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general';
		const refusal = {error: {message, param: 'reasoning.summary', code: 'unsupported_value'}};
		const {streamChat, bodies} = await start(refusal, [text('Hi.'), end('completed')]);
		const conversation = openConversation('Hello?');
		const {signal} = new AbortController();
		await collectTurn(runTurn({conversation, options, streamChat, signal}));
		expect(bodies().map(({reasoning, include}) => [reasoning, include])).toEqual([
			[{summary: 'auto'}, ['reasoning.encrypted_content']],
			[{}, ['reasoning.encrypted_content']],
		]);
	});
});

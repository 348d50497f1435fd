/** `POST /v1/responses`: what differs from chat completions. The rest is shared. */
import {describe, expect, test} from 'vitest';
import {dataUrl, makeSolidPng} from './helpers/images.ts';
import {
	inputOf,
	readNamedEvents,
	readOutput,
	respond,
	streamResponse,
} from './helpers/responses.ts';
import {play} from './helpers/scenario.ts';
import {type Body, bodyOf, complete, post, type Reply, serve, serveAll} from './helpers/service.ts';

const service = serveAll();

const weather = {
	type: 'function',
	name: 'get_weather',
	parameters: {type: 'object', properties: {city: {type: 'string'}}, required: ['city']},
};
const clock = {type: 'function', name: 'get_time', description: 'The time', strict: false};
const tools = [weather, clock];
const sol = {model: 'MODEL-5.6-sol'};
const summary = {...sol, reasoning: {summary: 'auto'}};
const png = dataUrl('image/png', makeSolidPng(3, 2, [255, 0, 0]));

const user = (content: unknown) => ({type: 'message', role: 'user', content});
const call = {type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{}'};
const result = {type: 'function_call_output', call_id: 'c1', output: 'sunny'};

async function answer(input: unknown, extra: Body = {}): Promise<string> {
	return readOutput((await respond(service.url, inputOf(input, extra))).reply).text;
}

test.each<[string, Body]>([
	['say one two three', {}],
	['say a\u0000b 👩‍👩‍👧‍👦\r\n日本', {}],
	['think for 40 words: count to 3', summary],
	['get_weather for "Rome" and get_time', {tools, ...summary}],
	['write 60 words', {max_output_tokens: 20, ...summary}],
])(
	'a stream has all its events and adds up to the reply without it: %j %j',
	async (input, extra) => {
		const {url} = await serve({now: () => 0});
		const {reply} = await respond(url, inputOf(input, extra));
		const streamed = await streamResponse(url, inputOf(input, extra));
		const withoutIds = (value: unknown) =>
			JSON.stringify(value).replace(/"((?:resp|msg|rs|fc|call)_)[\da-f]+"/g, '"$1"');
		expect(withoutIds(streamed)).toBe(withoutIds(reply));
	},
);

test('the answer, its reasoning and its usage are those of chat completions', async () => {
	const {url} = service;
	for (const prompt of ['think for 40 words: count to 3', 'the weather in "Rome", please']) {
		const {reply} = await respond(url, inputOf(prompt, {tools, ...summary}));
		const functions = tools.map(({type, ...described}) => ({type, function: described}));
		const {choices, usage} = await complete(url, bodyOf(prompt, {tools: functions, ...sol}));
		const {content, reasoning_content, tool_calls = []} = choices[0].message;
		expect(readOutput(reply)).toEqual({
			text: content ?? '',
			reasoning: reasoning_content,
			calls: tool_calls.map(({function: called}: Reply) => [called.name, called.arguments]),
		});
		expect(reply.usage).toEqual({
			input_tokens: usage.prompt_tokens,
			input_tokens_details: {cached_tokens: 0},
			output_tokens: usage.completion_tokens,
			output_tokens_details: usage.completion_tokens_details,
			total_tokens: usage.total_tokens,
		});
	}
});

describe('the request', () => {
	test.each<[string, unknown, Body, RegExp]>([
		['instructions', 'hello', {instructions: 'Be brief.'}, /system message says “Be brief\.”/],
		[
			'a system message',
			[{role: 'developer', content: 'Be kind.'}, user('hello')],
			{},
			/“Be kind\.”/,
		],
		[
			'earlier turns',
			[
				user('say first'),
				{role: 'assistant', content: [{type: 'output_text', text: 'first', annotations: []}]},
				user('what did I say first?'),
			],
			{},
			/^First you said: “say first”$/,
		],
		[
			'images and files',
			[
				user([
					{type: 'input_text', text: 'look'},
					{type: 'input_image', image_url: png},
					{type: 'input_file', file_url: 'https://a.example/b.pdf'},
					{type: 'input_file', filename: 'a.csv', file_data: 'AAAA'},
				]),
			],
			sol,
			/3 x 2 pixels.*\n- File: https:\/\/a\.example\/b\.pdf, which is not fetched\n- File: a\.csv, 3 bytes/,
		],
		[
			'results as parts',
			[user('x'), call, {...result, output: [{type: 'input_text', text: 'mild'}]}],
			{tools},
			/`get_weather` for `{}`: mild/,
		],
		[
			'calls around a message, and both results',
			[
				user('x'),
				call,
				{role: 'assistant', content: 'Wait.'},
				{...call, call_id: 'c2'},
				{...result, call_id: 'c2', output: 'cold'},
				result,
			],
			{tools},
			/: cold\n.*: sunny/,
		],
		[
			'a choice among tools',
			'use both tools',
			{
				tools,
				tool_choice: {
					type: 'allowed_tools',
					mode: 'auto',
					tools: [{type: 'function', name: 'get_time'}],
				},
			},
			/^$/,
		],
		[
			'JSON by a schema',
			'the city is "Rome"',
			{text: {format: {type: 'json_schema', name: 'a', schema: weather.parameters}}},
			/^{"city":"Rome"}$/,
		],
		[
			'its parameters',
			'show the parameters',
			{temperature: 0.5, max_output_tokens: 900, metadata: {a: 'b'}, store: true, user: 'x'},
			/temperature`: 0\.5\n.*\n- `max_tokens`: 900/,
		],
	])('has %s', async (_name, input, extra, expected) => {
		expect(await answer(input, extra)).toMatch(expected);
	});

	test('can limit its calls by name, to none or to one at a time', async () => {
		const {url} = service;
		const namesFor = async (extra: Body) => {
			const {reply} = await respond(url, inputOf('use both tools', {tools, ...extra}));
			return readOutput(reply).calls.map(([name]: [string]) => name);
		};
		const only = {type: 'function', name: 'get_time'};
		expect(await namesFor({})).toEqual(['get_weather', 'get_time']);
		expect(await namesFor({tool_choice: 'none'})).toEqual([]);
		expect(await namesFor({tool_choice: only})).toEqual(['get_time']);
		expect(await namesFor({tool_choice: {type: 'allowed_tools', tools: [only]}})).toEqual([
			'get_time',
		]);
		expect(await namesFor({parallel_tool_calls: false})).toEqual(['get_weather']);
	});

	test('is repeated in the reply, with its defaults', async () => {
		const {url} = service;
		const choice = {
			type: 'allowed_tools',
			mode: 'auto',
			tools: [{type: 'function', name: 'get_time'}],
		};
		const given = {
			instructions: 'Be brief.',
			temperature: 0,
			tool_choice: choice,
			metadata: {a: 'b'},
			text: {format: {type: 'json_object'}, verbosity: 'low'},
			reasoning: {effort: 'low', summary: 'auto'},
		};
		const {reply} = await respond(url, inputOf('x', {...given, tools}));
		expect(reply).toMatchObject({
			...given,
			truncation: 'disabled',
			top_p: 1,
			max_output_tokens: null,
		});
		expect(reply.tools).toEqual([
			{...weather, description: null, strict: true},
			{...clock, parameters: null},
		]);
		const format = {type: 'json_schema', name: 'a', schema: {type: 'object'}};
		const formatted = await respond(url, inputOf('x', {text: {format}}));
		expect(formatted.reply.text.format).toEqual({...format, description: null, strict: false});
	});

	test.each<[string, Body]>([
		['input', {input: undefined}],
		['input', {input: []}],
		['input[0]', {input: ['x']}],
		['input[1].type', {input: [user('x'), {type: 'item_reference', id: 'a'}]}],
		['input[0].role', {input: [{role: 'tool', content: 'x'}]}],
		['input[0].content[0].type', {input: [user([{type: 'text', text: 'x'}])]}],
		['input[0].content[0].type', {input: [user([{type: 'output_text', text: 'x'}])]}],
		['input[0].content[0]', {input: [user([{type: 'input_image'}])], ...sol}],
		[
			'input[0].content[0].image_url',
			{input: [user([{type: 'input_image', image_url: 'data:image/png;base64,AAAA'}])], ...sol},
		],
		['input[1].content[0]', {input: [user('x'), user([{type: 'input_image', image_url: png}])]}],
		[
			'input[1].output[0]',
			{input: [call, {...result, output: [{type: 'input_image', image_url: png}]}]},
		],
		['input[0].content[0]', {input: [user([{type: 'input_file', filename: 'a'}])]}],
		['input[1].call_id', {input: [user('x'), call]}],
		['input[1]', {input: [call, user('x'), result]}],
		['input[1].call_id', {input: [call, call, result]}],
		['input[0].summary', {input: [{type: 'reasoning', id: 'rs_1'}, user('x')]}],
		['tools[0].name', {tools: [{type: 'function', function: {name: 'f'}}]}],
		['tools[0].type', {tools: [{type: 'web_search'}]}],
		['tools[1].name', {tools: [clock, clock]}],
		['tool_choice.name', {tools, tool_choice: {type: 'function', name: 'f'}}],
		['text.format.name', {text: {format: {type: 'json_schema', schema: {}}}}],
		['max_output_tokens', {max_output_tokens: 15}],
		['reasoning.effort', {reasoning: {effort: 'huge'}}],
		['temperature', {temperature: 3}],
		['previous_response_id', {previous_response_id: 'resp_1'}],
		['conversation', {conversation: 'conv_1'}],
		['background', {background: true}],
		['messages', {messages: []}],
		['max_tokens', {max_tokens: 5}],
		['response_format', {response_format: {type: 'json_object'}}],
	])('is a 400 that names the field %s: %j', async (param, extra) => {
		const {status, reply} = await respond(service.url, inputOf('x', extra));
		expect([status, reply.error?.param]).toEqual([400, param]);
		expect(reply.error).toMatchObject({type: 'invalid_request_error', code: expect.any(String)});
	});

	test('may name what nothing is stored for, as long as it does not need it', async () => {
		const {url} = service;
		const absent = {previous_response_id: null, conversation: null, background: false};
		expect((await respond(url, inputOf('x', absent))).status).toBe(200);
		const {reply} = await respond(url, inputOf('x', {previous_response_id: 'resp_1'}));
		expect(reply.error.message).toBe(
			'previous_response_id is not supported, because nothing is stored; send the earlier items in input',
		);
	});

	test('for another method, model or key is refused as on the other path', async () => {
		const {url} = await serve({apiKey: 'sk-secret'});
		const headers = {authorization: 'Bearer sk-secret'};
		const wrong = await fetch(`${url}/v1/responses`, {headers});
		expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
		expect((await fetch(`${url}/v1/responses/resp_1`, {headers})).status).toBe(404);
		expect((await post(url, inputOf('x'), {}, 'responses')).status).toBe(401);
		const unknown = await post(url, inputOf('x', {model: 'gpt-4'}), headers, 'responses');
		expect([unknown.status, ((await unknown.json()) as Reply).error.param]).toEqual([404, 'model']);
	});
});

describe('reasoning', () => {
	test('is summarized if asked for, and left out at no effort', async () => {
		const {url} = service;
		const summaryFor = async (reasoning: Body) => {
			const {reply} = await respond(url, inputOf('hello', {...sol, reasoning}));
			return reply.output
				.filter(({type}: Reply) => type === 'reasoning')
				.map((item: Reply) => item.summary.length);
		};
		expect(await summaryFor({})).toEqual([0]);
		expect(await summaryFor({summary: 'concise'})).toEqual([1]);
		expect(await summaryFor({effort: 'none', summary: 'auto'})).toEqual([]);
	});

	test('comes back encrypted, and unchanged', async () => {
		const {url} = service;
		const include = ['reasoning.encrypted_content'];
		const first = await respond(url, inputOf('get_time', {...sol, tools, include}));
		const [reasoning, called] = first.reply.output;
		const output = {type: 'function_call_output', call_id: called.call_id, output: 'noon'};
		const next = (item: unknown) =>
			respond(url, inputOf([user('get_time'), item, called, output], {...sol, tools}));
		const {reply} = await next(reasoning);
		expect(readOutput(reply).text).toContain('noon');
		const changed = `A${reasoning.encrypted_content.slice(1)}`;
		const refused = await next({...reasoning, encrypted_content: changed});
		expect([refused.status, refused.reply.error.param]).toEqual([
			400,
			'input[1].encrypted_content',
		]);
	});
});

describe('a scripted reply', () => {
	const last = async (yaml: string, extra: Body = {}) => {
		const {url} = await play(yaml);
		const response = await post(url, inputOf('x', {stream: true, ...extra}), {}, 'responses');
		return (await readNamedEvents(response)).at(-1);
	};

	test.each([
		['stop', 'completed', null, null],
		['length', 'incomplete', {reason: 'max_output_tokens'}, null],
		['content_filter', 'incomplete', {reason: 'content_filter'}, null],
		['error', 'failed', null, {code: 'server_error', message: expect.any(String)}],
	])('with the finish reason %s is %s', async (reason, status, details, error) => {
		const yaml = `replies: [{reply: {text: a b, finish_reason: ${reason}, usage: {cost: 5}}}]`;
		const event = await last(yaml);
		expect(event).toMatchObject({
			type: `response.${status}`,
			response: {status, incomplete_details: details, error, usage: {cost: 5}},
		});
		const {url} = await play(yaml);
		expect((await respond(url, inputOf('x'))).reply).toMatchObject({status, error});
	});

	test('has its reasoning, text and calls as items, joined from chunks too', async () => {
		const {url} = await play(
			'replies: [{reply: {reasoning: hm, text: Wait., tool_calls: [{name: f, arguments: "{"}]}, times: 2}, {reply: {chunks: [one, " two"]}}]',
		);
		const scripted = {reasoning: 'hm', text: 'Wait.', calls: [['f', '{']]};
		expect(readOutput(await streamResponse(url, inputOf('x', summary)))).toEqual(scripted);
		expect(readOutput((await respond(url, inputOf('x', summary))).reply)).toEqual(scripted);
		expect(readOutput(await streamResponse(url, inputOf('x'))).text).toBe('one two');
	});

	test('can fail within the stream, by an event or a text, or as a whole', async () => {
		const fault = 'fault: {error: {after_events: 3}}';
		expect(await last(`replies: [{reply: one two, ${fault}}]`)).toMatchObject({
			type: 'error',
			sequence_number: 3,
			error: {type: 'server_error'},
		});
		const body = 'body: {type: response.failed, response: {error: {code: x, message: no}}}';
		expect(await last(`replies: [{fault: {error: {after_events: 1, ${body}}}}]`)).toMatchObject({
			type: 'response.failed',
			sequence_number: 1,
		});
		const {url} = await play(`replies: [{${fault}}]`);
		const whole = await post(url, inputOf('x'), {}, 'responses');
		expect(await whole.json()).toMatchObject({error: {type: 'server_error'}});
	});

	test('can lack its end, or be cut, broken and refused as on the other path', async () => {
		const yaml = (fault: string) => `replies: [{reply: one two, fault: {${fault}}}]`;
		const stream = async (fault: string) => {
			const {url} = await play(yaml(fault));
			return await post(url, inputOf('x', {stream: true}), {}, 'responses');
		};
		expect((await last(yaml('finish_reason: missing'))).type).toBe('response.output_item.done');
		const {url} = await play(yaml('finish_reason: no_field'));
		expect((await respond(url, inputOf('x'))).reply.status).toBe('in_progress');
		expect(await (await stream('done: missing')).text()).not.toContain('[DONE]');
		await expect((await stream('cut: {after_events: 3}')).text()).rejects.toThrow();
		const ended = await (await stream('cut: {after_events: 3, how: end}')).text();
		expect(ended.match(/^event: /gm)).toHaveLength(3);
		const broken = await (await stream('malformed: {event: 2}')).text();
		expect(broken).toContain('event: response.in_progress\ndata: {"type":"response.in_progress"');
		expect(() => JSON.parse(broken.split('\n\n')[1]?.split('data: ')[1] ?? '')).toThrow();
		const {port} = await play('replies: [{fault: {status: 429, retry_after: 1}}]');
		const limited = await post(`http://127.0.0.1:${port}`, inputOf('x'), {}, 'responses');
		expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
	});
});

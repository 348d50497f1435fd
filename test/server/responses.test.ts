/** `POST /v1/responses`: what differs from chat completions. The rest is shared. */
import {describe, expect, test} from 'vitest';
import {dataUrl, makeSolidPng} from './helpers/images.ts';
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

/** A body with one text as its input; `extra` overrides its fields. */
function inputOf(input: unknown, extra: Body = {}): Body {
	return {model: 'MODEL-5.6-luna', input, ...extra};
}

async function respond(url: string, body: unknown): Promise<{status: number; reply: Reply}> {
	const response = await post(url, body, {}, 'responses');
	return {status: response.status, reply: await response.json()};
}

async function stream(url: string, body: Body): Promise<Response> {
	return await post(url, {...body, stream: true}, {}, 'responses');
}

/** The named events of a stream, its end mark taken off. */
async function readNamedEvents(response: Response): Promise<readonly Reply[]> {
	const texts = (await response.text()).split('\n\n');
	expect(texts.splice(-2)).toEqual(['data: [DONE]', '']);
	return texts.map((event) => {
		const [, name, data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(event) ?? [];
		const payload = JSON.parse(data);
		expect(payload.type).toBe(name);
		return payload;
	});
}

/** The text of the answer, the reasoning summary and the calls of a response. */
function readOutput({output}: Reply) {
	const of = (type: string) => output.filter((item: Reply) => item.type === type);
	const texts = (parts: Reply) => parts.map(({text}: Reply) => text);
	return {
		text: of('message')
			.flatMap((item: Reply) => texts(item.content))
			.join(''),
		reasoning: of('reasoning')
			.map((item: Reply) => texts(item.summary).join('\n\n'))
			.join(''),
		calls: of('function_call').map(({name, arguments: given}: Reply) => [name, given]),
	};
}

/** Ids are random: only their prefix stays. */
const withoutIds = (value: unknown): Reply =>
	JSON.parse(JSON.stringify(value).replace(/"(resp|msg|rs|fc)_[\da-f]{32}"/g, '"$1"'));

async function answer(input: unknown, extra: Body = {}): Promise<string> {
	return readOutput((await respond(service.url, inputOf(input, extra))).reply).text;
}

test('a stream builds each item of a reply, and ends with the whole reply', async () => {
	const call = '{id: c1, name: f, arguments: "{"}';
	const yaml = `replies: [{reply: {reasoning: hm, text: One two, tool_calls: [${call}]}}]`;
	const {url} = await play(yaml, {now: () => 1000});
	const events = withoutIds(await readNamedEvents(await stream(url, inputOf('x', summary))));
	const reasoning = {type: 'reasoning', id: 'rs', summary: []};
	const thought = {type: 'summary_text', text: 'hm'};
	const text = {type: 'output_text', text: 'One two', annotations: [], logprobs: []};
	const message = {type: 'message', id: 'msg', role: 'assistant'};
	const called = {type: 'function_call', id: 'fc', call_id: 'c1', name: 'f'};
	const output = [
		{...reasoning, summary: [thought]},
		{...message, status: 'completed', content: [text]},
		{...called, arguments: '{', status: 'completed'},
	];
	const begun = {
		...{id: 'resp', object: 'response', created_at: 1, completed_at: null, model: sol.model},
		...{status: 'in_progress', incomplete_details: null, error: null, output: [], usage: null},
		...{previous_response_id: null, store: false, background: false, service_tier: 'default'},
		...{instructions: null, tools: [], tool_choice: 'auto', truncation: 'disabled'},
		...{parallel_tool_calls: true, text: {format: {type: 'text'}}, temperature: 1, top_p: 1},
		...{presence_penalty: 0, frequency_penalty: 0, top_logprobs: 0, metadata: {}},
		...{max_output_tokens: null, max_tool_calls: null, reasoning: {effort: null, summary: 'auto'}},
		...{safety_identifier: null, prompt_cache_key: null},
	};
	const usage = {
		...{input_tokens: 4, input_tokens_details: {cached_tokens: 0}},
		...{output_tokens: 5, output_tokens_details: {reasoning_tokens: 1}, total_tokens: 9},
	};
	const ended = {...begun, status: 'completed', completed_at: 1, output, usage};
	const inSummary = {item_id: 'rs', output_index: 0, summary_index: 0};
	const inContent = {item_id: 'msg', output_index: 1, content_index: 0};
	const inCall = {item_id: 'fc', output_index: 2};
	const empty = {...text, text: ''};
	const expected: ReadonlyArray<readonly [type: string, fields: object]> = [
		['created', {response: begun}],
		['in_progress', {response: begun}],
		['output_item.added', {output_index: 0, item: reasoning}],
		['reasoning_summary_part.added', {...inSummary, part: {...thought, text: ''}}],
		['reasoning_summary_text.delta', {...inSummary, delta: 'hm'}],
		['reasoning_summary_text.done', {...inSummary, text: 'hm'}],
		['reasoning_summary_part.done', {...inSummary, part: thought}],
		['output_item.done', {output_index: 0, item: output[0]}],
		[
			'output_item.added',
			{output_index: 1, item: {...message, status: 'in_progress', content: []}},
		],
		['content_part.added', {...inContent, part: empty}],
		['output_text.delta', {...inContent, delta: 'One', logprobs: []}],
		['output_text.delta', {...inContent, delta: ' two', logprobs: []}],
		['output_text.done', {...inContent, text: 'One two', logprobs: []}],
		['content_part.done', {...inContent, part: text}],
		['output_item.done', {output_index: 1, item: output[1]}],
		[
			'output_item.added',
			{output_index: 2, item: {...called, arguments: '', status: 'in_progress'}},
		],
		['function_call_arguments.delta', {...inCall, delta: '{'}],
		['function_call_arguments.done', {...inCall, arguments: '{'}],
		['output_item.done', {output_index: 2, item: output[2]}],
		['completed', {response: ended}],
	];
	expect(events).toEqual(
		expected.map(([type, fields], number) => {
			return {type: `response.${type}`, sequence_number: number, ...fields};
		}),
	);
	const {reply} = await respond(url, inputOf('x', summary));
	expect(withoutIds(reply)).toEqual(ended);
});

test('the answer, its reasoning and its usage are those of chat completions', async () => {
	const {url} = service;
	const prompt = 'think for 40 words: count to 3';
	const {reply} = await respond(url, inputOf(prompt, summary));
	const {choices, usage} = await complete(url, bodyOf(prompt, sol));
	const {content: text, reasoning_content: reasoning} = choices[0].message;
	expect(readOutput(reply)).toEqual({text, reasoning, calls: []});
	expect(reply.output[0].summary.length).toBeGreaterThan(1);
	expect(reply.usage).toMatchObject({
		input_tokens: usage.prompt_tokens,
		output_tokens: usage.completion_tokens,
		output_tokens_details: usage.completion_tokens_details,
	});
});

describe('the request', () => {
	const said = (text: string) => ({type: 'input_text', text});
	const first = {role: 'assistant', content: [{type: 'output_text', text: 'first'}]};
	const media = [
		{type: 'input_image', image_url: png},
		{type: 'input_file', file_url: 'https://a.example/b.pdf'},
		{type: 'input_file', filename: 'a.csv', file_data: 'AAAA'},
	];
	const described =
		/3 x 2 pix.*\n- File: https:\/\/a\.example\/b\.pdf, which.*\n- File: a\.csv, 3 b/;
	const again = {...call, call_id: 'c2'};
	const results = [{...result, call_id: 'c2', output: [said('cold')]}, result];
	const format = {type: 'json_schema', name: 'a', schema: weather.parameters};
	test.each<[string, unknown, Body, RegExp]>([
		['instructions', 'hello', {instructions: 'Be brief.'}, /system message says “Be brief\.”/],
		[
			'a system message',
			[{role: 'developer', content: 'Be kind.'}, user('hello')],
			{},
			/“Be kind\.”/,
		],
		['earlier turns', [user('say a'), first, user('what did I say first?')], {}, /said: “say a”$/],
		['images and files', [user([said('look'), ...media])], sol, described],
		[
			'calls around a message, and both results',
			[user('x'), call, {role: 'assistant', content: 'Wait.'}, again, ...results],
			{tools},
			/: cold\n.*: sunny/,
		],
		['JSON by a schema', 'the city is "Rome"', {text: {format}}, /^{"city":"Rome"}$/],
		[
			'its parameters, and null or false for what is not stored',
			'show the parameters',
			{max_output_tokens: 900, previous_response_id: null, background: false},
			/`max_tokens`: 900/,
		],
	])('has %s', async (_name, input, extra, expected) => {
		expect(await answer(input, extra)).toMatch(expected);
	});

	test('can limit its calls by name, to none or to one at a time, and is repeated', async () => {
		const only = {type: 'function', name: 'get_time'};
		const send = async (extra: Body) => {
			const {reply} = await respond(service.url, inputOf('use both tools', {tools, ...extra}));
			return {reply, names: readOutput(reply).calls.map(([name]: [string]) => name)};
		};
		expect((await send({})).names).toEqual(['get_weather', 'get_time']);
		expect((await send({tool_choice: 'none'})).names).toEqual([]);
		expect((await send({tool_choice: only})).names).toEqual(['get_time']);
		expect((await send({parallel_tool_calls: false})).names).toEqual(['get_weather']);
		const given = {
			...{instructions: 'Be brief.', temperature: 0, metadata: {a: 'b'}, max_output_tokens: 900},
			...{reasoning: {effort: 'low', summary: 'auto'}},
			tool_choice: {type: 'allowed_tools', mode: 'auto', tools: [only]},
		};
		const {reply, names} = await send({...given, text: {format, verbosity: 'low'}});
		expect(names).toEqual(['get_time']);
		expect(reply).toMatchObject({
			...given,
			text: {format: {...format, description: null, strict: false}, verbosity: 'low'},
		});
		expect(reply.tools).toEqual([
			{...weather, description: null, strict: true},
			{...clock, parameters: null},
		]);
	});

	test.each<[string, Body]>([
		['input', {input: undefined}],
		['input[0]', {input: ['x']}],
		['input[1].type', {input: [user('x'), {type: 'item_reference', id: 'a'}]}],
		['input[0].role', {input: [{role: 'tool', content: 'x'}]}],
		['input[0].content[0].type', {input: [user([{type: 'text', text: 'x'}])]}],
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
		['input[0].summary', {input: [{type: 'reasoning', id: 'rs_1'}, user('x')]}],
		['tools[0].name', {tools: [{type: 'function', function: {name: 'f'}}]}],
		['tools[1].name', {tools: [clock, clock]}],
		['tool_choice.name', {tools, tool_choice: {type: 'function', name: 'f'}}],
		['text.format.name', {text: {format: {type: 'json_schema', schema: {}}}}],
		['max_output_tokens', {max_output_tokens: 15}],
		['previous_response_id', {previous_response_id: 'resp_1'}],
		['background', {background: true}],
		['messages', {messages: []}],
		['response_format', {response_format: {type: 'json_object'}}],
	])('is a 400 that names the field %s: %j', async (param, extra) => {
		const {status, reply} = await respond(service.url, inputOf('x', extra));
		expect([status, reply.error?.param]).toEqual([400, param]);
		expect(reply.error).toMatchObject({type: 'invalid_request_error', code: expect.any(String)});
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
	const last = async (yaml: string) => {
		const {url} = await play(yaml);
		return (await readNamedEvents(await stream(url, inputOf('x')))).at(-1);
	};

	test.each([
		['stop', 'completed', null, null],
		['length', 'incomplete', {reason: 'max_output_tokens'}, null],
		['content_filter', 'incomplete', {reason: 'content_filter'}, null],
		['error', 'failed', null, {code: 'server_error', message: expect.any(String)}],
	])('with the finish reason %s is %s', async (reason, status, details, error) => {
		const calls = 'tool_calls: [{name: f}, {name: g}]';
		const yaml = `replies: [{reply: {${calls}, finish_reason: ${reason}, usage: {cost: 5}}}]`;
		const event = await last(yaml);
		expect(event).toMatchObject({
			type: `response.${status}`,
			response: {status, incomplete_details: details, error, usage: {cost: 5}},
		});
		const end = status === 'completed' ? status : 'incomplete';
		const statuses = event.response.output.map((item: Reply) => item.status);
		expect(statuses).toEqual(['completed', end]);
		const {url} = await play(yaml);
		expect((await respond(url, inputOf('x'))).reply).toMatchObject({status, error});
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
		const streamWith = async (fault: string) =>
			await stream((await play(yaml(fault))).url, inputOf('x'));
		expect((await last(yaml('finish_reason: missing'))).type).toBe('response.output_item.done');
		const {url} = await play(yaml('finish_reason: no_field'));
		expect((await respond(url, inputOf('x'))).reply.status).toBe('in_progress');
		expect(await (await streamWith('done: missing')).text()).not.toContain('[DONE]');
		await expect((await streamWith('cut: {after_events: 3}')).text()).rejects.toThrow();
		const ended = await (await streamWith('cut: {after_events: 3, how: end}')).text();
		expect(ended.match(/^event: /gm)).toHaveLength(3);
		const broken = await (await streamWith('malformed: {event: 2}')).text();
		expect(broken).toContain('event: response.in_progress\ndata: {"type":"response.in_progress"');
		expect(() => JSON.parse(broken.split('\n\n')[1]?.split('data: ')[1] ?? '')).toThrow();
		const {port} = await play('replies: [{fault: {status: 429, retry_after: 1}}]');
		const limited = await post(`http://127.0.0.1:${port}`, inputOf('x'), {}, 'responses');
		expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
	});
});

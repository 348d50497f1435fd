import {describe, expect, test} from 'vitest';
import {dataUrl, makeSolidPng} from './helpers/images.ts';
import {play} from './helpers/scenario.ts';
import {
	ask,
	type Body,
	bodyOf,
	complete,
	joinDeltas,
	post,
	type Reply,
	streamChunks,
} from './helpers/service.ts';

const sol = {model: 'MODEL-5.6-sol'};
const tools = [{type: 'function', function: {name: 'get_time'}}];
const image = {
	type: 'image_url',
	image_url: {url: dataUrl('image/png', makeSolidPng(1, 1, [0, 0, 0]))},
};
const call = {id: 'a', type: 'function', function: {name: 'get_time', arguments: '{}'}};

/** The statuses of so many requests in a row. */
async function statuses(url: string, count: number): Promise<readonly number[]> {
	const seen: number[] = [];
	for (let sent = 0; sent < count; sent += 1) {
		seen.push((await post(url, bodyOf('hello'))).status);
	}
	return seen;
}

const user = (content: unknown) => ({role: 'user', content});

describe('a rule is for', () => {
	const schema = {type: 'json_schema', json_schema: {name: 'x', schema: {}}};
	const asked = [user('x'), {role: 'assistant', content: null, tool_calls: [call]}];
	const result = {role: 'tool', tool_call_id: 'a', content: '12:00'};
	const rows: ReadonlyArray<readonly [string, string, Body, boolean]> = [
		['the exact prompt, white space aside', 'prompt: "hello\\n"', bodyOf(' hello '), true],
		['the exact prompt, not its capitals', 'prompt: hello', bodyOf('Hello'), false],
		['a part of the prompt', 'prompt: {contains: lo y}', bodyOf('hello you'), true],
		['a pattern with flags', 'prompt: {matches: ^H.*O$, flags: i}', bodyOf('hello'), true],
		['both', 'prompt: {contains: hello, matches: you$}', bodyOf('hello me'), false],
		['the tier', 'model: sol', bodyOf('x', sol), true],
		['a model of a family', 'model: MODEL-5.6-sol', bodyOf('x', {model: 'm-5.6-sol'}), false],
		['streams', 'stream: false', bodyOf('x'), true],
		['an image', 'has: image', bodyOf([{type: 'text', text: 'x'}, image], sol), true],
		['JSON by a schema', 'has: json', bodyOf('x', {response_format: schema}), true],
		['JSON, not text', 'has: json', bodyOf('x', {response_format: {type: 'text'}}), false],
		['JSON and tools', 'has: [json, tools]', bodyOf('x', {tools}), false],
		['the result of a tool', 'has: tool_result', bodyOf('', {messages: [...asked, result]}), true],
		['the second turn', 'turn: 2', bodyOf('', {messages: [user('x'), user('y')]}), true],
		['the second turn, not the first', 'turn: "2-"', bodyOf('x'), false],
		['a turn of several', 'turn: [5, 1-3]', bodyOf('x'), true],
		['the last prompt', 'prompt: y', bodyOf('', {messages: [user('x'), user('y')]}), true],
	];
	test.each(rows)('%s: %s', async (_, when, body, isMet) => {
		const {url} = await play(`replies:\n  - when:\n      ${when}\n    reply: scripted`);
		const {choices} = await complete(url, body);
		expect(choices[0].message.content === 'scripted').toBe(isMet);
	});
});

describe('of several rules', () => {
	test('one that is used up gives way to the next', async () => {
		const {url} = await play(`
replies:
  - {times: 2, fault: {status: 429}}
  - {times: 1, fault: {status: 500}}
  - reply: ok`);
		expect(await statuses(url, 5)).toEqual([429, 429, 500, 200, 200]);
	});

	test('each counts the requests that it is for, also those that go to another', async () => {
		const {url} = await play(`
replies:
  - {when: {nth: 1}, fault: {status: 429}}
  - {when: {nth: [2, 4-5]}, fault: {status: 500}}
  - {when: {nth: 6-}, fault: {status: 503}}`);
		expect(await statuses(url, 8)).toEqual([429, 500, 200, 500, 500, 503, 503, 503]);
	});

	test('a refused request counts for none', async () => {
		const {url} = await play('replies: [{when: {nth: 1}, reply: first}]');
		expect((await post(url, bodyOf('x', {temperature: 3}))).status).toBe(400);
		expect((await post(url, bodyOf('x', {model: 'gpt-4'}))).status).toBe(404);
		expect(await ask(url, 'x')).toBe('first');
	});
});

test('a request without a rule is answered by rule, or refused by a strict scenario', async () => {
	const {url} = await play('replies: [{when: {prompt: a}, reply: A}]');
	expect(await ask(url, 'count to 2')).toBe('1, 2');
	const strict = await play('strict: true\nreplies: [{when: {prompt: b}, reply: A}]');
	const response = await post(strict.url, bodyOf('a'));
	expect([response.status, await response.json()]).toMatchObject([
		400,
		{
			error: {
				message:
					'no rule of the scenario matches this request: model MODEL-5.6-luna, turn 1, prompt "a"',
				code: 'no_matching_rule',
			},
		},
	]);
});

describe('a rule without a reply', () => {
	test('puts its fault into the answer by rule', async () => {
		const {url} = await play('replies: [{fault: {headers: {x-fault: yes}}}]');
		const response = await post(url, bodyOf('say pong'));
		expect(response.headers.get('x-fault')).toBe('yes');
		expect(await response.text()).toContain('"content":"pong"');
	});
});

/** Both forms of the reply to one request, which must hold the same. */
async function both(
	reply: string,
	extra: Record<string, unknown> = {},
): Promise<{readonly whole: Reply; readonly chunks: readonly Reply[]}> {
	const {url} = await play(`replies:\n  - reply:\n${reply.replace(/^/gm, '      ')}`);
	const body = bodyOf('hello', extra);
	const whole = await complete(url, body);
	const chunks = await streamChunks(url, {...body, stream_options: {include_usage: true}});
	const joined = joinDeltas(chunks);
	const {message, finish_reason: reason} = whole.choices[0];
	expect(joined.content).toBe(message.content ?? '');
	expect(joined.reasoning).toBe(message.reasoning_content ?? '');
	expect(joined.calls).toEqual((message.tool_calls ?? []).map((call: Reply) => call.function));
	expect(chunks.at(-2).choices[0].finish_reason).toBe(reason);
	expect(chunks.at(-1)).toMatchObject({choices: [], usage: whole.usage});
	return {whole, chunks};
}

function deltasOf(chunks: readonly Reply[]): readonly Reply[] {
	return chunks.flatMap(({choices}) => choices.map(({delta}: Reply) => delta));
}

describe('a scripted reply', () => {
	test('has calls, with arguments of any kind, and an id of its own if it has one', async () => {
		const {whole} = await both(`
text: Let me look.
reasoning: because of that
tool_calls:
  - {id: call_1, name: get_weather, arguments: {city: Rome}}
  - {name: broken, arguments: '{"city":'}
  - {name: get_time}`);
		const {message, finish_reason: reason} = whole.choices[0];
		expect(reason).toBe('tool_calls');
		expect(message.content).toBe('Let me look.');
		expect(message.reasoning_content).toBe('because of that');
		expect(message.tool_calls.map(({function: called}: Reply) => called)).toEqual([
			{name: 'get_weather', arguments: '{"city":"Rome"}'},
			{name: 'broken', arguments: '{"city":'},
			{name: 'get_time', arguments: '{}'},
		]);
		expect(message.tool_calls[0].id).toBe('call_1');
		expect(message.tool_calls[1].id).toMatch(/^call_[0-9a-f]{24}$/);
	});

	test('has any finish reason, but says that it was cut', async () => {
		const reply = 'text: one two three\nfinish_reason: eos';
		expect((await both(reply)).whole.choices[0].finish_reason).toBe('eos');
		const cut = (await both(reply, {max_tokens: 2})).whole;
		expect(cut.choices[0]).toMatchObject({finish_reason: 'length', message: {content: 'one two'}});
		expect(cut.usage.completion_tokens).toBe(2);
	});

	test('says what it cost, as far as the script does', async () => {
		const {whole} = await both('text: one two\nusage: {prompt_tokens: 1000, cached: true}');
		expect(whole.usage).toEqual({
			prompt_tokens: 1000,
			completion_tokens: 2,
			total_tokens: 1002,
			cached: true,
		});
		const wrong = await both('text: one two\nusage: {total_tokens: 1}');
		expect(wrong.whole.usage).toEqual({prompt_tokens: 4, completion_tokens: 2, total_tokens: 1});
	});
});

describe('the chunks of a script', () => {
	test('are streamed as they are written, after the role', async () => {
		const {url} = await play(
			`replies: [{reply: {chunks: ["", "on", "e\\n", {content: null}, {reasoning: hm}, {content: x, extra: 1}]}}]`,
		);
		const deltas = deltasOf(await streamChunks(url, bodyOf('hello')));
		expect(deltas).toEqual([
			{role: 'assistant', content: null},
			{content: ''},
			{content: 'on'},
			{content: 'e\n'},
			{content: null},
			{reasoning: 'hm'},
			{content: 'x', extra: 1},
			{},
		]);
		const {message} = (await complete(url, bodyOf('hello'))).choices[0];
		expect(message).toMatchObject({content: 'one\nx', reasoning_content: 'hm'});
	});

	test('can be parts of calls', async () => {
		const {whole} = await both(`
chunks:
  - tool_calls: [{index: 0, id: a, type: function, function: {name: get_time, arguments: '{"z'}}]
  - tool_calls: [{index: 1, id: b, type: function, function: {name: get_day, arguments: ''}}]
  - tool_calls: [{index: 0, function: {arguments: 'one":1}'}}]`);
		const {message, finish_reason: reason} = whole.choices[0];
		expect(reason).toBe('tool_calls');
		expect(message.content).toBeNull();
		expect(message.tool_calls).toEqual([
			{id: 'a', type: 'function', function: {name: 'get_time', arguments: '{"zone":1}'}},
			{id: 'b', type: 'function', function: {name: 'get_day', arguments: ''}},
		]);
	});
});

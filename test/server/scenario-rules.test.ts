import {describe, expect, test} from 'vitest';
import {dataUrl, makeSolidPng} from './helpers/images.ts';
import {play} from './helpers/scenario.ts';
import {ask, type Body, bodyOf, complete, post} from './helpers/service.ts';

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
	test('the first one that matches wins', async () => {
		const {url} = await play('replies: [{when: {prompt: a}, reply: A}, {reply: B}, {reply: C}]');
		expect([await ask(url, 'a'), await ask(url, 'b')]).toEqual(['A', 'B']);
	});

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

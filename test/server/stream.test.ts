import {EventEmitter} from 'node:events';
import type {ServerResponse} from 'node:http';
import {setImmediate} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {createTurns, sendBody} from '../../src/server/reply/send-body.ts';
import {
	ask,
	bodyOf,
	complete,
	countReplies,
	joinDeltas,
	post,
	readEvents,
	serve,
	serveAll,
	streamChunks,
	until,
} from './helpers/service.ts';

const service = serveAll();

const tools = [
	{
		type: 'function',
		function: {
			name: 'get_weather',
			parameters: {type: 'object', properties: {city: {type: 'string'}}, required: ['city']},
		},
	},
	{type: 'function', function: {name: 'get_time'}},
];

describe('a stream', () => {
	test('has the role first, one id, the finish reason alone and last, then the end marker', async () => {
		const {url} = await serve({now: () => 1_795_168_800_999});
		const response = await post(url, bodyOf('say one two three', {stream: true}));
		expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
		const events = await readEvents(response);
		expect(events.at(-1)).toBe('[DONE]');
		const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
		expect(chunks[0].choices[0].delta).toEqual({role: 'assistant', content: ''});
		expect(new Set(chunks.map(({id}) => id)).size).toBe(1);
		expect(chunks[0].id).toMatch(/^chatcmpl-\S{10}/);
		for (const chunk of chunks) {
			expect(chunk).not.toHaveProperty('usage');
			expect(chunk).toMatchObject({
				object: 'chat.completion.chunk',
				created: 1_795_168_800,
				model: 'MODEL-5.6-luna',
			});
		}
		const reasons = chunks.map((chunk) => chunk.choices[0].finish_reason);
		expect(reasons.slice(0, -1).every((reason) => reason === null)).toBe(true);
		expect(chunks.at(-1).choices).toEqual([{index: 0, delta: {}, finish_reason: 'stop'}]);
		const texts = chunks.map((chunk) => chunk.choices[0].delta.content).filter(Boolean);
		expect(texts).toEqual(['one', ' two', ' three']);
	});

	test('keeps to its latency and its rate', async () => {
		const {url} = await serve({latencyMs: 100, tokensPerSecond: 200});
		const start = performance.now();
		const response = await post(url, bodyOf('write 30 words', {stream: true}));
		expect(performance.now() - start).toBeGreaterThan(90);
		await response.text();
		expect(performance.now() - start).toBeGreaterThan(220);
	});

	test('splits the arguments of calls, each with its index', async () => {
		const {url} = service;
		const body = bodyOf('get_weather for "Paris" and get_time', {tools});
		const {message} = (await complete(url, body)).choices[0];
		const chunks = await streamChunks(url, body);
		const joined = joinDeltas(chunks);
		const wanted = message.tool_calls.map((call: {function: unknown}) => call.function);
		expect(joined.calls).toEqual(wanted);
		expect(wanted).toEqual([
			{name: 'get_weather', arguments: '{"city":"Paris"}'},
			{name: 'get_time', arguments: '{}'},
		]);
		const deltas = chunks.flatMap(({choices: [choice]}) => choice.delta.tool_calls ?? []);
		expect(deltas.filter(({index}) => index === 0).length).toBeGreaterThan(3);
		expect(deltas.filter(({id}) => id !== undefined).map(({id}) => id)).toHaveLength(2);
		expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
	});

	test('keeps to a wait longer than a timer knows, until its reader leaves', async () => {
		const {url} = await serve({tokensPerSecond: 1e-7});
		const leave = new AbortController();
		const reply = fetch(`${url}/v1/chat/completions`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify(bodyOf('hello', {stream: true})),
			signal: leave.signal,
		}).then((response) => response.text());
		const ending = expect(reply).rejects.toThrow();
		await until(async () => (await countReplies(url)) === 1);
		for (let asked = 0; asked < 9; asked += 1) expect(await countReplies(url)).toBe(1);
		leave.abort();
		await ending;
		await until(async () => (await countReplies(url)) === 0);
	});

	test('lets others have their turn, though the system takes all it gets', async () => {
		const response = Object.assign(new EventEmitter(), {
			written: 0,
			write() {
				response.written += 1;
				queueMicrotask(() => response.emit('drain'));
				return false;
			},
			end() {},
		});
		const leave = new AbortController();
		const others = (async () => {
			for (let turns = 0; turns < 10; turns += 1) await setImmediate();
			leave.abort();
		})();
		const takeTurn = createTurns();
		const parts = Array.from({length: 1000}, () => 'x'.repeat(20_000));
		await sendBody(response as unknown as ServerResponse, parts, {takeTurn}, leave.signal);
		await others;
		expect(response.written).toBeLessThan(20);
	});

	test('comes among the next turns, however many long replies are under way', async () => {
		const takeTurn = createTurns();
		const taken: string[] = [];
		const write = async (name: string, turns: number) => {
			for (let turn = 0; turn < turns; turn += 1) {
				await takeTurn(turn === 0 ? 'newcomer' : undefined);
				taken.push(name);
			}
		};
		const long = Array.from({length: 100}, () => write('long', 5));
		while (taken.length < 250) await setImmediate();
		await Promise.all([write('short', 1), ...long]);
		expect(taken).toHaveLength(501);
		expect(taken.indexOf('short')).toBeLessThan(255);
	});
});

describe('a limit of tokens', () => {
	test('cuts the reply and says so, but not one that is just short enough', async () => {
		const {url} = service;
		const full = await complete(url, bodyOf('write 50 words'));
		const {completion_tokens: enough} = full.usage;
		const fitting = await complete(url, bodyOf('write 50 words', {max_tokens: enough}));
		expect(fitting.choices).toEqual(full.choices);
		const limits = {max_tokens: enough, max_completion_tokens: enough - 1};
		const {choices, usage} = await complete(url, bodyOf('write 50 words', limits));
		expect([choices[0].finish_reason, usage.completion_tokens]).toEqual(['length', enough - 1]);
		expect(full.choices[0].message.content).toContain(choices[0].message.content);
		const streamed = await streamChunks(url, bodyOf('write 50 words', limits));
		expect(joinDeltas(streamed).content).toBe(choices[0].message.content);
	});

	test('shortens the reasoning before the answer', async () => {
		const {url} = service;
		const body = {model: 'M-5.6-sol', max_tokens: 20};
		const {choices, usage} = await complete(url, bodyOf('say pong', body));
		expect(choices[0].message.content).toBe('pong');
		expect(choices[0].finish_reason).toBe('stop');
		expect(usage.completion_tokens).toBe(20);
		expect(usage.completion_tokens_details.reasoning_tokens).toBe(19);
	});

	test('cuts the arguments of a call', async () => {
		const {url} = service;
		const body = bodyOf('get_weather in Paris', {tools, max_tokens: 3});
		const [choice] = (await complete(url, body)).choices;
		expect(choice.finish_reason).toBe('length');
		const [call] = choice.message.tool_calls;
		expect('{"city":"Paris"}'.startsWith(call.function.arguments)).toBe(true);
		expect(call.function.arguments.length).toBeLessThan(16);
	});

	test('is not needed for stop words, which end the text before them', async () => {
		const {url} = service;
		expect(await ask(url, 'say one two three', {stop: [' three', 'two']})).toBe('one ');
	});
});

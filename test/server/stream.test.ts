import {EventEmitter, once} from 'node:events';
import {type IncomingMessage, request, type ServerResponse} from 'node:http';
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

const prompts = [
	'hello',
	'say pong',
	'say 👩‍👩‍👧‍👦🇨🇦👍🏽 e\u0301 日本語\r\n\tend',
	'think step by step: count to 2',
	'say a\u0000b \ud83d lone',
	'',
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

	test.each(prompts)('adds up to the reply without streaming: %j', async (prompt) => {
		const {url} = service;
		for (const tier of ['sol', 'luna']) {
			const body = bodyOf(prompt, {model: `MODEL-5.6-${tier}`});
			const {message} = (await complete(url, body)).choices[0];
			const joined = joinDeltas(await streamChunks(url, body));
			expect(joined.content).toBe(message.content);
			expect(joined.reasoning).toBe(message.reasoning_content ?? '');
			expect(joined.reasoning !== '').toBe(tier === 'sol');
		}
	});

	test('keeps to the rate', async () => {
		const {url} = await serve({tokensPerSecond: 200});
		const start = performance.now();
		await streamChunks(url, bodyOf('write 60 words'));
		expect(performance.now() - start).toBeGreaterThan(250);
	});

	test('waits for its latency before the first byte', async () => {
		const {url} = await serve({latencyMs: 120});
		for (const stream of [true, false]) {
			const start = performance.now();
			const response = await post(url, bodyOf('hello', {stream}));
			expect(performance.now() - start).toBeGreaterThan(110);
			await response.text();
		}
	});

	test('never splits a character over two deltas', async () => {
		const {url} = service;
		const text = '👩‍👩‍👧‍👦🇨🇦🇩🇪👍🏽e\u0301日本\r\nx';
		const chunks = await streamChunks(url, bodyOf(`say ${text}`));
		const deltas = chunks.map((chunk) => chunk.choices[0].delta.content).filter(Boolean);
		expect(deltas).toEqual(['👩‍👩‍👧‍👦', '🇨🇦', '🇩🇪', '👍🏽', 'e\u0301', '日', '本', '\r\n', 'x']);
	});

	test('reports the usage only when asked, last, without choices', async () => {
		const {url} = service;
		const body = bodyOf('count to 9', {model: 'M-5.6-sol'});
		const {usage} = await complete(url, body);
		const chunks = await streamChunks(url, {...body, stream_options: {include_usage: true}});
		expect(chunks.at(-1)).toMatchObject({choices: [], usage});
		expect(chunks.slice(0, -1).some((chunk) => 'usage' in chunk)).toBe(false);
		expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
		const deltas = chunks.filter(({choices}) => choices[0] !== undefined).length - 2;
		expect(usage.completion_tokens).toBe(deltas);
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
		expect(deltas.every(({index}) => Number.isInteger(index))).toBe(true);
		expect(deltas.filter(({index}) => index === 0).length).toBeGreaterThan(3);
		expect(deltas.filter(({id}) => id !== undefined).map(({id}) => id)).toHaveLength(2);
		expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
	});

	test.each([
		['latency', {latencyMs: 600 * 3_600_000}],
		['time between two tokens', {tokensPerSecond: 1e-7}],
	])('keeps to a %s that is longer than a timer knows', async (_name, options) => {
		const {url} = await serve(options);
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

	test('ends when its reader leaves, and frees its place', async () => {
		const {url} = await serve({tokensPerSecond: 20});
		const leave = new AbortController();
		const response = await fetch(`${url}/v1/chat/completions`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify(bodyOf('write 5000 words', {stream: true})),
			signal: leave.signal,
		});
		await response.body?.getReader().read();
		expect(await countReplies(url)).toBe(1);
		leave.abort();
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

	test('waits for a slow reader', async () => {
		const {port} = await serve();
		const client = request({
			port,
			method: 'POST',
			path: '/v1/chat/completions',
			headers: {'content-type': 'application/json'},
		});
		client.end(JSON.stringify(bodyOf('write 8000 words', {stream: true})));
		const [response] = (await once(client, 'response')) as [IncomingMessage];
		response.setEncoding('utf8');
		let text = '';
		for await (const piece of response) {
			text += piece;
			// A reader that takes one piece in each round of the event loop.
			await setImmediate();
		}
		expect(text.match(/^data: \{/gm)?.length).toBeGreaterThan(8_000);
		expect(text).toMatch(/data: \[DONE\]\n\n$/);
	});
});

describe('a limit of tokens', () => {
	test.each(['sol', 'luna'])('cuts the reply of %s and says so', async (tier) => {
		const {url} = service;
		const body = bodyOf('write 50 words', {
			...{model: `M-5.6-${tier}`, max_tokens: 9, max_completion_tokens: 3},
		});
		const reply = await complete(url, body);
		expect(reply.choices[0].finish_reason).toBe('length');
		expect(reply.usage.completion_tokens).toBe(3);
		expect(reply.choices[0].message.content).not.toBe('');
		const joined = joinDeltas(await streamChunks(url, body));
		expect(joined.content).toBe(reply.choices[0].message.content);
	});

	test('that is just enough cuts nothing', async () => {
		const {url} = service;
		const full = await complete(url, bodyOf('write 50 words'));
		const {completion_tokens: enough} = full.usage;
		const fitting = await complete(url, bodyOf('write 50 words', {max_tokens: enough}));
		expect(fitting.choices).toEqual(full.choices);
		const short = await complete(url, bodyOf('write 50 words', {max_tokens: enough - 1}));
		expect(short.choices[0].finish_reason).toBe('length');
		expect(full.choices[0].message.content).toContain(short.choices[0].message.content);
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

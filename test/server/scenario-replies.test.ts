import {describe, expect, test} from 'vitest';
import {play} from './helpers/scenario.ts';
import {bodyOf, complete, joinDeltas, type Reply, streamChunks} from './helpers/service.ts';

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

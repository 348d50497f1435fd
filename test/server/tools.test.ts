import {describe, expect, test} from 'vitest';
import {makeValue} from '../../src/server/answer/make-value.ts';
import {type Body, bodyOf, complete, type Reply, serveAll} from './helpers/service.ts';

const service = serveAll();

function makeTool(name: string, properties: Body = {}, rest: Body = {}) {
	return {type: 'function', function: {name, parameters: {type: 'object', properties, ...rest}}};
}

const weather = makeTool(
	'get_weather',
	{city: {type: 'string'}, unit: {enum: ['celsius', 'fahrenheit']}},
	{required: ['city', 'unit']},
);
const clock = makeTool('getTime', {timezone: {type: 'string'}}, {required: ['timezone']});

async function choose(content: string, extra: Body = {}): Promise<Reply> {
	const {url} = service;
	return (await complete(url, bodyOf(content, {tools: [weather, clock], ...extra}))).choices[0];
}

async function namesOf(content: string, extra: Body = {}): Promise<readonly string[]> {
	const {message} = await choose(content, extra);
	return (message.tool_calls ?? []).map((call: Reply) => call.function.name);
}

describe('a call', () => {
	test('is made when the prompt names the tool, with arguments from the prompt', async () => {
		const {message, finish_reason} = await choose('fahrenheit, and the weather in San Francisco?');
		expect(finish_reason).toBe('tool_calls');
		expect(message.content).toBeNull();
		expect(message.tool_calls).toHaveLength(1);
		const [call] = message.tool_calls;
		expect(call).toMatchObject({id: expect.stringMatching(/^call_\w+$/), type: 'function'});
		expect(JSON.parse(call.function.arguments)).toEqual({
			city: 'San Francisco',
			unit: 'fahrenheit',
		});
	});

	const ofServer = ['mcp__files__read_text_file', 'mcp__files__read_file'];
	const serverTools = ofServer.map((name) => makeTool(name));
	const clockChoice = {type: 'function', function: {name: 'getTime'}};
	test.each<[string, Body, readonly string[]]>([
		['hello', {}, []],
		['What time is it?', {tool_choice: 'required'}, ['getTime']],
		['weather in Rome', {tool_choice: 'none'}, []],
		['weather in Rome', {tool_choice: clockChoice}, ['getTime']],
		['use both tools', {}, ['get_weather', 'getTime']],
		['the time and the weather', {parallel_tool_calls: false}, ['getTime']],
		['list the sizes', {tools: [makeTool('mcp__docs__list_sizes')]}, ['mcp__docs__list_sizes']],
		['read the text file', {tools: serverTools}, ofServer],
		[`${ofServer[0]}, then ${ofServer[1]}`, {tools: serverTools}, ofServer.slice(0, 1)],
		['files', {tools: serverTools}, []],
	])('%j with %j calls %j', async (prompt, extra, names) => {
		expect(await namesOf(prompt, extra)).toEqual(names);
	});

	test('is not repeated after its result, which the answer uses', async () => {
		const called = {name: 'get_weather', arguments: '{"city":"Rome"}'};
		const messages = [
			{role: 'user', content: 'weather in Rome?'},
			{role: 'assistant', tool_calls: [{id: 'c1', type: 'function', function: called}]},
			{role: 'tool', tool_call_id: 'c1', content: 'clear'},
		];
		for (const choice of ['required', {type: 'function', function: {name: 'get_weather'}}]) {
			const {message, finish_reason} = await choose('', {messages, tool_choice: choice});
			expect(finish_reason).toBe('stop');
			expect(message.content).toContain('- `get_weather` for `{"city":"Rome"}`: clear');
		}
	});

	test('waits for the result of the one before it when asked to', async () => {
		const user = {role: 'user', content: 'The time, then the weather in Rome.'};
		expect(await namesOf('', {messages: [user]})).toEqual(['getTime']);
		const call = {id: 'c1', type: 'function', function: {name: 'getTime', arguments: '{}'}};
		const caller = {role: 'assistant', content: null, tool_calls: [call]};
		const messages = [user, caller, {role: 'tool', tool_call_id: 'c1', content: 'noon'}];
		expect(await namesOf('', {messages})).toEqual(['get_weather']);
	});

	test('is one of sixteen at most', async () => {
		const tools = Array.from({length: 200}, (_, index) => makeTool(`tool_${index}`));
		expect(await namesOf('use all the tools', {tools})).toEqual(
			tools.slice(0, 16).map((tool) => tool.function.name),
		);
	});
});

describe('arguments', () => {
	const node = {
		type: 'object',
		properties: {value: {type: 'integer'}, next: {anyOf: [{$ref: '#/$defs/node'}, {type: 'null'}]}},
		required: ['value', 'next'],
	};
	const levels = 24;
	const doubling = Object.fromEntries(
		Array.from({length: levels}, (_, level) => {
			const next = {$ref: `#/$defs/d${level + 1}`};
			return [`d${level}`, level + 1 < levels ? {allOf: [next, next]} : {type: 'integer'}];
		}),
	);
	const fill = (properties: Body, prompt: string): unknown => {
		const required = Object.keys(properties);
		const schema = {type: 'object', properties, required, $defs: {node, ...doubling}};
		return makeValue(JSON.parse(JSON.stringify(schema)), prompt);
	};

	const letter = {type: 'object', properties: {to: {type: 'string'}}, required: ['to']};

	test.each<[schema: Body, prompt: string, value: unknown]>([
		[{type: 'integer', minimum: 5, maximum: 7}, 'use 8', 5],
		[{type: 'integer', exclusiveMinimum: 0}, 'use -7, 7.5 and 3', 3],
		[{type: 'integer', minimum: 0.5}, '', 1],
		[{type: 'number', maximum: -3}, '', -3],
		[{const: {x: [1]}}, '', {x: [1]}],
		[{enum: ['red', 'Green']}, 'the green one', 'Green'],
		[{type: 'boolean'}, '', true],
		[{type: ['null', 'integer']}, '', 1],
		[{type: 'array', items: {type: 'string'}}, 'in Rome?', ['Rome']],
		[{type: 'array', items: {type: 'number'}, minItems: 2}, '4, 5 and 6.5', [4, 5]],
		[{anyOf: [{type: 'null'}, {type: 'integer'}]}, '', 1],
		[{$ref: '#/$defs/node'}, '', {value: 1, next: {value: 1, next: {value: 1, next: null}}}],
		[letter, 'send "good morning", to: Eve', {to: 'Eve'}],
		[{}, 'send "good morning"', 'good morning'],
		[{type: 7, enum: 'x', minimum: 'y', required: {}, items: 3, anyOf: []}, 'as it is', 'as it is'],
		[{$ref: '#/properties/a'}, 'x', 'x'],
		[{$ref: '#/$defs/d0'}, 'x', 'x'],
	])('are made for %j from %j', (schema, prompt, value) => {
		expect(fill({a: schema}, prompt)).toEqual({a: value});
	});

	test('may have names that every object has', () => {
		const properties = JSON.parse('{"__proto__":{"type":"string"},"toString":{"type":"integer"}}');
		const value = fill(properties, 'x');
		expect(JSON.stringify(value)).toBe('{"__proto__":"x","toString":1}');
	});

	const rowsOf = (items: Body) => ({
		...{type: 'array', minItems: 100},
		items: {type: 'array', minItems: 20, items},
	});

	test.each<[string, Body]>([
		['endless items', {type: 'array', minItems: 1e9, items: {type: 'array', minItems: 1e9}}],
		['a huge constant, again and again', rowsOf({const: 'x'.repeat(600_000)})],
		['a huge name, again and again', rowsOf({type: 'object', required: ['n'.repeat(600_000)]})],
	])('are bounded for %s', (_name, hard) => {
		expect(JSON.stringify(fill({hard}, 'x')).length).toBeLessThan(400_000);
	});

	test('are bounded for endless optional properties', {tags: ['cost']}, () => {
		const names = Array.from({length: 100_000}, (_, index) => `p${index}`);
		const properties = Object.fromEntries(names.map((name) => [name, {type: 'string'}]));
		const value = makeValue({type: 'object', properties, required: ['p99999']}, 'hi');
		expect(value).toEqual({p99999: 'hi'});
	});
});

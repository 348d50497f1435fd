import {Ajv} from 'ajv';
import {describe, expect, test} from 'vitest';
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

/** The arguments of the one call of a tool with this schema. */
async function fill(parameters: Body, content = 'x'): Promise<Reply> {
	const tool = {type: 'function', function: {name: 'f', parameters}};
	const {message} = await choose(content, {tools: [tool], tool_choice: 'required'});
	return JSON.parse(message.tool_calls[0].function.arguments);
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

	test.each<[string, Body, readonly string[]]>([
		['hello', {}, []],
		['What time is it?', {tool_choice: 'required'}, ['getTime']],
		['weather in Rome', {tool_choice: 'none'}, []],
		[
			'weather in Rome',
			{tool_choice: {type: 'function', function: {name: 'getTime'}}},
			['getTime'],
		],
		['use both tools', {}, ['get_weather', 'getTime']],
		['the time and the weather', {parallel_tool_calls: false}, ['getTime']],
		['list the sizes', {tools: [makeTool('mcp__docs__list_sizes')]}, ['mcp__docs__list_sizes']],
	])('%j with %j calls %j', async (prompt, extra, names) => {
		expect(await namesOf(prompt, extra)).toEqual(names);
	});

	test.each<[string, readonly string[]]>([
		['read the text file', ['mcp__files__read_file', 'mcp__files__read_text_file']],
		['mcp__files__read_text_file, then mcp__files__read_file', ['mcp__files__read_text_file']],
		['files', []],
	])('of one of the tools of a server: %j calls %j', async (prompt, names) => {
		const tools = ['mcp__files__read_text_file', 'mcp__files__read_file'].map((name) =>
			makeTool(name),
		);
		expect((await namesOf(prompt, {tools})).toSorted()).toEqual(names);
	});

	test.each(['auto', 'required', {type: 'function', function: {name: 'get_weather'}}])(
		'is not repeated after its result, which the answer uses: %j',
		async (toolChoice) => {
			const called = {name: 'get_weather', arguments: '{"city":"Rome"}'};
			const messages = [
				{role: 'user', content: 'weather in Rome?'},
				{role: 'assistant', tool_calls: [{id: 'c1', type: 'function', function: called}]},
				{role: 'tool', tool_call_id: 'c1', content: 'clear'},
			];
			const {message, finish_reason} = await choose('', {messages, tool_choice: toolChoice});
			expect(finish_reason).toBe('stop');
			expect(message.content).toContain('- `get_weather` for `{"city":"Rome"}`: clear');
		},
	);

	test('waits for the result of the one before it when asked to', async () => {
		const {url} = service;
		const messages: Body[] = [{role: 'user', content: 'The time, then the weather in Rome.'}];
		const called: string[] = [];
		for (;;) {
			const body = {...bodyOf('', {tools: [weather, clock]}), messages};
			const {message} = (await complete(url, body)).choices[0];
			if (message.tool_calls === undefined) {
				expect(message.content).toMatch(/`getTime` for .*: result 0\n.*`get_weather`.*: result 1/);
				break;
			}
			messages.push({role: 'assistant', content: null, tool_calls: message.tool_calls});
			for (const call of message.tool_calls) {
				const content = `result ${called.push(call.function.name) - 1}`;
				messages.push({role: 'tool', tool_call_id: call.id, content});
			}
		}
		expect(called).toEqual(['getTime', 'get_weather']);
	});

	test('is one of sixteen at most', async () => {
		const tools = Array.from({length: 5_000}, (_, index) => makeTool(`tool_${index}`));
		expect(await namesOf('use all the tools', {tools})).toEqual(
			tools.slice(0, 16).map((tool) => tool.function.name),
		);
	});
});

const schemas: ReadonlyArray<readonly [name: string, properties: Body, rest?: Body]> = [
	[
		'numbers in ranges',
		{
			a: {type: 'integer', minimum: 5, maximum: 7},
			b: {type: 'integer', exclusiveMinimum: 0},
			c: {type: 'number', maximum: -3},
		},
	],
	[
		'constants and choices',
		{
			a: {const: {x: [1]}},
			b: {enum: [3, 4]},
			c: {enum: ['red', 'green']},
			d: {type: 'boolean'},
			e: {type: 'null'},
			f: {type: ['null', 'integer']},
		},
	],
	[
		'arrays',
		{
			a: {type: 'array', items: {type: 'string'}},
			b: {type: 'array'},
			c: {type: 'array', items: {type: 'integer'}, minItems: 5},
		},
	],
	[
		'unions and references',
		{
			a: {anyOf: [{type: 'null'}, {type: 'integer'}]},
			b: {oneOf: [{type: 'string'}, {type: 'object'}]},
			c: {$ref: '#/$defs/node'},
		},
		{
			$defs: {
				node: {
					type: 'object',
					properties: {
						value: {type: 'integer'},
						next: {anyOf: [{$ref: '#/$defs/node'}, {type: 'null'}]},
					},
					required: ['value', 'next'],
				},
			},
		},
	],
	[
		'names of the prototype',
		JSON.parse(
			'{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":{"type":"string"}}',
		),
	],
];

describe('arguments', () => {
	const ajv = new Ajv({strict: false});
	const rows = schemas.map(([name, properties, rest = {}]) => ({name, properties, rest}));

	test.each(rows)('fit the schema: $name', async ({properties, rest}) => {
		const parameters = {type: 'object', properties, required: Object.keys(properties), ...rest};
		const validate = ajv.compile(parameters);
		for (const prompt of ['hello', 'use 3, 42 and -7.5 for "Ada" in Paris, green', '']) {
			const value = await fill(parameters, prompt);
			expect(validate(value), JSON.stringify([value, validate.errors])).toBe(true);
		}
	});

	test('take what the prompt says for them', async () => {
		const properties = {
			to: {type: 'string'},
			body: {type: 'string'},
			count: {type: 'integer'},
			more: {type: 'array', items: {type: 'number'}, minItems: 2},
		};
		const parameters = {type: 'object', properties, required: Object.keys(properties)};
		expect(await fill(parameters, 'send "good morning", to: Eve, count = 4, 5 and 6.5')).toEqual({
			to: 'Eve',
			body: 'good morning',
			count: 4,
			more: [4, 5],
		});
	});

	const levels = 24;
	const doubling = Object.fromEntries(
		Array.from({length: levels}, (_, level) => {
			const next = {$ref: `#/$defs/d${level + 1}`};
			return [`d${level}`, level + 1 < levels ? {allOf: [next, next]} : {type: 'integer'}];
		}),
	);
	const rowsOf = (items: Body) => ({
		type: 'array',
		minItems: 100,
		items: {type: 'array', minItems: 20, items},
	});

	test.each<[string, Body, Body?]>([
		['a reference to itself', {$ref: '#/properties/hard'}],
		['references that double', {$ref: '#/$defs/d0'}, doubling],
		['endless items', {type: 'array', minItems: 1e9, items: {type: 'array', minItems: 1e9}}],
		[
			'keywords of wrong types',
			{type: 7, enum: 'x', minimum: 'y', required: {}, items: 3, anyOf: []},
		],
		['a huge constant, again and again', rowsOf({const: 'x'.repeat(600_000)})],
		['a huge name, again and again', rowsOf({type: 'object', required: ['n'.repeat(600_000)]})],
	])('are bounded for %s', async (_name, hard, $defs = {}) => {
		const properties = {first: {const: 1}, hard};
		const value = await fill({type: 'object', properties, required: ['first', 'hard'], $defs});
		expect(value.first).toBe(1);
		expect(JSON.stringify(value).length).toBeLessThan(400_000);
	});

	test('are bounded for endless optional properties', {tags: ['cost']}, async () => {
		const names = Array.from({length: 100_000}, (_, index) => `p${index}`);
		const properties = Object.fromEntries(names.map((name) => [name, {type: 'string'}]));
		expect(await fill({type: 'object', properties, required: ['p99999']}, 'hi')).toEqual({
			p99999: 'hi',
		});
	});
});

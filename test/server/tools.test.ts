import {Ajv} from 'ajv';
import {describe, expect, test} from 'vitest';
import {type Body, bodyOf, complete, post, type Reply, serve} from './helpers/service.ts';

function makeTool(name: string, properties: Body = {}, rest: Body = {}) {
	const {description, ...schema} = rest;
	const parameters = {type: 'object', properties, ...schema};
	return {type: 'function', function: {name, description, parameters}};
}

const weather = makeTool(
	'get_weather',
	{city: {type: 'string'}, unit: {enum: ['celsius', 'fahrenheit']}},
	{required: ['city'], description: 'The weather of a city'},
);
const clock = makeTool('get_time', {timezone: {type: 'string'}}, {required: ['timezone']});

async function choose(content: string, extra: Body = {}): Promise<Reply> {
	const {url} = await serve();
	return (await complete(url, bodyOf(content, {tools: [weather, clock], ...extra}))).choices[0];
}

async function namesOf(content: string, extra: Body = {}): Promise<readonly string[]> {
	const {message} = await choose(content, extra);
	return (message.tool_calls ?? []).map((call: Reply) => call.function.name);
}

describe('a call', () => {
	test('is made when the prompt fits the tool, with arguments from the prompt', async () => {
		const {message, finish_reason} = await choose(
			'What is the weather in San Francisco, CA in fahrenheit?',
		);
		expect(finish_reason).toBe('tool_calls');
		expect(message.content).toBeNull();
		expect(message.tool_calls).toHaveLength(1);
		const [call] = message.tool_calls;
		expect(call).toMatchObject({id: expect.stringMatching(/^call_\w+$/), type: 'function'});
		expect(JSON.parse(call.function.arguments)).toEqual({
			city: 'San Francisco, CA',
			unit: 'fahrenheit',
		});
	});

	test.each<[string, Body, readonly string[]]>([
		['hello', {}, []],
		['hello', {tool_choice: 'required'}, ['get_weather']],
		['What time is it? required', {tool_choice: 'required'}, ['get_time']],
		['weather in Rome', {tool_choice: 'none'}, []],
		[
			'weather in Rome',
			{tool_choice: {type: 'function', function: {name: 'get_time'}}},
			['get_time'],
		],
		['use both tools', {}, ['get_weather', 'get_time']],
		['call get_time and get_weather', {}, ['get_weather', 'get_time']],
		['call get_time and get_weather', {parallel_tool_calls: false}, ['get_weather']],
		['weather in Paris and Rome', {}, ['get_weather', 'get_weather']],
	])('%j with %j calls %j', async (prompt, extra, names) => {
		expect(await namesOf(prompt, extra)).toEqual(names);
	});

	test('of several places has one each, and ids of their own', async () => {
		const {message} = await choose('weather in Paris, London and New York');
		const cities = message.tool_calls.map(
			(call: Reply) => JSON.parse(call.function.arguments).city,
		);
		expect(cities).toEqual(['Paris', 'London', 'New York']);
		expect(new Set(message.tool_calls.map(({id}: Reply) => id)).size).toBe(3);
	});

	test('comes with reasoning on sol', async () => {
		const {message} = await choose('weather in Rome', {model: 'M-5.6-sol'});
		expect(message.reasoning_content).toContain('get_weather');
	});

	test.each(['auto', 'required', {type: 'function', function: {name: 'get_weather'}}])(
		'is not repeated after its result, which the answer uses: %j',
		async (toolChoice) => {
			const call = {
				id: 'c1',
				type: 'function',
				function: {name: 'get_weather', arguments: '{"city":"Rome"}'},
			};
			const messages = [
				{role: 'user', content: 'weather in Rome?'},
				{role: 'assistant', content: null, tool_calls: [call]},
				{role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear","degrees":21}'},
			];
			const {message, finish_reason} = await choose('', {messages, tool_choice: toolChoice});
			expect(finish_reason).toBe('stop');
			expect(message.content).toMatch(/get_weather.*Rome.*sky is clear, degrees is 21/);
		},
	);
});

const schemas: ReadonlyArray<readonly [name: string, properties: Body, rest?: Body]> = [
	[
		'numbers in ranges',
		{
			a: {type: 'integer', minimum: 5, maximum: 7},
			b: {type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5},
			c: {type: 'integer', multipleOf: 7, minimum: 10},
			d: {type: 'number', maximum: -3},
		},
	],
	[
		'lengths',
		{
			a: {type: 'string', minLength: 300},
			b: {type: 'string', maxLength: 2},
			c: {type: 'string', minLength: 3, maxLength: 3},
		},
	],
	[
		'patterns',
		{
			a: {type: 'string', pattern: '^[A-Z]{2}-\\d{3,5}$'},
			b: {type: 'string', pattern: '^(?:foo|bar)+\\.(js|ts)$', minLength: 12},
			c: {type: 'string', pattern: '^[^a-z0-9]x?$'},
			d: {type: 'string', pattern: '^#?([0-9a-f]{6})$'},
		},
	],
	[
		'formats',
		Object.fromEntries(
			['date', 'date-time', 'email', 'uri', 'uuid', 'ipv4'].map((format) => [
				format.replace('-', '_'),
				{type: 'string', format},
			]),
		),
	],
	[
		'constants and choices',
		{
			a: {const: {x: [1]}},
			b: {enum: [3, 4]},
			c: {enum: ['red', 'green']},
			d: {type: 'boolean'},
			e: {type: 'null'},
		},
	],
	[
		'defaults',
		{
			a: {type: 'string', default: 'x'},
			b: {type: 'integer', default: 9},
			c: {type: ['string', 'null']},
		},
	],
	[
		'arrays',
		{
			a: {type: 'array', items: {type: 'string'}, minItems: 3},
			b: {type: 'array', items: {enum: ['p', 'q', 'r']}, uniqueItems: true, minItems: 2},
			c: {type: 'array', items: {type: 'integer'}, uniqueItems: true, minItems: 5},
			d: {type: 'array', maxItems: 0},
			e: {
				type: 'array',
				prefixItems: [{type: 'string'}, {type: 'boolean'}],
				minItems: 2,
				maxItems: 2,
			},
		},
	],
	[
		'nested objects',
		{
			a: {
				type: 'object',
				properties: {
					b: {
						type: 'object',
						properties: {c: {type: 'integer'}},
						required: ['c'],
						additionalProperties: false,
					},
				},
				required: ['b'],
				additionalProperties: false,
			},
		},
	],
	[
		'unions',
		{
			a: {anyOf: [{type: 'null'}, {type: 'integer'}]},
			b: {
				oneOf: [
					{type: 'object', properties: {kind: {const: 'x'}}, required: ['kind']},
					{type: 'string'},
				],
			},
			c: {
				allOf: [
					{type: 'object', properties: {p: {type: 'string'}}, required: ['p']},
					{properties: {q: {type: 'integer'}}, required: ['q']},
				],
			},
		},
	],
	[
		'references',
		{a: {$ref: '#/$defs/node'}, b: {$ref: '#/definitions/d'}},
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
			definitions: {d: {type: 'string'}},
		},
	],
	[
		'names of the prototype',
		JSON.parse(
			'{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":{"type":"boolean"}}',
		),
	],
	['required without properties', {}, {required: ['x', 'y']}],
];

describe('arguments', () => {
	const formats = {
		date: /^\d{4}-\d\d-\d\d$/,
		'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
		email: /^\w+@\w+\.\w+$/,
		uri: /^https:\/\//,
		uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
		ipv4: /^(?:\d{1,3}\.){3}\d{1,3}$/,
	};
	const ajv = new Ajv({strict: false, formats});
	const rows = schemas.map(([name, properties, rest = {}]) => ({name, properties, rest}));

	test.each(rows)('fit the schema: $name', async ({properties, rest}) => {
		const tool = makeTool('f', properties, {required: Object.keys(properties), ...rest});
		const validate = ajv.compile(tool.function.parameters);
		for (const prompt of [
			'hello',
			'use 3, 42 and -7.5 for "Ada" in Paris on 2026-02-03, green',
			'',
		]) {
			const {message} = await choose(prompt, {tools: [tool], tool_choice: 'required'});
			const value = JSON.parse(message.tool_calls[0].function.arguments);
			expect(validate(value), JSON.stringify([value, validate.errors])).toBe(true);
		}
	});

	test('take what the prompt says for them', async () => {
		const tool = makeTool(
			'send',
			{
				to: {type: 'string'},
				email: {type: 'string', format: 'email'},
				count: {type: 'integer'},
				body: {type: 'string'},
				date: {type: 'string'},
				numbers: {type: 'array', items: {type: 'number'}},
			},
			{required: ['email', 'count', 'body', 'date', 'numbers']},
		);
		const prompt = 'send "good morning" to eve@example.org tomorrow, count: 4';
		const {message} = await choose(prompt, {tools: [tool]});
		expect(JSON.parse(message.tool_calls[0].function.arguments)).toMatchObject({
			email: 'eve@example.org',
			count: 4,
			body: 'good morning',
			date: 'tomorrow',
		});
	});

	test('of a hostile schema come in bounded time and size', async () => {
		const recursive = {
			$defs: {
				t: {
					type: 'object',
					properties: {a: {$ref: '#/$defs/t'}, b: {$ref: '#/$defs/t'}},
					required: ['a', 'b'],
				},
			},
		};
		const hostile: ReadonlyArray<readonly [Body, Body?]> = [
			[{a: {$ref: '#/properties/a'}}],
			[{a: {$ref: '#/$defs/t'}}, recursive],
			[{a: {type: 'array', minItems: 1e9, items: {type: 'array', minItems: 1e9}}}],
			[{a: {type: 'string', minLength: 1e9}}],
			[
				{
					a: {type: 'string', pattern: '^(a+)+$'},
					b: {type: 'string', pattern: '((((a{999}){999}){999}){999})'},
				},
			],
			[{a: {type: 'string', pattern: '('.repeat(400)}, b: {type: 'string', pattern: '(?=x)y'}}],
			[{a: {type: 7, enum: 'x', minimum: 'y', properties: [], required: {}, items: 3, anyOf: []}}],
			[{a: {type: 'integer', minimum: 1e308, maximum: -1e308, multipleOf: -1}}],
		];
		const start = performance.now();
		for (const [properties, rest] of hostile) {
			const tool = makeTool('f', properties, {required: Object.keys(properties), ...rest});
			const {message} = await choose('x', {tools: [tool], tool_choice: 'required'});
			expect(message.tool_calls[0].function.arguments.length).toBeLessThan(1_000_000);
		}
		expect(performance.now() - start).toBeLessThan(2_000);
	});
});

/** The arguments of the one call of a tool with this schema. */
async function fill(parameters: Body, content = 'x'): Promise<Reply> {
	const tool = {type: 'function', function: {name: 'f', parameters}};
	const {message} = await choose(content, {tools: [tool], tool_choice: 'required'});
	return JSON.parse(message.tool_calls[0].function.arguments);
}

describe('a schema that refers to itself', () => {
	const levels = 24;
	const doubling = Object.fromEntries(
		Array.from({length: levels}, (_, level) => {
			const next = {$ref: `#/$defs/d${level + 1}`};
			return [`d${level}`, level + 1 < levels ? {allOf: [next, next]} : {type: 'integer'}];
		}),
	);

	test.each<[string, Body, Body]>([
		['twice on each level', {$ref: '#/$defs/d0'}, doubling],
		['as all of itself', {$ref: '#/$defs/t'}, {t: {allOf: [{$ref: '#/$defs/t'}]}}],
		[
			'as one of itself and null',
			{$ref: '#/$defs/t'},
			{t: {anyOf: [{$ref: '#/$defs/t'}, {type: 'null'}]}},
		],
		['in a ring', {$ref: '#/$defs/t'}, {t: {$ref: '#/$defs/u'}, u: {oneOf: [{$ref: '#/$defs/t'}]}}],
	])('%s still has its properties filled', async (_name, property, $defs) => {
		const value = await fill({
			type: 'object',
			properties: {first: {const: 1}, hard: property},
			required: ['first', 'hard'],
			$defs,
		});
		expect(value).toMatchObject({first: 1, hard: expect.anything()});
	});

	test('at its root is an object all the same', async () => {
		expect(await fill({allOf: [{$ref: '#'}]})).toEqual({});
		expect(await fill({anyOf: [{$ref: '#'}, {type: 'null'}]})).toEqual({});
	});

	test('is bounded in a response format too', async () => {
		const {url} = await serve();
		const schema = {$ref: '#/$defs/d0', $defs: doubling};
		const json_schema = {name: 'hard', schema};
		const format = {response_format: {type: 'json_schema', json_schema}};
		expect((await post(url, bodyOf('x', format))).status).toBe(200);
	});
});

describe('a large request', () => {
	test.each<[string, Body, unknown]>([
		['constant', {const: 'x'.repeat(600_000)}, null],
		['choice', {enum: ['x'.repeat(600_000)]}, null],
		['name', {type: 'object', required: ['n'.repeat(600_000)]}, {}],
		['default', {type: 'string', default: 'd'.repeat(4_000_000)}, 'd'.repeat(4_096)],
	])('does not have a huge %s repeated two thousand times', async (_name, items, first) => {
		const row = {type: 'array', minItems: 20, items};
		const rows = {type: 'array', minItems: 100, items: row};
		const value = await fill({type: 'object', properties: {rows}, required: ['rows']});
		expect(value.rows[0][0]).toEqual(first);
	});

	test('with endless optional properties has those made that are required', async () => {
		const names = Array.from({length: 100_000}, (_, index) => `p${index}`);
		const properties = Object.fromEntries(names.map((name) => [name, {type: 'string'}]));
		const parameters = {type: 'object', properties, required: ['p99999']};
		expect(await fill(parameters, 'p2: yes, p99998: no')).toEqual({
			p2: 'yes',
			p99999: expect.any(String),
		});
	});

	test.each([
		['hello', undefined],
		['use all of them, one after the other, tool_7 first', 'tool_7'],
	])('with endless tools and the prompt %j calls %s', async (prompt, name) => {
		const tools = Array.from({length: 20_000}, (_, index) => makeTool(`tool_${index}`));
		expect((await namesOf(prompt, {tools}))[0]).toBe(name);
	});

	test('with endless tools has sixteen called', async () => {
		const properties = {
			list: {type: 'array', minItems: 100, items: {type: 'string'}},
		};
		const nested = {
			rows: {type: 'array', minItems: 20, items: {type: 'object', properties, required: ['list']}},
		};
		const tools = Array.from({length: 5_000}, (_, index) =>
			makeTool(`tool_${index}`, nested, {required: ['rows']}),
		);
		const {message} = await choose('use all the tools', {tools});
		const names = message.tool_calls.map((call: Reply) => call.function.name);
		expect(names).toEqual(tools.slice(0, 16).map((tool) => tool.function.name));
	});
});

describe('calls one after the other', () => {
	const prompt = 'Use get_time, then get_weather in Rome.';

	test('go on after each result, and end in an answer from all of them', async () => {
		const {url} = await serve();
		const messages: Body[] = [{role: 'user', content: prompt}];
		const called: string[] = [];
		for (;;) {
			const body = {...bodyOf('', {tools: [weather, clock]}), messages};
			const {message} = (await complete(url, body)).choices[0];
			if (message.tool_calls === undefined) {
				expect(message.content).toContain('`get_time`');
				expect(message.content).toContain('`get_weather` for `{"city":"Rome"}` says: result 1');
				break;
			}
			messages.push({role: 'assistant', content: null, tool_calls: message.tool_calls});
			for (const call of message.tool_calls) {
				const content = `result ${called.push(call.function.name) - 1}`;
				messages.push({role: 'tool', tool_call_id: call.id, content});
			}
		}
		expect(called).toEqual(['get_time', 'get_weather']);
	});
});

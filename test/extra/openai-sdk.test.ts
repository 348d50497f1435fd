import OpenAI from 'openai';
import type {
	ChatCompletionMessageParam,
	ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type {ResponseInput, ResponseInputItem} from 'openai/resources/responses/responses';
import {describe, expect, test} from 'vitest';
import {play} from '../server/helpers/scenario.ts';
import {serve} from '../server/helpers/service.ts';

const model = 'MODEL-5.6-luna';
const apiKey = 'sk-test';

async function connect(key = apiKey) {
	const {url} = await serve({apiKey});
	return new OpenAI({baseURL: `${url}/v1`, apiKey: key, maxRetries: 0});
}

function say(content: ChatCompletionMessageParam['content']): ChatCompletionMessageParam[] {
	return [{role: 'user', content} as ChatCompletionMessageParam];
}

const weather = {
	type: 'function',
	function: {
		name: 'get_weather',
		description: 'The weather of a city',
		parameters: {type: 'object', properties: {city: {type: 'string'}}, required: ['city']},
	},
} as const satisfies ChatCompletionTool;

describe('the official SDK', () => {
	test('reads a reply, and the next turn as a stream with its usage', async () => {
		const client = await connect();
		const messages = say('say first');
		const first = await client.chat.completions.create({model, messages});
		const message = first.choices[0]?.message;
		if (message === undefined) throw new Error('no message');
		expect(message).toHaveProperty('refusal', null);
		expect(first.choices[0]).toHaveProperty('logprobs', null);
		expect(first._request_id).toMatch(/^req_/);
		messages.push(message, {role: 'user', content: 'what did I say first?'});
		const stream = await client.chat.completions.create({
			model,
			messages,
			stream: true,
			stream_options: {include_usage: true},
		});
		let text = '';
		let total = 0;
		for await (const chunk of stream) {
			text += chunk.choices[0]?.delta.content ?? '';
			total = chunk.usage?.total_tokens ?? total;
		}
		expect(text).toBe('First you said: “say first”');
		expect(total).toBeGreaterThan(first.usage?.total_tokens ?? 0);
	});

	test('runs tools to the end', async () => {
		const client = await connect();
		const asked: string[] = [];
		const {parameters, ...rest} = weather.function;
		const described = {...rest, parameters: {...parameters, required: ['city']}};
		const parse = (text: string): {city: string} => JSON.parse(text);
		const answer = ({city}: {city: string}) => {
			asked.push(city);
			return `mild in ${city}`;
		};
		const runner = client.chat.completions.runTools({
			model,
			stream: true,
			messages: say('weather in Rome'),
			tools: [{type: 'function', function: {...described, parse, function: answer}}],
		});
		expect(await runner.finalContent()).toContain('mild in Rome');
		expect(asked).toEqual(['Rome']);
	});

	test('raises its own errors', async () => {
		const client = await connect();
		const messages = say('x');
		const create = client.chat.completions.create.bind(client.chat.completions);
		await expect(create({model, messages, temperature: 3})).rejects.toMatchObject({
			status: 400,
			param: 'temperature',
			code: 'invalid_value',
		});
		await expect(create({model: 'gpt-4', messages})).rejects.toBeInstanceOf(OpenAI.NotFoundError);
		const stranger = await connect('sk-wrong');
		await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
	});
});

describe('the official SDK over Responses', () => {
	const described = {
		type: 'function' as const,
		strict: true,
		name: 'get_weather',
		parameters: {...weather.function.parameters, additionalProperties: false},
	};

	test('reads a response, and a stream with its reasoning', async () => {
		const client = await connect();
		const body = {
			model: 'MODEL-5.6-sol',
			input: 'write 40 words',
			reasoning: {summary: 'auto' as const},
		};
		const whole = await client.responses.create(body);
		expect(whole._request_id).toMatch(/^req_/);
		const stream = client.responses.stream(body);
		let text = '';
		let reasoning = '';
		stream.on('response.output_text.delta', ({delta}) => {
			text += delta;
		});
		stream.on('response.reasoning_summary_text.delta', ({delta}) => {
			reasoning += delta;
		});
		const built = await stream.finalResponse();
		expect([text, built.output_text]).toEqual([whole.output_text, whole.output_text]);
		expect(whole.output[0]).toMatchObject({type: 'reasoning', summary: [{text: reasoning}]});
		expect(built.usage).toEqual(whole.usage);
	});

	test('brings calls back with their encrypted reasoning, and parses JSON', async () => {
		const client = await connect();
		const request = {model: 'MODEL-5.6-sol', tools: [described], store: false};
		const include = ['reasoning.encrypted_content' as const];
		const input: ResponseInput = [{role: 'user', content: 'weather in "Rome"'}];
		const asked = await client.responses.create({...request, input, include});
		for (const item of asked.output) {
			input.push(item as ResponseInputItem);
			if (item.type !== 'function_call') continue;
			expect(JSON.parse(item.arguments)).toEqual({city: 'Rome'});
			input.push({type: 'function_call_output', call_id: item.call_id, output: 'sunny'});
		}
		expect(input.map((item) => ('type' in item ? item.type : item))).toHaveLength(4);
		const answer = await client.responses.create({...request, input});
		expect(answer.output_text).toContain('`get_weather` for `{"city":"Rome"}`: sunny');
		const {name, strict, parameters: schema} = described;
		const parsed = await client.responses.parse({
			...{model, input: 'the city is "Rome"'},
			text: {format: {type: 'json_schema', name, strict, schema}},
		});
		expect(parsed.output_parsed).toEqual({city: 'Rome'});
	});

	test('raises its own errors, also within a stream', async () => {
		const client = await connect();
		const body = {model, input: 'x'};
		const refused = client.responses.create({...body, previous_response_id: 'resp_1'});
		await expect(refused).rejects.toMatchObject({status: 400, param: 'previous_response_id'});
		const {url} = await play('replies: [{reply: one two, fault: {error: {after_events: 4}}}]');
		const failing = new OpenAI({baseURL: `${url}/v1`, apiKey, maxRetries: 0});
		const read = async () => {
			for await (const _event of await failing.responses.create({...body, stream: true}));
		};
		await expect(read()).rejects.toThrow('an error, as the scenario asks');
	});
});

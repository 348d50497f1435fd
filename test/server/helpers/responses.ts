/** A client of `POST /v1/responses` that accepts what Open Responses allows, and nothing else. */
import {Ajv, type ValidateFunction} from 'ajv';
import {expect} from 'vitest';
import {type Body, post, type Reply} from './service.ts';

/** A body with one text as its input; `extra` overrides its fields. */
export function inputOf(input: unknown, extra: Body = {}): Body {
	return {model: 'MODEL-5.6-luna', input, ...extra};
}

export async function respond(url: string, body: unknown): Promise<{status: number; reply: Reply}> {
	const response = await post(url, body, {}, 'responses');
	const reply = await response.json();
	if (response.status === 200) check(isResource, reply);
	return {status: response.status, reply};
}

/** The text of the answer, the reasoning summary and the calls of a response. */
export function readOutput({output}: Reply) {
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

const text = {type: 'string'};
const number = {type: 'number'};
const count = {type: 'integer'};
const flag = {type: 'boolean'};
const anything = {};

/** An object with all of these fields and no others, but those whose name ends in a question mark. */
function fields(properties: Body): Body {
	const names = Object.keys(properties);
	const entries = Object.entries(properties).map(([name, value]) => [name.replace('?', ''), value]);
	return {
		type: 'object',
		properties: Object.fromEntries(entries),
		required: names.filter((name) => !name.endsWith('?')),
		additionalProperties: false,
	};
}

const list = (items: unknown) => ({type: 'array', items});
const either = (...anyOf: readonly unknown[]) => ({anyOf});
const orNull = (schema: unknown) => either(schema, {type: 'null'});
const one = (...words: readonly string[]) => ({enum: words});
const id = (prefix: string) => ({type: 'string', pattern: `^${prefix}_`});

const status = one('in_progress', 'completed', 'incomplete');
const outputText = fields({
	type: one('output_text'),
	text,
	annotations: list(anything),
	logprobs: list(anything),
});
const summaryText = fields({type: one('summary_text'), text});
const item = either(
	fields({
		type: one('message'),
		id: id('msg'),
		status,
		role: one('assistant'),
		content: list(outputText),
	}),
	fields({
		type: one('function_call'),
		id: id('fc'),
		call_id: text,
		name: text,
		arguments: text,
		status,
	}),
	fields({
		type: one('reasoning'),
		id: id('rs'),
		summary: list(summaryText),
		'encrypted_content?': text,
	}),
);
const named = fields({type: one('function'), name: text});
const choiceWord = one('auto', 'none', 'required');

const resource = fields({
	id: id('resp'),
	object: one('response'),
	created_at: count,
	completed_at: orNull(count),
	status: one('in_progress', 'completed', 'incomplete', 'failed'),
	incomplete_details: orNull(fields({reason: text})),
	error: orNull(fields({code: text, message: text})),
	model: text,
	previous_response_id: {type: 'null'},
	instructions: orNull(text),
	output: list(item),
	tools: list(
		fields({
			type: one('function'),
			name: text,
			description: orNull(text),
			parameters: orNull({type: 'object'}),
			strict: flag,
		}),
	),
	tool_choice: either(
		choiceWord,
		named,
		fields({type: one('allowed_tools'), tools: list(named), mode: choiceWord}),
	),
	truncation: one('auto', 'disabled'),
	parallel_tool_calls: flag,
	text: fields({format: {type: 'object', required: ['type']}, 'verbosity?': text}),
	top_p: number,
	presence_penalty: number,
	frequency_penalty: number,
	top_logprobs: count,
	temperature: number,
	reasoning: fields({effort: orNull(text), summary: orNull(text)}),
	usage: orNull({
		type: 'object',
		required: [
			'input_tokens',
			'input_tokens_details',
			'output_tokens',
			'output_tokens_details',
			'total_tokens',
		],
		properties: {
			input_tokens: count,
			input_tokens_details: fields({cached_tokens: count}),
			output_tokens: count,
			output_tokens_details: fields({reasoning_tokens: count}),
			total_tokens: count,
		},
	}),
	max_output_tokens: orNull(count),
	max_tool_calls: orNull(count),
	store: {const: false},
	background: {const: false},
	service_tier: text,
	metadata: {type: 'object'},
	safety_identifier: orNull(text),
	prompt_cache_key: orNull(text),
});

const inItem = {item_id: text, output_index: count};
const inContent = {...inItem, content_index: count};
const inSummary = {...inItem, summary_index: count};

/** The events that Open Responses has for what this service sends, and their fields. */
const events: Readonly<Record<string, Body>> = {
	'response.created': {response: resource},
	'response.in_progress': {response: resource},
	'response.completed': {response: resource},
	'response.incomplete': {response: resource},
	'response.failed': {response: resource},
	'response.output_item.added': {output_index: count, item},
	'response.output_item.done': {output_index: count, item},
	'response.content_part.added': {...inContent, part: outputText},
	'response.content_part.done': {...inContent, part: outputText},
	'response.output_text.delta': {...inContent, delta: text, logprobs: list(anything)},
	'response.output_text.done': {...inContent, text, logprobs: list(anything)},
	'response.reasoning_summary_part.added': {...inSummary, part: summaryText},
	'response.reasoning_summary_part.done': {...inSummary, part: summaryText},
	'response.reasoning_summary_text.delta': {...inSummary, delta: text},
	'response.reasoning_summary_text.done': {...inSummary, text},
	'response.function_call_arguments.delta': {...inItem, delta: text},
	'response.function_call_arguments.done': {...inItem, arguments: text},
};

const ajv = new Ajv();
const isResource = ajv.compile(resource);
const isEvent = new Map(
	Object.entries(events).map(([type, own]) => {
		return [type, ajv.compile(fields({type: one(type), sequence_number: count, ...own}))];
	}),
);

function check(isValid: ValidateFunction | undefined, value: Reply): void {
	if (isValid?.(value) !== true) {
		throw new Error(`${ajv.errorsText(isValid?.errors)}: ${JSON.stringify(value)}`);
	}
}

/** The named events of a stream, its end mark taken off. */
export async function readNamedEvents(response: Response): Promise<readonly Reply[]> {
	const texts = (await response.text()).split('\n\n');
	expect(texts.splice(-2)).toEqual(['data: [DONE]', '']);
	return texts.map((event) => {
		const [, name, data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(event) ?? [];
		const payload = JSON.parse(data);
		expect(payload.type).toBe(name);
		return payload;
	});
}

/** The resource that a stream builds, each of whose events is checked against those before it. */
export async function streamResponse(url: string, body: Body): Promise<Reply> {
	const response = await post(url, {...body, stream: true}, {}, 'responses');
	expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
	const events = await readNamedEvents(response);
	expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
	const [created, started, ...rest] = events;
	expect([created.type, started.type]).toEqual(['response.created', 'response.in_progress']);
	expect(created.response).toMatchObject({status: 'in_progress', output: [], usage: null});
	const last = rest.pop();
	expect(last.type).toBe(`response.${last.response.status}`);
	for (const event of events) check(isEvent.get(event.type), event);
	const built: Reply[] = [];
	for (const event of rest) grow(built, event);
	expect(built).toEqual(last.response.output);
	return last.response;
}

/** Applies one event to the items; the ends of texts, parts and items must be what came before. */
function grow(built: Reply[], event: Reply): void {
	const item = built[event.output_index];
	const parts = event.summary_index === undefined ? item?.content : item?.summary;
	const place = event.summary_index ?? event.content_index;
	if (!event.type.startsWith('response.output_item.')) expect(event.item_id).toBe(item.id);
	switch (event.type) {
		case 'response.output_item.added':
			expect(event.output_index).toBe(built.length);
			built.push(event.item);
			return;
		case 'response.output_item.done': {
			const {encrypted_content, ...shown} = event.item;
			expect({...shown, status: 'in_progress'}).toEqual({...item, status: 'in_progress'});
			built[event.output_index] = event.item;
			return;
		}
		case 'response.content_part.added':
		case 'response.reasoning_summary_part.added':
			expect(place).toBe(parts.length);
			parts.push(event.part);
			return;
		case 'response.output_text.delta':
		case 'response.reasoning_summary_text.delta':
			parts[place].text += event.delta;
			return;
		case 'response.output_text.done':
		case 'response.reasoning_summary_text.done':
			expect(event.text).toBe(parts[place].text);
			return;
		case 'response.content_part.done':
		case 'response.reasoning_summary_part.done':
			expect(event.part).toEqual(parts[place]);
			return;
		case 'response.function_call_arguments.delta':
			item.arguments += event.delta;
			return;
		case 'response.function_call_arguments.done':
			expect(event.arguments).toBe(item.arguments);
			return;
		default:
			throw new Error(`an event that nothing announces: ${event.type}`);
	}
}

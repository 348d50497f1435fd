/** Checks a Responses request body, as Open Responses defines it. Unknown fields are ignored. */
import * as v from 'valibot';
import {checkJson, integerFrom, jsonObject, optional, someText} from '../../check-json.ts';
import type {JsonObject} from '../../json.ts';
import {tierOf} from '../models.ts';
import {invalidRequest} from '../service-error.ts';
import {checkTogether, commonFields, schemaFields} from './check-request.ts';
import {input} from './item-schema.ts';
import type {ChatRequest, RequestMessage, RequestToolChoice} from './request.ts';
import {choiceWords, parameters, toolName} from './tool-schema.ts';

export type ResponseRequest = {
	readonly request: ChatRequest;
	/** The request's fields as each reply repeats them, defaults included. */
	readonly echo: Readonly<Record<string, unknown>>;
	/** Whether the reply shows its reasoning. */
	readonly isSummarized: boolean;
	/** Whether the reply has its reasoning in the form that clients send back. */
	readonly isSealed: boolean;
};

const notStored = 'is not supported, because nothing is stored; send the earlier items in input';

const moved = (name: string) => `is not a field of Responses; send ${name}`;

const refusedFields: Readonly<Record<string, string>> = {
	previous_response_id: notStored,
	conversation: notStored,
	background: 'is not supported, because nothing is stored',
	messages: moved('input'),
	max_tokens: moved('max_output_tokens'),
	max_completion_tokens: moved('max_output_tokens'),
	response_format: moved('text.format'),
	reasoning_effort: moved('reasoning.effort'),
};

const tool = v.pipe(
	v.object({
		type: v.literal('function'),
		name: toolName,
		description: optional(v.string()),
		parameters: optional(parameters),
		strict: optional(v.boolean()),
	}),
	v.transform(({description = null, parameters: schema = null, strict = true, ...named}) => {
		return {...named, description, parameters: schema, strict};
	}),
);

const named = v.object({type: v.literal('function'), name: v.string()});

const allowed = v.object({
	type: v.literal('allowed_tools'),
	mode: v.nullish(choiceWords, 'auto'),
	tools: v.array(named),
});

const chosen = v.variant('type', [named, allowed]);

const format = v.variant('type', [
	v.object({type: v.literal('text')}),
	v.object({type: v.literal('json_object')}),
	v.pipe(
		v.object({type: v.literal('json_schema'), ...schemaFields}),
		v.transform(({description = null, strict = false, ...named}) => {
			return {...named, description, strict};
		}),
	),
]);

const efforts = v.picklist(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']);
const text = optional(v.string());

const body = v.object({
	...commonFields,
	input,
	instructions: text,
	store: optional(v.boolean()),
	include: optional(v.array(someText)),
	tools: optional(v.array(tool)),
	tool_choice: optional(v.lazy((given) => (typeof given === 'string' ? choiceWords : chosen))),
	text: optional(
		v.object({
			format: optional(format),
			verbosity: optional(v.picklist(['low', 'medium', 'high'])),
		}),
	),
	reasoning: optional(
		v.object({
			effort: optional(efforts),
			summary: optional(v.picklist(['auto', 'concise', 'detailed'])),
		}),
	),
	max_output_tokens: optional(integerFrom(16)),
	// Like the penalties.
	max_tool_calls: optional(integerFrom(1)),
	top_logprobs: optional(integerFrom(0, 20)),
	truncation: optional(v.picklist(['auto', 'disabled'])),
	metadata: optional(jsonObject),
	safety_identifier: text,
	prompt_cache_key: text,
});

type Body = v.InferOutput<typeof body>;

/**
 * The request in a body.
 *
 * @throws {JsonMistake}
 * @throws {ServiceError} 400 with the faulty field's path, 404 for an unknown model
 */
export function checkResponse(given: JsonObject): ResponseRequest {
	for (const [name, reason] of Object.entries(refusedFields)) {
		if ((given[name] ?? false) === false) continue;
		throw invalidRequest(name, `${name} ${reason}`, 'unsupported_parameter');
	}
	const wire = checkJson(body, given, {isQuoted: true});
	const {tools = [], text: {format: answer} = {}, reasoning} = wire;
	const {choice, names} = readChoice(wire);
	const tier = tierOf(wire.model);
	const request: ChatRequest = {
		model: wire.model,
		tier,
		isReasoning: tier === 'sol' && reasoning?.effort !== 'none',
		messages: [...readInstructions(wire), ...wire.input],
		isStreaming: wire.stream ?? false,
		includesUsage: true,
		temperature: wire.temperature,
		topP: wire.top_p,
		maxTokens: wire.max_output_tokens,
		stop: [],
		tools: tools
			.filter(({name}) => names?.includes(name) ?? true)
			.map(({name, description, parameters: schema}) => {
				return {name, description: description ?? '', parameters: schema ?? {}};
			}),
		toolChoice: choice,
		allowsParallelCalls: wire.parallel_tool_calls ?? true,
		responseFormat: answer?.type ?? 'text',
		responseSchema: answer?.type === 'json_schema' ? answer.schema : undefined,
	};
	checkTogether(request, '.name');
	return {
		request,
		echo: echoOf(wire),
		isSummarized: reasoning?.summary !== undefined,
		isSealed: wire.include?.includes('reasoning.encrypted_content') ?? false,
	};
}

/** The choice, and the names of the tools that it is limited to. */
function readChoice({tool_choice: given = 'auto'}: Body): {
	readonly choice: RequestToolChoice;
	readonly names?: readonly string[];
} {
	if (typeof given === 'string' || given.type === 'function') return {choice: given};
	return {choice: given.mode, names: given.tools.map(({name}) => name)};
}

function readInstructions({instructions: text}: Body): readonly RequestMessage[] {
	if (text === undefined) return [];
	const place = {path: 'instructions', partsPath: 'instructions'};
	return [{role: 'system', parts: [text], text, toolCalls: [], toolCallId: undefined, ...place}];
}

const echoed = {
	instructions: null,
	max_output_tokens: null,
	max_tool_calls: null,
	parallel_tool_calls: true,
	tools: [],
	tool_choice: 'auto',
	temperature: 1,
	top_p: 1,
	presence_penalty: 0,
	frequency_penalty: 0,
	top_logprobs: 0,
	truncation: 'disabled',
	metadata: {},
	safety_identifier: null,
	prompt_cache_key: null,
} as const satisfies Partial<Record<keyof Body, unknown>>;

function echoOf(wire: Body) {
	const fields = Object.entries(echoed).map(([name, fallback]) => {
		return [name, wire[name as keyof typeof echoed] ?? fallback] as const;
	});
	const {effort = null, summary = null} = wire.reasoning ?? {};
	const {format: answer = {type: 'text'}, verbosity} = wire.text ?? {};
	return {
		...Object.fromEntries(fields),
		reasoning: {effort, summary},
		text: {format: answer, verbosity},
	};
}

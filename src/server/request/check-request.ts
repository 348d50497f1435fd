/** Checks a chat-completion request body. Unknown fields are ignored: clients send many. */
import * as v from 'valibot';
import {
	checkJson,
	integerFrom,
	jsonObject,
	numberFrom,
	optional,
	someText,
} from '../../check-json.ts';
import {tierOf} from '../models.ts';
import {invalidRequest} from '../service-error.ts';
import {messages} from './message-schema.ts';
import type {ChatRequest} from './request.ts';
import {checkToolNames, checkToolOrder, toolChoice, toolName, tools} from './tool-schema.ts';

const stops = v.pipe(
	v.array(someText, 'must be a string or an array of strings'),
	v.maxLength(4, 'may have at most 4 strings'),
);

const oneStop = v.pipe(
	someText,
	v.transform((stop) => [stop]),
);

export const schemaFields = {
	name: toolName,
	description: optional(v.string()),
	strict: optional(v.boolean()),
	schema: jsonObject,
};

const responseFormat = v.variant('type', [
	v.object({type: v.literal('text')}),
	v.object({type: v.literal('json_object'), schema: optional(jsonObject)}),
	v.pipe(
		v.object({type: v.literal('json_schema'), json_schema: v.object(schemaFields)}),
		v.transform(({type, json_schema: {schema}}) => ({type, schema})),
	),
]);

const limit = optional(integerFrom(1));
const penalty = optional(numberFrom(-2, 2));

/** The fields that both conventions have. */
export const commonFields = {
	model: v.string(),
	stream: optional(v.boolean()),
	temperature: optional(numberFrom(0, 2)),
	top_p: optional(numberFrom(0, 1)),
	parallel_tool_calls: optional(v.boolean()),
	// A wrong type is refused, though these have no effect on an answer by rule.
	presence_penalty: penalty,
	frequency_penalty: penalty,
};

const body = v.object({
	...commonFields,
	messages,
	stream_options: optional(v.object({include_usage: optional(v.boolean())})),
	max_tokens: limit,
	max_completion_tokens: limit,
	stop: optional(v.lazy((input) => (typeof input === 'string' ? oneStop : stops))),
	tools: optional(tools),
	tool_choice: optional(toolChoice),
	response_format: optional(responseFormat),
	n: optional(v.literal(1, 'must be 1: this service gives one choice')),
	// Like the penalties.
	seed: optional(integerFrom(Number.NEGATIVE_INFINITY)),
	user: optional(v.string()),
});

/**
 * The request in a body.
 *
 * @throws {JsonMistake}
 * @throws {ServiceError} 400 with the faulty field's path, 404 for an unknown model
 */
export function checkRequest(value: unknown): ChatRequest {
	const wire = checkJson(body, value, {isQuoted: true});
	const {response_format: format = {type: 'text'}, stream = false, stream_options: options} = wire;
	const tier = tierOf(wire.model);
	const request: ChatRequest = {
		model: wire.model,
		tier,
		isReasoning: tier === 'sol',
		messages: wire.messages,
		isStreaming: stream,
		includesUsage: options?.include_usage ?? false,
		temperature: wire.temperature,
		topP: wire.top_p,
		maxTokens: readLimit(wire.max_tokens, wire.max_completion_tokens),
		stop: wire.stop ?? [],
		tools: wire.tools ?? [],
		toolChoice: wire.tool_choice ?? 'auto',
		allowsParallelCalls: wire.parallel_tool_calls ?? true,
		responseFormat: format.type,
		responseSchema: 'schema' in format ? format.schema : undefined,
	};
	if (options !== undefined && !stream) {
		throw invalidRequest('stream_options', 'stream_options is only for requests with stream: true');
	}
	checkTogether(request, '.function.name');
	return request;
}

/**
 * Checks a request's parts against each other.
 *
 * @param namePath where a tool's name is
 * @throws {ServiceError} 400
 */
export function checkTogether(
	request: ChatRequest,
	namePath: Parameters<typeof checkToolNames>[1],
): void {
	checkImages(request);
	checkToolNames(request, namePath);
	checkToolOrder(request.messages);
}

function readLimit(...limits: ReadonlyArray<number | undefined>): number | undefined {
	const given = limits.filter((tokens) => tokens !== undefined);
	return given.length === 0 ? undefined : Math.min(...given);
}

function checkImages({messages: all, tier}: ChatRequest): void {
	if (tier === 'sol') return;
	for (const {parts, partsPath} of all) {
		const place = parts.findIndex((part) => typeof part !== 'string' && part.kind === 'image');
		if (place < 0) continue;
		const path = `${partsPath}[${place}]`;
		const message = `${path} is an image; images are for the sol tier, and this model is of the ${tier} tier`;
		throw invalidRequest(path, message, 'unsupported_image');
	}
}

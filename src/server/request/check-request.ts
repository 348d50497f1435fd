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
import {type Tier, tierOf} from '../models.ts';
import {invalidRequest} from '../service-error.ts';
import {messages} from './message-schema.ts';
import type {ChatRequest, RequestMessage} from './request.ts';
import {checkToolNames, checkToolOrder, toolChoice, toolName, tools} from './tool-schema.ts';

const stops = v.pipe(
	v.array(someText, 'must be a string or an array of strings'),
	v.maxLength(4, 'may have at most 4 strings'),
);

const oneStop = v.pipe(
	someText,
	v.transform((stop) => [stop]),
);

const schemaFormat = v.object({
	name: toolName,
	description: optional(v.string()),
	strict: optional(v.boolean()),
	schema: jsonObject,
});

const responseFormat = v.variant('type', [
	v.object({type: v.literal('text')}),
	v.object({type: v.literal('json_object'), schema: optional(jsonObject)}),
	v.pipe(
		v.object({type: v.literal('json_schema'), json_schema: schemaFormat}),
		v.transform(({type, json_schema: {schema}}) => ({type, schema})),
	),
]);

const limit = optional(integerFrom(1));
const penalty = optional(numberFrom(-2, 2));

const body = v.object({
	model: v.string(),
	messages,
	stream: optional(v.boolean()),
	stream_options: optional(v.object({include_usage: optional(v.boolean())})),
	temperature: optional(numberFrom(0, 2)),
	top_p: optional(numberFrom(0, 1)),
	max_tokens: limit,
	max_completion_tokens: limit,
	stop: optional(v.lazy((input) => (typeof input === 'string' ? oneStop : stops))),
	tools: optional(tools),
	tool_choice: optional(toolChoice),
	parallel_tool_calls: optional(v.boolean()),
	response_format: optional(responseFormat),
	n: optional(v.literal(1, 'must be 1: this service gives one choice')),
	// Fields without an effect on an answer by rule; a wrong type is refused all the same.
	seed: optional(integerFrom(Number.NEGATIVE_INFINITY)),
	user: optional(v.string()),
	presence_penalty: penalty,
	frequency_penalty: penalty,
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
	const request: ChatRequest = {
		model: wire.model,
		tier: tierOf(wire.model),
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
	checkImages(request.messages, request.tier);
	checkToolNames(request.tools, request.toolChoice);
	checkToolOrder(request.messages);
	return request;
}

function readLimit(...limits: ReadonlyArray<number | undefined>): number | undefined {
	const given = limits.filter((tokens) => tokens !== undefined);
	return given.length === 0 ? undefined : Math.min(...given);
}

function checkImages(all: readonly RequestMessage[], tier: Tier): void {
	if (tier === 'sol') return;
	for (const [index, {parts}] of all.entries()) {
		const place = parts.findIndex((part) => typeof part !== 'string' && part.kind === 'image');
		if (place < 0) continue;
		const path = `messages[${index}].content[${place}]`;
		const message = `${path} is an image; images are for the sol tier, and this model is of the ${tier} tier`;
		throw invalidRequest(path, message, 'unsupported_image');
	}
}

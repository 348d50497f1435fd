/**
 * Checks the body of a chat-completion request, field by field. Unknown fields are ignored: clients
 * of the convention send many.
 */
import type {JsonObject} from '../../json.ts';
import {tierOf} from '../models.ts';
import {invalidRequest} from '../service-error.ts';
import {checkMessages} from './check-messages.ts';
import {checkToolChoice, checkToolName, checkTools} from './check-tools.ts';
import {
	type Check,
	checkArray,
	checkBoolean,
	checkInteger,
	checkNumber,
	checkObject,
	checkString,
	checkWord,
	readField,
	requireField,
} from './checks.ts';
import type {ChatRequest} from './request.ts';

const maxStopSequences = 4;

/** Accepted and without effect on an answer by rule; a wrong type is refused all the same. */
const ignoredFields: ReadonlyArray<readonly [name: string, check: Check<unknown>]> = [
	['seed', checkInteger(-Infinity)],
	['user', checkString],
	['presence_penalty', checkNumber(-2, 2)],
	['frequency_penalty', checkNumber(-2, 2)],
];

/**
 * The request that a body holds.
 *
 * @throws {ServiceError} 400 with the path of the field at fault, 404 for an unknown model.
 */
export function checkRequest(body: JsonObject): ChatRequest {
	const model = requireField(body, 'model', '', checkString);
	const tier = tierOf(model);
	const messages = requireField(body, 'messages', '', (value) => checkMessages(value, tier));
	const tools = checkTools(body);
	const toolChoice = checkToolChoice(body, tools);
	for (const [name, check] of ignoredFields) readField(body, name, '', check);
	checkReplyCount(body);
	return {
		model,
		tier,
		messages,
		tools,
		toolChoice,
		...checkStreaming(body),
		temperature: readField(body, 'temperature', '', checkNumber(0, 2)),
		topP: readField(body, 'top_p', '', checkNumber(0, 1)),
		maxTokens: checkMaxTokens(body),
		stop: readField(body, 'stop', '', checkStop) ?? [],
		allowsParallelCalls: readField(body, 'parallel_tool_calls', '', checkBoolean) ?? true,
		...(readField(body, 'response_format', '', checkResponseFormat) ?? textFormat),
	};
}

function checkStreaming(body: JsonObject): Pick<ChatRequest, 'isStreaming' | 'includesUsage'> {
	const isStreaming = readField(body, 'stream', '', checkBoolean) ?? false;
	const options = readField(body, 'stream_options', '', checkObject);
	if (options !== undefined && !isStreaming) {
		throw invalidRequest('stream_options', 'stream_options is only for requests with stream: true');
	}
	const includesUsage =
		options !== undefined &&
		(readField(options, 'include_usage', 'stream_options', checkBoolean) ?? false);
	return {isStreaming, includesUsage};
}

function checkMaxTokens(body: JsonObject): number | undefined {
	const limits = [
		readField(body, 'max_tokens', '', checkInteger(1)),
		readField(body, 'max_completion_tokens', '', checkInteger(1)),
	].filter((limit) => limit !== undefined);
	return limits.length === 0 ? undefined : Math.min(...limits);
}

function checkReplyCount(body: JsonObject): void {
	const count = readField(body, 'n', '', checkInteger(1));
	if (count === undefined || count === 1) return;
	throw invalidRequest('n', `n must be 1, not ${count}: this service gives one choice`);
}

const checkStop: Check<readonly string[]> = (value, path) => {
	const stops = typeof value === 'string' ? [value] : checkArray(checkString)(value, path);
	if (stops.length > maxStopSequences) {
		throw invalidRequest(path, `${path} may have at most ${maxStopSequences} strings`);
	}
	if (stops.includes('')) throw invalidRequest(path, `${path} must not hold an empty string`);
	return stops;
};

type ResponseFormat = Pick<ChatRequest, 'responseFormat' | 'responseSchema'>;

const textFormat: ResponseFormat = {responseFormat: 'text', responseSchema: undefined};

const checkResponseFormat: Check<ResponseFormat> = (value, path) => {
	const format = checkObject(value, path);
	const checkType = checkWord(['text', 'json_object', 'json_schema']);
	const responseFormat = requireField(format, 'type', path, checkType);
	if (responseFormat === 'text') return textFormat;
	if (responseFormat === 'json_object') {
		return {responseFormat, responseSchema: readField(format, 'schema', path, checkObject)};
	}
	const responseSchema = requireField(format, 'json_schema', path, checkNamedSchema);
	return {responseFormat, responseSchema};
};

const checkNamedSchema: Check<JsonObject> = (value, path) => {
	const named = checkObject(value, path);
	requireField(named, 'name', path, checkToolName);
	readField(named, 'description', path, checkString);
	readField(named, 'strict', path, checkBoolean);
	return requireField(named, 'schema', path, checkObject);
};

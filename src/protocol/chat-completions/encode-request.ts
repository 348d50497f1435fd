/**
 * Encodes a request as the service's JSON. Sends only what the user set: strict services refuse unknown
 * fields.
 */
import {
	type AssistantMessage,
	type ChatOptions,
	type ImagePart,
	type MediaPart,
	type Message,
	messageRefusal,
	messageText,
	type RequestFields,
	type ToolCall,
	type ToolDefinition,
	type UserMessage,
} from '../../chat/message.ts';
import type {StepRequest} from '../../chat/stream-chat.ts';
import {outputText} from '../../chat/tool-output.ts';
import {asObject, type JsonValue, parseJson} from '../../json.ts';
import type {
	ContentJson,
	MediaPartJson,
	MessageJson,
	RequestJson,
	ToolCallJson,
	ToolJson,
} from './json-types.ts';
import {isReasoningField} from './read-chunk.ts';
import type {OptionalPart} from './words.ts';

/** Introduces tool images, in their own message. */
const toolImagesTitle = 'Images from the tool results above, in order:';

export function encodeRequest({messages, options}: StepRequest, isRefused: IsRefused): RequestJson {
	const {model, tools = [], toolChoice} = options;
	const isStreaming = options.isStreaming && !isRefused('stream');
	const {format, instruction} = encodeFormat(options, isRefused);
	return {
		model,
		messages: encodeMessages(withInstruction(messages, instruction), options, isRefused),
		stream: isStreaming,
		stream_options: isStreaming && !isRefused('stream_options') ? {include_usage: true} : undefined,
		tools: tools.length === 0 ? undefined : tools.map(encodeTool),
		tool_choice:
			typeof toolChoice === 'object'
				? {type: 'function', function: {name: toolChoice.name}}
				: toolChoice,
		response_format: format,
		...encodeParameters(options, isRefused),
		...(tools.length > 0 && isRefused('reasoning with tools') ? {reasoning_effort: 'none'} : {}),
	};
}

const parameterNames = {
	temperature: 'temperature',
	topP: 'top_p',
	maxTokens: 'max_tokens',
	reasoningEffort: 'reasoning_effort',
	verbosity: 'verbosity',
	seed: 'seed',
	stop: 'stop',
	serviceTier: 'service_tier',
} as const satisfies Record<keyof RequestFields, string>;

type ParameterName = (typeof parameterNames)[keyof RequestFields];

/** Whether the service, or the requested model, has refused this part. */
export type IsRefused = (part: OptionalPart | ParameterName) => boolean;

/** Returns the optional fields that were not refused. */
export function encodeParameters(
	options: ChatOptions,
	isRefused: IsRefused,
): Readonly<Record<string, JsonValue | undefined>> {
	const {maxTokens, stop = [], extraFields = {}} = options;
	const values: RequestFields = {
		...options,
		maxTokens: Object.hasOwn(extraFields, 'max_completion_tokens') ? undefined : maxTokens,
		stop: stop.length === 0 ? undefined : stop,
	};
	const encoded = Object.entries(parameterNames).map(([parameter, name]) => {
		const value = values[parameter as keyof RequestFields];
		if (!isRefused(name)) return [name, value];
		return name === 'max_tokens' ? ['max_completion_tokens', value] : [name, undefined];
	});
	return {...Object.fromEntries(encoded), ...extraFields};
}

type Format = {
	readonly format?: RequestJson['response_format'];
	/** Describes a format that the service does not support. */
	readonly instruction?: string | undefined;
};

function encodeFormat({responseFormat}: ChatOptions, isRefused: IsRefused): Format {
	if (responseFormat === undefined) return {};
	const isFieldRefused = isRefused('response_format');
	if (typeof responseFormat === 'string') {
		const isUnclear = isFieldRefused || isRefused('unmentioned JSON');
		return {
			format: isFieldRefused ? undefined : {type: responseFormat},
			instruction:
				responseFormat === 'json_object' && isUnclear
					? 'Answer with nothing but one JSON object.'
					: undefined,
		};
	}
	const {name, schema} = responseFormat;
	if (!isFieldRefused && !isRefused('json_schema')) {
		return {format: {type: 'json_schema', json_schema: {name, schema}}};
	}
	return {
		format: isFieldRefused ? undefined : {type: 'json_object'},
		instruction: `Answer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema)}`,
	};
}

/** The system message has the user's words first. */
function withInstruction(
	messages: readonly Message[],
	instruction: string | undefined,
): readonly Message[] {
	if (instruction === undefined) return messages;
	const [first, ...rest] = messages;
	const isSystem = first?.role === 'system';
	const text = isSystem ? `${messageText(first)}\n\n${instruction}` : instruction;
	return [{role: 'system', parts: [{type: 'text', text}]}, ...(isSystem ? rest : messages)];
}

function encodeTool({name, description, parameters, strict}: ToolDefinition): ToolJson {
	return {type: 'function', function: {name, description, parameters, strict}};
}

/**
 * A tool message can only carry text (most services refuse an image in it), so all images from a
 * step's results follow in one user message, after the last result: every call must have its result
 * first.
 */
function encodeMessages(
	messages: readonly Message[],
	options: ChatOptions,
	isRefused: IsRefused,
): readonly MessageJson[] {
	const encoded: MessageJson[] = [];
	let images: readonly ImagePart[] = [];
	for (const [index, message] of messages.entries()) {
		encoded.push(encodeMessage(message, options, isRefused));
		if (message.role !== 'tool' || isRefused('images of tools')) continue;
		images = [...images, ...message.parts.filter((part) => part.type === 'image')];
		if (images.length === 0 || messages[index + 1]?.role === 'tool') continue;
		const parts = [{type: 'text', text: toolImagesTitle} as const, ...images];
		encoded.push({role: 'user', content: encodeContent({role: 'user', parts})});
		images = [];
	}
	return encoded;
}

function encodeMessage(message: Message, options: ChatOptions, isRefused: IsRefused): MessageJson {
	switch (message.role) {
		case 'system':
			return {role: 'system', content: messageText(message)};
		case 'user':
			return {role: 'user', content: encodeContent(message)};
		case 'assistant':
			return encodeAssistant(message, options, isRefused);
		case 'tool':
			return {role: 'tool', tool_call_id: message.callId, content: outputText(message)};
		default:
			return message satisfies never;
	}
}

/**
 * Plain text stays a string; with other parts, it becomes an array with the text first
 * (specification §4.1).
 */
function encodeContent(message: UserMessage): ContentJson {
	const text = messageText(message);
	const media = message.parts.filter((part) => part.type !== 'text');
	return media.length === 0 ? text : [{type: 'text', text}, ...media.map(encodeMedia)];
}

function encodeMedia(part: MediaPart): MediaPartJson {
	switch (part.type) {
		case 'image':
			return {type: 'image_url', image_url: {url: part.url}};
		case 'document':
			return {type: 'file', file: {filename: part.name, file_data: part.url}};
		case 'audio':
			return {type: 'input_audio', input_audio: {data: part.data, format: part.format}};
		default:
			return part satisfies never;
	}
}

/**
 * The format has one text, one reasoning and a call list: part order is kept within each and lost
 * between them.
 */
function encodeAssistant(
	message: AssistantMessage,
	options: ChatOptions,
	isRefused: IsRefused,
): MessageJson {
	// Sent as text, because few services know the refusal field.
	const text = messageText(message) + messageRefusal(message);
	const calls = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
	if (calls.length === 0) return {role: 'assistant', content: text};
	const isSameModel = message.model === options.model;
	return {
		role: 'assistant',
		content: text === '' && !isRefused('null content') ? null : text,
		...(isSameModel && !isRefused('earlier reasoning') ? encodeReasoning(message) : {}),
		tool_calls: calls.map(encodeToolCall),
	};
}

/** Some services need the reasoning back with its tool calls, under the same name. */
function encodeReasoning(message: AssistantMessage): Record<`reasoning${string}`, string> {
	const parts = message.parts.filter((part) => part.type === 'reasoning');
	const field = parts.map(({providerData}) => providerData?.['field']).find(isReasoningField);
	return field === undefined ? {} : {[field]: parts.map(({text}) => text).join('')};
}

/**
 * Replaces arguments that are not a JSON object: services would refuse every later request in the
 * conversation. The call's result reports the mistake.
 */
function encodeToolCall(call: ToolCall): ToolCallJson {
	const isObject = asObject(parseJson(call.arguments)) !== undefined;
	return {
		id: call.callId,
		type: 'function',
		function: {name: call.name, arguments: isObject ? call.arguments : '{}'},
		extra_content: call.providerData?.['extra_content'],
	};
}

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
	type ToolChoice,
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
	ToolChoiceJson,
	ToolJson,
} from './json-types.ts';
import {isReasoningField} from './read-chunk.ts';
import type {IsRefused} from './words.ts';

/** The text before the images of tools, in a message of their own. */
const toolImagesTitle = 'The images of the tool results above, in their order:';

export function encodeRequest({messages, options}: StepRequest, isRefused: IsRefused): RequestJson {
	const {model, tools = [], toolChoice} = options;
	const isStreaming = options.isStreaming && !isRefused('stream');
	return {
		model,
		messages: encodeMessages(withInstruction(messages, options, isRefused), options, isRefused),
		stream: isStreaming,
		stream_options: isStreaming && !isRefused('stream_options') ? {include_usage: true} : undefined,
		tools: tools.length === 0 ? undefined : tools.map(encodeTool),
		tool_choice: toolChoice === undefined ? undefined : encodeToolChoice(toolChoice),
		response_format: encodeFormat(options, isRefused),
		...encodeParameters(options, isRefused),
		...(tools.length > 0 && isRefused('tools while it reasons') ? {reasoning_effort: 'none'} : {}),
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

const parameters = Object.keys(parameterNames) as ReadonlyArray<keyof RequestFields>;

/** Returns the fields that no other part of the request needs. */
export function encodeParameters(
	options: ChatOptions,
	isRefused: IsRefused,
): Readonly<Record<string, JsonValue | undefined>> {
	const {temperature, topP, maxTokens, stop = [], extraFields = {}} = options;
	const isLimitGiven = Object.hasOwn(extraFields, 'max_completion_tokens');
	const names = {
		...parameterNames,
		maxTokens: isRefused('max_tokens') ? 'max_completion_tokens' : 'max_tokens',
	};
	const values: RequestFields = {
		...options,
		temperature: isRefused('temperature') ? undefined : temperature,
		topP: isRefused('top_p') ? undefined : topP,
		maxTokens: isLimitGiven ? undefined : maxTokens,
		stop: stop.length === 0 ? undefined : stop,
	};
	const encoded = parameters.map((parameter) => [names[parameter], values[parameter]]);
	return {...Object.fromEntries(encoded), ...extraFields};
}

function encodeFormat(
	{responseFormat}: ChatOptions,
	isRefused: IsRefused,
): RequestJson['response_format'] {
	if (responseFormat === undefined || isRefused('response_format')) return undefined;
	if (typeof responseFormat === 'string') return {type: responseFormat};
	if (isRefused('json_schema')) return {type: 'json_object'};
	const {name, schema} = responseFormat;
	return {type: 'json_schema', json_schema: {name, schema}};
}

/** Describes a format that the service does not support in the system message, after the user's words. */
function withInstruction(
	messages: readonly Message[],
	{responseFormat}: ChatOptions,
	isRefused: IsRefused,
): readonly Message[] {
	const instruction = instructionFor(responseFormat, isRefused);
	if (instruction === undefined) return messages;
	const [first, ...rest] = messages;
	const isSystem = first?.role === 'system';
	const text = isSystem ? `${messageText(first)}\n\n${instruction}` : instruction;
	return [{role: 'system', parts: [{type: 'text', text}]}, ...(isSystem ? rest : messages)];
}

function instructionFor(
	format: ChatOptions['responseFormat'],
	isRefused: IsRefused,
): string | undefined {
	if (typeof format === 'object') {
		const schema = JSON.stringify(format.schema);
		const instruction = `Answer with nothing but JSON that fits this JSON Schema:\n${schema}`;
		return isRefused('json_schema') || isRefused('response_format') ? instruction : undefined;
	}
	const isNeeded = isRefused('JSON in silence') || isRefused('response_format');
	return format === 'json_object' && isNeeded
		? 'Answer with nothing but one JSON object.'
		: undefined;
}

function encodeTool({name, description, parameters, strict}: ToolDefinition): ToolJson {
	return {type: 'function', function: {name, description, parameters, strict}};
}

function encodeToolChoice(choice: ToolChoice): ToolChoiceJson {
	if (typeof choice === 'string') return choice;
	return {type: 'function', function: {name: choice.name}};
}

/**
 * A tool message can only carry text (most services refuse an image in it), so the images of a step's
 * results follow in one user message. They cannot come earlier: every call must have its result first.
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

/** Plain text stays a string; with other parts, it is an array with the text first (specification §4.1). */
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
 * The format has one text, one reasoning and a list of calls: the order of the parts is lost between
 * these three, and kept within each.
 */
function encodeAssistant(
	message: AssistantMessage,
	options: ChatOptions,
	isRefused: IsRefused,
): MessageJson {
	// As text, because few services know the field of refusals.
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

/** Some services need the reasoning of a message with tool calls back, under the same name. */
function encodeReasoning(message: AssistantMessage): Record<`reasoning${string}`, string> {
	const parts = message.parts.filter((part) => part.type === 'reasoning');
	const field = parts.map(({providerData}) => providerData?.['field']).find(isReasoningField);
	return field === undefined ? {} : {[field]: parts.map(({text}) => text).join('')};
}

/**
 * Replaces arguments that are not a JSON object: services would refuse every later request of the
 * conversation. The result of the call reports the mistake.
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

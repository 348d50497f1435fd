/**
 * Encodes a request for Responses, as Open Responses defines it. Nothing is kept by the service:
 * `store` is false, and each request has the whole conversation.
 */
import {
	type AssistantMessage,
	type ChatOptions,
	type MediaPart,
	type Message,
	messageRefusal,
	messageText,
	type ResponseFormat,
	type ToolMessage,
	type UserMessage,
} from '../../chat/message.ts';
import type {StepRequest} from '../../chat/stream-chat.ts';
import {outputText} from '../../chat/tool-output.ts';
import {asObject, asObjects, asText, type JsonObject, parseJson} from '../../json.ts';
import type {IsRefused, RequestBody} from '../create-wire.ts';
import {recordingError, refuseFields} from '../unsupported.ts';

/**
 * @param origin the service's: reasoning goes back only to where it came from
 * @throws {ChatError} `usage` for a field without a counterpart
 */
export function encodeRequest(
	{messages, options}: StepRequest,
	origin: string,
	isRefused: IsRefused,
): RequestBody {
	const {model, tools = [], toolChoice} = options;
	const [first, ...rest] = messages;
	const instructions = first?.role === 'system' ? messageText(first) : undefined;
	const input = (instructions === undefined ? messages : rest).flatMap((message) =>
		encodeMessage(message, {origin, model, isReasoningKept: !isRefused('reasoning')}),
	);
	const functions = tools.map(({name, description, parameters, strict = false}) => ({
		...{type: 'function', name, description, parameters, strict},
	}));
	const offered = options.isSearching ? [{type: 'web_search'}, ...functions] : functions;
	return {
		model,
		instructions,
		input,
		stream: options.isStreaming,
		store: false,
		tools: offered.length === 0 ? undefined : offered,
		tool_choice:
			typeof toolChoice === 'object' ? {type: 'function', name: toolChoice.name} : toolChoice,
		...encodeParameters(options, isRefused),
	};
}

/** Returns the optional fields that were not refused. */
export function encodeParameters(
	options: ChatOptions,
	isRefused: IsRefused,
): Readonly<Record<string, unknown>> {
	refuseFields(options, ['stop', 'seed'], 'Responses');
	const {reasoningEffort, verbosity, responseFormat} = options;
	const format = encodeFormat(responseFormat);
	const fields = {
		temperature: options.temperature,
		top_p: options.topP,
		max_output_tokens: options.maxTokens,
		service_tier: options.serviceTier,
	};
	const isReasoning = !isRefused('reasoning') && reasoningEffort !== 'none';
	return {
		...Object.fromEntries(Object.entries(fields).filter(([name]) => !isRefused(name))),
		text: verbosity === undefined && format === undefined ? undefined : {verbosity, format},
		...(isReasoning
			? {
					reasoning: {
						effort: reasoningEffort,
						summary: isRefused('reasoning summary') ? undefined : 'auto',
					},
					include: ['reasoning.encrypted_content'],
				}
			: {reasoning: reasoningEffort === undefined ? undefined : {effort: reasoningEffort}}),
		...options.extraFields,
	};
}

function encodeFormat(format: ResponseFormat | undefined): JsonObject | undefined {
	if (format === undefined) return undefined;
	if (typeof format === 'string') return {type: format};
	return {type: 'json_schema', name: format.name, schema: format.schema, strict: false};
}

type Target = {
	readonly origin: string;
	readonly model: string;
	readonly isReasoningKept: boolean;
};

function encodeMessage(message: Message, target: Target): readonly JsonObject[] {
	switch (message.role) {
		case 'system':
			return [{type: 'message', role: 'system', content: messageText(message)}];
		case 'user':
			return [{type: 'message', role: 'user', content: encodeUser(message)}];
		case 'assistant':
			return encodeAssistant(message, target);
		case 'tool':
			return [encodeResult(message)];
		default:
			return message satisfies never;
	}
}

function encodeUser(message: UserMessage): readonly JsonObject[] {
	const text = messageText(message);
	const media = message.parts.filter((part) => part.type !== 'text');
	return [...(text === '' ? [] : [{type: 'input_text', text}]), ...media.map(encodeMedia)];
}

/** @throws {ChatError} `usage` for a recording */
function encodeMedia(part: MediaPart): JsonObject {
	switch (part.type) {
		case 'image':
			return {type: 'input_image', image_url: part.url};
		case 'document':
			return {type: 'input_file', filename: part.name, file_data: part.url};
		case 'audio':
			throw recordingError('Responses');
		default:
			return part satisfies never;
	}
}

function encodeResult({callId, parts}: ToolMessage): JsonObject {
	const images = parts.filter((part) => part.type === 'image');
	const text = outputText({parts});
	const output =
		images.length === 0
			? text
			: [...(text === '' ? [] : [{type: 'input_text', text}]), ...images.map(encodeMedia)];
	return {type: 'function_call_output', call_id: callId, output};
}

/**
 * Items in the order in which they came. Reasoning items go back unchanged, to the same service and
 * model only; without them, the order is that of the parts.
 */
function encodeAssistant(message: AssistantMessage, target: Target): readonly JsonObject[] {
	const texts = messageText(message) + messageRefusal(message);
	const calls = new Map(
		message.parts.flatMap((part) =>
			part.type === 'tool-call' ? [[part.call.callId, part.call] as const] : [],
		),
	);
	const text: readonly JsonObject[] =
		texts === ''
			? []
			: [{type: 'message', role: 'assistant', content: [{type: 'output_text', text: texts}]}];
	const toCall = (callId: string): readonly JsonObject[] => {
		const call = calls.get(callId);
		if (call === undefined) return [];
		const isObject = asObject(parseJson(call.arguments)) !== undefined;
		const given = isObject ? call.arguments : '{}';
		return [{type: 'function_call', call_id: callId, name: call.name, arguments: given}];
	};
	const items = keptItems(message, target);
	if (items === undefined) return [...text, ...[...calls.keys()].flatMap(toCall)];
	let isTextSent = false;
	return items.flatMap((item) => {
		if (item['type'] === 'function_call') return toCall(asText(item['call_id']) ?? '');
		if (item['type'] !== 'message') return [item];
		const sent = isTextSent ? [] : text;
		isTextSent = true;
		return sent;
	});
}

/** Returns the reply's items with its reasoning, if they may go to this target. */
function keptItems(
	message: AssistantMessage,
	{origin, model, isReasoningKept}: Target,
): readonly JsonObject[] | undefined {
	if (!isReasoningKept || message.model !== model) return undefined;
	for (const part of message.parts) {
		const data = part.type === 'reasoning' ? part.providerData : undefined;
		if (data?.['responses'] !== origin) continue;
		return asObjects(data['items']);
	}
	return undefined;
}

/** Encodes a request for Messages: content blocks, alternating roles, thinking in its place. */
import {
	type AssistantMessage,
	type AssistantPart,
	type ChatOptions,
	type MediaPart,
	type Message,
	messageText,
	type ToolChoice,
	type ToolOutputPart,
} from '../../chat/message.ts';
import type {StepRequest} from '../../chat/stream-chat.ts';
import {outputText} from '../../chat/tool-output.ts';
import {asObject, type JsonObject, parseJson} from '../../json.ts';
import type {IsRefused, RequestBody} from '../create-wire.ts';
import {recordingError, refuseFields} from '../unsupported.ts';

/** Every request needs a limit. Most current models go beyond the first one. */
const defaultMaxTokens = 32_000;
const smallMaxTokens = 8192;

/**
 * The budget for models without adaptive thinking: below the smallest limit, which covers thinking
 * and answer.
 */
const thinkingBudget = 4096;

/** The version taken by every current model. */
const webSearch = {type: 'web_search_20250305', name: 'web_search'};

/** Shorter prefixes are not cached by the service: about 4,096 tokens. */
const minCachedLength = 16_384;

/**
 * @param service its origin, where thinking goes back to, and the model's longest answer
 * @throws {ChatError} `usage` for a field without a counterpart
 */
export function encodeRequest(
	{messages, options}: StepRequest,
	service: {readonly origin: string; readonly maxTokens: number | undefined},
	isRefused: IsRefused,
): RequestBody {
	const {origin, maxTokens = defaultMaxTokens} = service;
	const {model, tools = []} = options;
	const [first] = messages;
	const {instruction} = encodeFormat(options);
	const given = first?.role === 'system' ? messageText(first) : '';
	const system = [given, instruction ?? ''].filter((text) => text !== '').join('\n\n');
	const target = {origin, model, isThinkingKept: !isRefused('reasoning')};
	const blocks = mergeRoles(messages.flatMap((message) => encodeMessage(message, target)));
	const isCached = JSON.stringify([system, blocks, tools]).length >= minCachedLength;
	const systemBlock = {type: 'text', text: system};
	const functions = tools.map(({name, description, parameters = {type: 'object'}}) => ({
		...{name, description, input_schema: parameters},
	}));
	const offered = options.isSearching ? [webSearch, ...functions] : functions;
	return {
		model,
		max_tokens:
			options.maxTokens ??
			Math.min(maxTokens, isRefused('max_tokens') ? smallMaxTokens : defaultMaxTokens),
		stream: options.isStreaming,
		system: system === '' ? undefined : [isCached ? withMark(systemBlock) : systemBlock],
		messages: isCached ? markPrefix(blocks) : blocks,
		tools: offered.length === 0 ? undefined : offered,
		tool_choice: encodeToolChoice(options.toolChoice),
		...encodeParameters(options, isRefused),
	};
}

/** Returns the optional fields that were not refused. */
export function encodeParameters(
	options: ChatOptions,
	isRefused: IsRefused,
): Readonly<Record<string, unknown>> {
	refuseFields(options, ['seed', 'verbosity'], 'Messages');
	const {reasoningEffort, stop = []} = options;
	const effort = reasoningEffort === 'none' || isRefused('effort') ? undefined : reasoningEffort;
	const {format} = encodeFormat(options);
	const fields = {
		temperature: options.temperature,
		top_p: options.topP,
		stop_sequences: stop.length === 0 ? undefined : stop,
		service_tier: options.serviceTier,
	};
	return {
		...Object.fromEntries(Object.entries(fields).filter(([name]) => !isRefused(name))),
		thinking: encodeThinking(options, isRefused),
		output_config: effort === undefined && format === undefined ? undefined : {effort, format},
		...options.extraFields,
	};
}

/** Services refuse thinking beside a sampling field or a forced call. */
function encodeThinking(
	{reasoningEffort, temperature, topP, toolChoice}: ChatOptions,
	isRefused: IsRefused,
): JsonObject | undefined {
	const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
	const isSampled = temperature !== undefined || topP !== undefined;
	if (reasoningEffort === 'none' || isForced || isSampled || isRefused('reasoning'))
		return undefined;
	if (isRefused('adaptive thinking')) return {type: 'enabled', budget_tokens: thinkingBudget};
	return {type: 'adaptive', display: 'summarized'};
}

type Format = {readonly format?: JsonObject; readonly instruction?: string};

function encodeFormat({responseFormat}: ChatOptions): Format {
	if (responseFormat === undefined || responseFormat === 'text') return {};
	return responseFormat === 'json_object'
		? {instruction: 'Answer with nothing but one JSON object.'}
		: {format: {type: 'json_schema', schema: responseFormat.schema}};
}

function encodeToolChoice(choice: ToolChoice | undefined): JsonObject | undefined {
	if (choice === undefined) return undefined;
	if (typeof choice === 'object') return {type: 'tool', name: choice.name};
	return {type: choice === 'required' ? 'any' : choice};
}

type Blocks = {readonly role: 'user' | 'assistant'; readonly content: readonly JsonObject[]};

type Target = {readonly origin: string; readonly model: string; readonly isThinkingKept: boolean};

function encodeMessage(message: Message, target: Target): readonly Blocks[] {
	switch (message.role) {
		case 'system':
			return [];
		case 'user':
			return [{role: 'user', content: message.parts.flatMap(encodePart)}];
		case 'assistant': {
			const content = message.parts.flatMap((part) => encodeAnswerPart(part, message, target));
			return content.length === 0 ? [] : [{role: 'assistant', content}];
		}
		case 'tool': {
			const {callId, isError} = message;
			const blocks = message.parts.flatMap(encodePart);
			// Some gateways pass a list on as its JSON.
			const text = blocks.length === 1 ? blocks[0]?.['text'] : undefined;
			const content = text ?? blocks;
			const result = {type: 'tool_result', tool_use_id: callId, content, is_error: isError};
			return [{role: 'user', content: [result]}];
		}
		default:
			return message satisfies never;
	}
}

/** @throws {ChatError} `usage` for a recording */
function encodePart(part: ToolOutputPart | MediaPart): readonly JsonObject[] {
	switch (part.type) {
		case 'image':
			return [{type: 'image', source: encodeSource(part.url)}];
		case 'document':
			return [{type: 'document', title: part.name, source: encodeSource(part.url)}];
		case 'audio':
			throw recordingError('Messages');
		default: {
			const text = outputText({parts: [part]});
			return text === '' ? [] : [{type: 'text', text}];
		}
	}
}

function encodeSource(url: string): JsonObject {
	const [, mediaType = '', data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? [];
	if (data === undefined) return {type: 'url', url};
	return {type: 'base64', media_type: mediaType, data};
}

/** Thinking without its signature, for another model or from elsewhere, is left out. */
function encodeAnswerPart(
	part: AssistantPart,
	message: AssistantMessage,
	{origin, model, isThinkingKept}: Target,
): readonly JsonObject[] {
	switch (part.type) {
		case 'text':
		case 'refusal':
			return part.text.trim() === '' ? [] : [{type: 'text', text: part.text}];
		case 'reasoning': {
			const {messages: from, signature, redacted} = part.providerData ?? {};
			if (from !== origin || message.model !== model || !isThinkingKept) return [];
			if (redacted !== undefined) return [{type: 'redacted_thinking', data: redacted}];
			return signature === undefined ? [] : [{type: 'thinking', thinking: part.text, signature}];
		}
		case 'tool-call': {
			const {callId, name, arguments: text} = part.call;
			return [{type: 'tool_use', id: callId, name, input: asObject(parseJson(text)) ?? {}}];
		}
		default:
			return part satisfies never;
	}
}

/** Roles alternate: the results of several calls are one message. */
function mergeRoles(messages: readonly Blocks[]): readonly Blocks[] {
	const merged: Blocks[] = [];
	for (const {role, content} of messages) {
		const last = merged.at(-1);
		if (last?.role !== role) merged.push({role, content});
		else merged.splice(-1, 1, {role, content: [...last.content, ...content]});
	}
	return merged;
}

/** Marks the end of the part that the next request repeats unchanged: all before the last prompt. */
function markPrefix(messages: readonly Blocks[]): readonly Blocks[] {
	const place = messages.length - 2;
	const before = messages[place];
	if (before === undefined) return messages;
	const at = before.content.findLastIndex(({type}) => !String(type).includes('thinking'));
	const block = before.content[at];
	if (block === undefined) return messages;
	return messages.with(place, {...before, content: before.content.with(at, withMark(block))});
}

function withMark(block: JsonObject): JsonObject {
	return {...block, cache_control: {type: 'ephemeral'}};
}

/**
 * A wire for the Messages convention: content blocks, named events, and thinking that goes back signed
 * and in its place. It is not shipped; it shows that the client does not depend on chat completions.
 */
import {
	type AssistantPart,
	type MediaPart,
	type Message,
	messageText,
	type ProviderData,
	type ToolCall,
	type ToolOutputPart,
} from '../../src/chat/message.ts';
import type {OfferedModel} from '../../src/chat/model.ts';
import type {StepRequest} from '../../src/chat/stream-chat.ts';
import {outputText} from '../../src/chat/tool-output.ts';
import {type FinishReason, isCutReason} from '../../src/finish-reason.ts';
import {
	asArray,
	asNumber,
	asObject,
	asText,
	type JsonObject,
	type JsonValue,
	parseJson,
} from '../../src/json.ts';
import {createReplyDecoder} from '../../src/protocol/decode/decode-reply.ts';
import type {TextChannel} from '../../src/protocol/decode/event-batch.ts';
import {createFinishReader} from '../../src/protocol/decode/finish-words.ts';
import {type PayloadDecoder, parsePayload} from '../../src/protocol/decode/payload-decoder.ts';
import {createStep} from '../../src/protocol/decode/step.ts';
import type {ErrorContext} from '../../src/protocol/errors/error-context.ts';
import {refusalOf} from '../../src/protocol/errors/refusal-words.ts';
import {errorFromPayload} from '../../src/protocol/errors/service-error.ts';
import type {Wire} from '../../src/protocol/wire.ts';
import type {Usage} from '../../src/usage.ts';

/** Needed in every request of this convention. */
const defaultMaxTokens = 4096;

/** @param refused the models that do not think */
export function createMessages(baseUrl: URL, refused: readonly string[] = []): Wire {
	return {
		url: new URL('/v1/messages', baseUrl),
		words: {
			replyName: 'a message',
			serviceHint: 'Is this the base URL of a Messages service?',
			addressHint: 'Check the path.',
			refusals: [
				{
					about: 'thinking',
					statuses: [400],
					pattern: refusalOf(['thinking']),
					isOfModel: true,
					notice: 'this model does not think; retrying without thinking',
				},
			],
		},
		headers: (apiKey) => ({
			'anthropic-version': '2023-06-01',
			...(apiKey === undefined ? {} : {'x-api-key': apiKey}),
		}),
		encode: (request) => ({
			body: JSON.stringify(encodeRequest(request, !refused.includes(request.options.model))),
			chosenFields: Object.keys(request.options.extraFields ?? {}),
			isStreaming: request.options.isStreaming,
		}),
		createDecoder: (context, attempts) =>
			createReplyDecoder(createBlockDecoder(context, attempts), context),
		without: (_, model) => createMessages(baseUrl, [...refused, model]),
		async listModels(request) {
			const models: OfferedModel[] = [];
			for (const url = new URL('/v1/models', baseUrl); ; ) {
				const page = asObject(await request(url));
				const items = asArray(page?.['data']) ?? [];
				const names = items.flatMap((item) => asText(asObject(item)?.['id']) ?? []);
				models.push(...names.map((name) => ({name, facts: {}})));
				const last = asText(page?.['last_id']);
				if (page?.['has_more'] !== true || last === undefined) return models;
				url.searchParams.set('after_id', last);
			}
		},
		listLoadedModels: async () => [],
		describeModels: async (models) => models,
	};
}

function encodeRequest({messages, options}: StepRequest, isThinking: boolean): object {
	const [first] = messages;
	return {
		model: options.model,
		max_tokens: options.maxTokens ?? defaultMaxTokens,
		stream: options.isStreaming,
		system: first?.role === 'system' ? messageText(first) : undefined,
		temperature: options.temperature,
		top_p: options.topP,
		thinking: isThinking && options.reasoningEffort !== undefined ? {type: 'adaptive'} : undefined,
		tools: options.tools?.map(({name, description = '', parameters = {type: 'object'}}) => {
			return {name, description, input_schema: parameters};
		}),
		messages: mergeRoles(messages.flatMap(encodeMessage)),
		...options.extraFields,
	};
}

type Blocks = {readonly role: 'user' | 'assistant'; readonly content: readonly JsonObject[]};

function encodeMessage(message: Message): Blocks[] {
	switch (message.role) {
		case 'system':
			return [];
		case 'user':
			return [{role: 'user', content: message.parts.map(encodePart)}];
		case 'assistant':
			return [{role: 'assistant', content: message.parts.flatMap(encodeAnswerPart)}];
		case 'tool': {
			const {callId, isError} = message;
			const content = message.parts.map(encodePart);
			const result = {type: 'tool_result', tool_use_id: callId, content, is_error: isError};
			return [{role: 'user', content: [result]}];
		}
		default:
			return message satisfies never;
	}
}

function encodePart(part: ToolOutputPart | MediaPart): JsonObject {
	if (part.type === 'document' || part.type === 'audio') return {type: part.type};
	if (part.type !== 'image') return {type: 'text', text: outputText({parts: [part]})};
	const [, mediaType = '', data] = part.url.split(/^data:|;base64,/);
	if (data === undefined) return {type: 'image', source: {type: 'url', url: part.url}};
	return {type: 'image', source: {type: 'base64', media_type: mediaType, data}};
}

/** Thinking without its signature, or of another wire, is left out. */
function encodeAnswerPart(part: AssistantPart): JsonObject[] {
	switch (part.type) {
		case 'text':
		case 'refusal':
			return [{type: 'text', text: part.text}];
		case 'reasoning': {
			const {signature, redacted} = part.providerData ?? {};
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
function mergeRoles(messages: readonly Blocks[]): Blocks[] {
	const merged: Blocks[] = [];
	for (const {role, content} of messages) {
		const last = merged.at(-1);
		if (last?.role !== role) merged.push({role, content});
		else merged.splice(-1, 1, {role, content: [...last.content, ...content]});
	}
	return merged;
}

const readFinishReason = createFinishReader({
	stop: 'end_turn stop_sequence',
	'tool-calls': 'tool_use',
	length: 'max_tokens model_context_window_exceeded',
	filter: 'refusal',
});

type OpenCall = Pick<ToolCall, 'callId' | 'name' | 'arguments'> & {readonly channel: TextChannel};

function createBlockDecoder(context: ErrorContext, attempts: number): PayloadDecoder {
	const step = createStep(context, attempts);
	const calls: Array<OpenCall & {arguments: string}> = [];
	let isStarted = false;
	let isDone = false;
	let finishReason: FinishReason | undefined;
	let usage: JsonObject = {};
	/** Goes back with the open block of thinking. */
	let providerData: ProviderData | undefined;

	const noteMessage = (message: JsonObject | undefined) => {
		const reason = asText(message?.['stop_reason']);
		if (reason !== undefined) finishReason = readFinishReason(reason);
		usage = {...usage, ...asObject(message?.['usage'])};
	};

	const startMessage = (message: JsonObject | undefined) => {
		isStarted = true;
		const id = asText(message?.['id']);
		step.identify({id, model: asText(message?.['model']), created: undefined});
		noteMessage(message);
	};

	/** Every block has at least the fields of a delta, mostly empty at first. */
	const startBlock = (block: JsonObject | undefined) => {
		const type = block?.['type'];
		if (type === 'thinking') providerData = {};
		if (type === 'redacted_thinking') providerData = {redacted: block?.['data'] ?? ''};
		if (type === 'tool_use') startCall(asText(block?.['id']) ?? '', asText(block?.['name']) ?? '');
		const input = asObject(block?.['input']) ?? {};
		const isEmpty = Object.keys(input).length === 0;
		grow(isEmpty ? block : {...block, partial_json: JSON.stringify(input)});
	};

	const startCall = (callId: string, name: string) => {
		const toEvent = (text: string) => ({type: 'tool-call-delta', callId, text}) as const;
		calls.push({callId, name, arguments: '', channel: step.createChannel(toEvent)});
		step.add({type: 'tool-call-start', callId, name});
	};

	const grow = (delta: JsonObject | undefined) => {
		step.reasoning.push(asText(delta?.['thinking']) ?? '');
		step.text.push(asText(delta?.['text']) ?? '');
		const signature = asText(delta?.['signature']);
		if (signature !== undefined) providerData = {signature};
		const json = asText(delta?.['partial_json']);
		const call = calls.at(-1);
		if (json === undefined || call === undefined) return;
		call.arguments += json;
		call.channel.push(json);
	};

	const endBlock = () => {
		step.reasoning.end();
		step.text.end();
		if (providerData !== undefined) step.add({type: 'reasoning-end', providerData});
		providerData = undefined;
	};

	const pushPayload = (payload: JsonValue, name: string | undefined) => {
		const event = asObject(payload);
		const error = errorFromPayload(payload, name, context);
		if (error !== undefined) throw error;
		const type = event?.['type'];
		if (type === 'message_start') startMessage(asObject(event?.['message']));
		else if (type === 'content_block_start') startBlock(asObject(event?.['content_block']));
		else if (type === 'content_block_delta') grow(asObject(event?.['delta']));
		else if (type === 'content_block_stop') endBlock();
		else if (type === 'message_delta') noteMessage({...event, ...asObject(event?.['delta'])});
		else if (type === 'message_stop') isDone = true;
	};

	const closeCall = (
		{callId, name, channel, arguments: json}: OpenCall,
		isCut: boolean,
	): ToolCall => {
		channel.end();
		const text = json.trim() === '' ? '{}' : json;
		const isRunnable = !isCut && asObject(parseJson(text)) !== undefined;
		return {callId, name, arguments: text, isRunnable};
	};

	return {
		endMark: undefined,
		push(data, name) {
			const payload = parsePayload(data, name);
			if (payload !== undefined) pushPayload(payload, name);
			return payload !== undefined;
		},
		pushWhole(reply) {
			pushPayload(reply, undefined);
			const message = asObject(reply);
			if (message?.['type'] !== 'message') return false;
			startMessage(message);
			for (const block of asArray(message['content']) ?? []) {
				startBlock(asObject(block));
				endBlock();
			}
			return true;
		},
		end(end) {
			const hasCalls = calls.length > 0;
			step.finish({finishReason, hasFinishKey: true, isStarted, hasCalls}, end);
			const reason = finishReason ?? {kind: 'unknown', raw: null};
			for (const call of calls.map((open) => closeCall(open, isCutReason(reason)))) {
				step.add({type: 'tool-call', call});
			}
			step.add({type: 'step-end', finishReason: reason, usage: decodeUsage(usage)});
		},
		fail: (error) => step.fail(error, {finishReason, usage: decodeUsage(usage)}),
		take: step.take,
		get isFinished() {
			return finishReason !== undefined;
		},
		get isDone() {
			return isDone;
		},
	};
}

function decodeUsage(raw: JsonObject): Usage {
	return {
		promptTokens: asNumber(raw['input_tokens']),
		completionTokens: asNumber(raw['output_tokens']),
		raw,
	};
}

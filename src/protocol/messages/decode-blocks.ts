/**
 * Decodes a Messages stream to one step's events. The convention attests its end: without
 * `message_stop` after a stop reason the reply is cut.
 */
import type {ProviderData} from '../../chat/message.ts';
import type {FinishReason} from '../../finish-reason.ts';
import {
	asInteger,
	asNumber,
	asObject,
	asObjects,
	asText,
	type JsonObject,
	type JsonValue,
} from '../../json.ts';
import type {Usage} from '../../usage.ts';
import {endAttested} from '../decode/attested-end.ts';
import {createFinishReader} from '../decode/finish-words.ts';
import {growCall, type OpenCall, openCall} from '../decode/open-call.ts';
import {type PayloadDecoder, parsePayload} from '../decode/payload-decoder.ts';
import {createStep} from '../decode/step.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {errorFromPayload} from '../errors/service-error.ts';

const readFinishReason = createFinishReader({
	stop: 'end_turn stop_sequence',
	'tool-calls': 'tool_use',
	length: 'max_tokens model_context_window_exceeded',
	filter: 'refusal',
	failed: 'pause_turn',
});

/** @param origin the service's, kept with its thinking */
export function createBlockDecoder(
	context: ErrorContext,
	attempts: number,
	origin: string,
): PayloadDecoder {
	const step = createStep(context, attempts);
	const calls: OpenCall[] = [];
	/** Undefined in other blocks, the service's own calls among them. */
	let openedCall: OpenCall | undefined;
	/** Characters of text so far, and in the blocks before this one. */
	let length = 0;
	let start = 0;
	/** The open block's, and all of them. */
	let cited: JsonObject[] = [];
	const citations: JsonObject[] = [];
	let isStarted = false;
	let stopReason: string | undefined;
	/** Set by the end mark, which follows the stop reason. */
	let finishReason: FinishReason | undefined;
	let usage: JsonObject = {};
	/** Goes back with the open thinking block. */
	let providerData: ProviderData | undefined;
	let others: readonly JsonObject[] = [];
	/** Calls by their block's index: some gateways go on with a block after another began. */
	const callAt = new Map<number, OpenCall>();

	const noteMessage = (message: JsonObject | undefined) => {
		stopReason = asText(message?.['stop_reason']) ?? stopReason;
		usage = {...usage, ...asObject(message?.['usage'])};
	};

	/** Some proxies send the start twice. */
	const startMessage = (message: JsonObject | undefined) => {
		if (isStarted) return;
		isStarted = true;
		const id = asText(message?.['id']);
		step.identify({id, model: asText(message?.['model']), created: undefined});
		noteMessage(message);
	};

	/** Every block has at least a delta's fields, mostly empty at first. */
	const startBlock = (block: JsonObject | undefined, index?: number) => {
		if (block === undefined) return;
		isStarted = true;
		const {type, name} = block;
		if (type === 'server_tool_use' && name === 'web_search') step.search();
		providerData = keptData(block, origin) ?? providerData;
		start = length;
		cited = [...asObjects(block['citations'])];
		openedCall = undefined;
		if (type === 'tool_use') {
			openedCall = openCall(step, asText(block['id']) ?? '', asText(block['name']) ?? '');
			calls.push(openedCall);
			if (index !== undefined) callAt.set(index, openedCall);
		} else if (!knownBlocks.has(asText(type) ?? '')) others = [...others, block];
		const input = asObject(block['input']) ?? {};
		const isEmpty = type !== 'tool_use' || Object.keys(input).length === 0;
		grow(isEmpty ? block : {...block, partial_json: JSON.stringify(input)});
	};

	const grow = (delta: JsonObject | undefined, index?: number) => {
		step.reasoning.push(asText(delta?.['thinking']) ?? '');
		const text = asText(delta?.['text']) ?? '';
		step.text.push(text);
		length += Array.from(text).length;
		const citation = asObject(delta?.['citation']);
		if (citation !== undefined) cited.push(citation);
		const signature = asText(delta?.['signature']);
		if (signature !== undefined) providerData = {messages: origin, signature};
		const json = asText(delta?.['partial_json']);
		const call = (index === undefined ? undefined : callAt.get(index)) ?? openedCall;
		if (json !== undefined && call !== undefined) growCall(call, json);
	};

	const endBlock = () => {
		const place = {start_index: start, end_index: length};
		for (const citation of cited) citations.push({...citation, ...place});
		cited = [];
		step.reasoning.end();
		step.text.end();
		const isKept = providerData !== undefined && Object.keys(providerData).length > 1;
		if (isKept && providerData !== undefined) step.add({type: 'reasoning-end', providerData});
		providerData = undefined;
	};

	const finish = () => {
		if (stopReason !== undefined) finishReason = readFinishReason(stopReason);
	};

	const pushPayload = (payload: JsonValue, name: string | undefined) => {
		const error = errorFromPayload(payload, name, context);
		if (error !== undefined) throw error;
		const event = asObject(payload);
		const index = asInteger(event?.['index']);
		switch (event?.['type']) {
			case 'message_start':
				return startMessage(asObject(event['message']));
			case 'content_block_start':
				return startBlock(asObject(event['content_block']), index);
			case 'content_block_delta':
				return grow(asObject(event['delta']), index);
			case 'content_block_stop':
				return endBlock();
			case 'message_delta':
				return noteMessage({...event, ...asObject(event['delta'])});
			case 'message_stop':
				return finish();
			default:
				return undefined;
		}
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
			for (const block of asObjects(message['content'])) {
				startBlock(block);
				endBlock();
			}
			finish();
			return true;
		},
		end(end) {
			const extra = others.length === 0 ? undefined : {content: others};
			const evidence = {finishReason, isStarted, calls, usage: decodeUsage(usage)};
			endAttested(step, {...evidence, citations, extra}, end);
		},
		fail: (error) => step.fail(error, {finishReason, usage: decodeUsage(usage)}),
		take: step.take,
		get isFinished() {
			return stopReason !== undefined;
		},
		get isDone() {
			return finishReason !== undefined;
		},
	};
}

const knownBlocks: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking']);

/** Returns the part of thinking that goes back. A signature comes later. */
function keptData({type, data}: JsonObject, origin: string): ProviderData | undefined {
	if (type === 'thinking') return {messages: origin};
	return type === 'redacted_thinking' ? {messages: origin, redacted: data ?? ''} : undefined;
}

/** The service counts cached input apart from the rest. */
function decodeUsage(raw: JsonObject): Usage | undefined {
	if (Object.keys(raw).length === 0) return undefined;
	const input = asNumber(raw['input_tokens']);
	const cached = asNumber(raw['cache_read_input_tokens']);
	const written = asNumber(raw['cache_creation_input_tokens']);
	const promptTokens = input === undefined ? undefined : input + (cached ?? 0) + (written ?? 0);
	return {
		promptTokens,
		cachedTokens: cached,
		completionTokens: asNumber(raw['output_tokens']),
		raw,
	};
}

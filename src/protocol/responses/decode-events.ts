/**
 * Decodes a Responses stream to one step's events. The convention attests its end: anything but a
 * terminal event is a cut reply. Unknown events are skipped, as Open Responses demands.
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

/** Sent by some services after the terminal event. */
const doneMarker = '[DONE]';

const readIncomplete = createFinishReader({
	length: 'max_output_tokens max_tokens length context_length_exceeded',
	filter: 'content_filter safety refusal',
});

/** @param origin the service's, kept with its reasoning */
export function createEventDecoder(
	context: ErrorContext,
	attempts: number,
	origin: string,
): PayloadDecoder {
	const step = createStep(context, attempts);
	/** Calls by their place in the output: ids may change between events. */
	const calls = new Map<number, OpenCall>();
	/** Places by ids, for services such as llama-server that name no places. */
	const places = new Map<string, number>();
	const received = {text: '', refusal: '', reasoning: ''};
	let isStarted = false;
	let finishReason: FinishReason | undefined;
	let usage: JsonObject | undefined;
	let citations: JsonValue[] = [];
	let others: readonly JsonValue[] = [];

	const pushText = (channel: 'text' | 'refusal' | 'reasoning', piece: string) => {
		if (piece === '') return;
		isStarted = true;
		if (channel !== 'reasoning') step.reasoning.end();
		received[channel] += piece;
		step[channel].push(piece);
	};

	/** Summaries and reasoning texts are paragraphs. */
	const startParagraph = (index: number | undefined) => {
		if (index !== undefined && index > 0 && received.reasoning !== '') {
			pushText('reasoning', '\n\n');
		}
	};

	const placeById = (id: string): number => {
		const place = places.get(id) ?? places.size;
		places.set(id, place);
		return place;
	};

	const placeOf = (event: JsonObject, item: JsonObject | undefined): number => {
		const index = asInteger(event['output_index']);
		if (index !== undefined) return index;
		const id = asText(event['item_id']) ?? idOf(item);
		return id === undefined ? 0 : placeById(id);
	};

	const startCall = (place: number, item: JsonObject): OpenCall => {
		isStarted = true;
		const callId = asText(item['call_id']) ?? asText(item['id']) ?? `call_${place}`;
		const name = asText(item['name']) ?? '';
		step.reasoning.end();
		const call = openCall(step, callId, name);
		calls.set(place, call);
		return call;
	};

	/** Adds what the deltas have not brought. */
	const completeCall = (place: number, item: JsonObject) => {
		const call = calls.get(place) ?? startCall(place, item);
		const whole = asText(item['arguments']) ?? '';
		if (whole.startsWith(call.arguments)) growCall(call, whole.slice(call.arguments.length));
	};

	const identify = (response: JsonObject | undefined) => {
		isStarted = true;
		step.identify({
			id: asText(response?.['id']),
			model: asText(response?.['model']),
			created: asInteger(response?.['created_at']),
		});
	};

	/** Emits the text in the final output that no delta has brought: some services send no deltas. */
	const repair = (output: readonly JsonObject[]) => {
		for (const channel of ['reasoning', 'text', 'refusal'] as const) {
			const whole = textOf(output, channel);
			if (whole.startsWith(received[channel])) {
				pushText(channel, whole.slice(received[channel].length));
			}
		}
		for (const [index, item] of output.entries()) {
			const id = places.size === 0 ? undefined : idOf(item);
			const place = id === undefined ? index : placeById(id);
			if (item['type'] === 'function_call') completeCall(place, item);
		}
	};

	/** llama-server calls each response completed, without the details, which the convention requires. */
	const isAtLimit = (response: JsonObject | undefined): boolean => {
		if (response === undefined || 'incomplete_details' in response) return false;
		const {maxTokens = Number.POSITIVE_INFINITY} = context;
		return (asNumber(usage?.['output_tokens']) ?? 0) >= maxTokens;
	};

	const finish = (named: string, response: JsonObject | undefined) => {
		const status = asText(response?.['status']) ?? '';
		// https://github.com/vllm-project/agentic-api/issues/273: a completed event, an incomplete response.
		const type = named === 'completed' && terminal.has(status) ? status : named;
		identify(response);
		usage = asObject(response?.['usage']) ?? usage;
		const output = asObjects(response?.['output']);
		repair(output);
		const cited = citationsIn(output);
		if (cited.length > 0) citations = [...cited];
		others = output.filter((item) => !knownItems.has(asText(item['type']) ?? ''));
		if (type === 'failed') {
			const error = {error: response?.['error'] ?? 'the response failed'};
			throw errorFromPayload(error, 'error', context);
		}
		if (type === 'incomplete') {
			const reason = asText(asObject(response?.['incomplete_details'])?.['reason']);
			const read = readIncomplete(reason ?? 'incomplete');
			finishReason = read.kind === 'unknown' ? {...read, kind: 'failed'} : read;
			return;
		}
		if (isAtLimit(response)) {
			finishReason = readIncomplete('max_output_tokens');
			return;
		}
		finishReason =
			calls.size > 0 ? {kind: 'tool-calls', raw: 'tool_calls'} : {kind: 'stop', raw: 'stop'};
		const providerData = keepItems(output, origin);
		step.reasoning.end();
		if (providerData !== undefined) step.add({type: 'reasoning-end', providerData});
	};

	const pushEvent = (event: JsonObject) => {
		const delta = asText(event['delta']) ?? '';
		const item = asObject(event['item']);
		const place = placeOf(event, item);
		const response = asObject(event['response']);
		switch (event['type']) {
			case 'response.created':
			case 'response.queued':
			case 'response.in_progress':
				return identify(response);
			case 'response.output_item.added':
				if (item?.['type'] === 'function_call') startCall(place, item);
				if (item?.['type'] === 'web_search_call') step.search();
				return;
			case 'response.output_item.done':
				if (item?.['type'] === 'function_call') completeCall(place, item);
				return;
			case 'response.output_text.delta':
				return pushText('text', delta);
			case 'response.refusal.delta':
				return pushText('refusal', delta);
			case 'response.reasoning_summary_part.added':
				return startParagraph(asInteger(event['summary_index']));
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
			case 'response.reasoning.delta':
				return pushText('reasoning', delta);
			case 'response.output_text.annotation.added':
				citations.push(event['annotation'] ?? null);
				return;
			case 'response.function_call_arguments.delta': {
				const call = calls.get(place);
				return call === undefined ? undefined : growCall(call, delta);
			}
			case 'response.completed':
			case 'response.incomplete':
			case 'response.failed':
				return finish(String(event['type']).slice('response.'.length), response);
			default:
				return undefined;
		}
	};

	const pushPayload = (payload: JsonValue, name: string | undefined) => {
		const error = errorFromPayload(payload, name, context);
		if (error !== undefined) throw error;
		const event = asObject(payload);
		if (event !== undefined) pushEvent(event);
	};

	return {
		endMark: undefined,
		push(data, name) {
			if (data.trim() === doneMarker) return true;
			const payload = parsePayload(data, name);
			if (payload !== undefined) pushPayload(payload, name);
			return payload !== undefined;
		},
		pushWhole(reply) {
			const response = asObject(reply);
			if (response?.['object'] !== 'response' && response?.['output'] === undefined) {
				pushPayload(reply, undefined);
				return false;
			}
			const status = asText(response['status']) ?? 'completed';
			finish(terminal.has(status) ? status : 'incomplete', response);
			return true;
		},
		end(end) {
			const inOrder = [...calls].sort(([one], [other]) => one - other).map(([, call]) => call);
			const extra = others.length === 0 ? undefined : {output: others};
			const evidence = {finishReason, isStarted, calls: inOrder, usage: decodeUsage(usage)};
			endAttested(step, {...evidence, citations, extra}, end);
		},
		fail: (error) => step.fail(error, {finishReason, usage: decodeUsage(usage)}),
		take: step.take,
		get isFinished() {
			return finishReason !== undefined;
		},
		get isDone() {
			return finishReason !== undefined;
		},
	};
}

/** Final items of some versions of llama-server have the former id as their `call_id`. */
function idOf(item: JsonObject | undefined): string | undefined {
	return asText(item?.['id']) ?? asText(item?.['call_id']);
}

const terminal: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed']);

const knownItems: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call']);

/** Returns the annotations in a finished output. */
function citationsIn(output: readonly JsonObject[]): readonly JsonValue[] {
	return output
		.flatMap((item) => asObjects(item['content']))
		.flatMap((part) => asObjects(part['annotations']));
}

/** Returns the whole text in a finished output. */
function textOf(output: readonly JsonObject[], channel: 'text' | 'refusal' | 'reasoning'): string {
	const type = channel === 'reasoning' ? 'reasoning' : 'message';
	const items = output.filter((item) => item['type'] === type);
	if (channel === 'reasoning') {
		return items
			.map((item) => {
				const summary = asObjects(item['summary']);
				const parts = summary.length > 0 ? summary : asObjects(item['content']);
				return parts.map((part) => asText(part['text']) ?? '').join('\n\n');
			})
			.join('');
	}
	const [wanted, field] =
		channel === 'text' ? (['output_text', 'text'] as const) : (['refusal', 'refusal'] as const);
	return items
		.flatMap((item) => asObjects(item['content']))
		.map((part) => (part['type'] === wanted ? (asText(part[field]) ?? '') : ''))
		.join('');
}

function isEncrypted({type, encrypted_content}: JsonObject): boolean {
	return type === 'reasoning' && asText(encrypted_content) !== undefined;
}

/**
 * Keeps reasoning items from the final output, where they are encrypted for good, the service's own
 * calls, which they belong to, and the places of the other items. Without encrypted reasoning there is nothing to send back.
 */
function keepItems(output: readonly JsonObject[], origin: string): ProviderData | undefined {
	if (!output.some(isEncrypted)) return undefined;
	const items = output.flatMap((item): readonly JsonObject[] => {
		if (item['type'] === 'message') return [{type: 'message'}];
		if (item['type'] === 'function_call') {
			return [{type: 'function_call', call_id: item['call_id'] ?? item['id'] ?? ''}];
		}
		// Nothing is stored under the id of reasoning that came unencrypted.
		return item['type'] === 'reasoning' && !isEncrypted(item) ? [] : [item];
	});
	return {responses: origin, items};
}

function decodeUsage(raw: JsonObject | undefined): Usage | undefined {
	if (raw === undefined) return undefined;
	const detail = (key: string, name: string) => asNumber(asObject(raw[key])?.[name]);
	return {
		promptTokens: asNumber(raw['input_tokens']),
		cachedTokens: detail('input_tokens_details', 'cached_tokens'),
		completionTokens: asNumber(raw['output_tokens']),
		reasoningTokens: detail('output_tokens_details', 'reasoning_tokens'),
		totalTokens: asNumber(raw['total_tokens']),
		raw,
	};
}

/**
 * Bytes of a reply body through the decoder, in any cutting, to the events of a whole turn. No
 * sockets: what the transport would say of the end is given.
 */
import type {ChatEvent} from '../../src/chat/event.ts';
import {type ChatError, toChatError} from '../../src/errors.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import type {BodyEnd} from '../../src/protocol/decode/body-decoder.ts';
import type {ReplyDecoder} from '../../src/protocol/decode/decode-reply.ts';
import type {ErrorContext} from '../../src/protocol/errors/error-context.ts';
import type {Wire} from '../../src/protocol/wire.ts';
import {checkEventGrammar} from '../helpers/event-grammar.ts';

export const context: ErrorContext = {
	url: new URL('http://service.test/v1/chat/completions'),
	words: createChatCompletions(new URL('http://service.test')).words,
	model: 'm-test',
	keySource: undefined,
	isModelChosen: true,
};

export function createDecoder(wire: Wire = createChatCompletions(context.url)): ReplyDecoder {
	return wire.createDecoder({...context, url: wire.url, words: wire.words}, 1);
}

/** The last chunk of the body came. */
export const wholeEnd: BodyEnd = {isBodyComplete: true, failure: undefined};
/** The connection was closed in order, and nobody can say whether that was all. */
export const closedEnd: BodyEnd = {isBodyComplete: false, failure: undefined};

/**
 * The events of one reply, with the end that a turn would have. Reads on only as long as the
 * decoder asks for more, as the client does.
 *
 * @throws {Error} if the events do not keep their grammar
 */
export function decodeBytes(
	pieces: Iterable<Uint8Array>,
	end: BodyEnd = wholeEnd,
	wire?: Wire,
): ChatEvent[] {
	const events = decodeUnchecked(pieces, end, wire);
	checkEventGrammar(events);
	return events;
}

function decodeUnchecked(pieces: Iterable<Uint8Array>, end: BodyEnd, wire?: Wire): ChatEvent[] {
	const decoder = createDecoder(wire);
	const events: ChatEvent[] = [];
	const take = () => {
		events.push(...decoder.take());
		if (decoder.error !== undefined) throw decoder.error;
	};
	try {
		for (const piece of pieces) {
			decoder.push(piece);
			take();
			if (decoder.isDone) break;
		}
		decoder.end(end);
		take();
		return [...events, {type: 'turn-end'}];
	} catch (error) {
		return [...events, {type: 'error', error: toChatError(error)}];
	}
}

export function decodeText(text: string, end?: BodyEnd, wire?: Wire): ChatEvent[] {
	return decodeBytes([Buffer.from(text)], end, wire);
}

/** These chunks as an event stream, without an end mark. */
export function toEventStream(chunks: readonly unknown[]): string {
	return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

/** One chunk with one choice. */
export function toChunk(delta: unknown, finishReason: string | null = null): object {
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion.chunk',
		created: 1,
		model: 'm-test',
		choices: [{index: 0, delta, finish_reason: finishReason}],
	};
}

/** The failure a turn ended with. */
export function errorOf(events: readonly ChatEvent[]): ChatError | undefined {
	const last = events.at(-1);
	return last?.type === 'error' ? last.error : undefined;
}

/** The deltas of one type, joined. */
export function textOf(events: readonly ChatEvent[], type: 'text-delta' | 'reasoning-delta') {
	return events.map((event) => (event.type === type ? event.text : '')).join('');
}

/** The calls of the steps that ended. */
export function callsOf(events: readonly ChatEvent[]) {
	return events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
}

/**
 * Events in a form that does not depend on how the bytes were cut: neighbouring deltas are joined,
 * made-up call ids are numbered, errors lose their stacks.
 */
export function summarize(events: readonly ChatEvent[]): readonly object[] {
	const ids = new Map<string, string>();
	const summary: object[] = [];
	let last: {type: string; callId?: string; text: string} | undefined;
	for (const event of events) {
		const plain = withNumberedIds(event, ids);
		if ('text' in plain) {
			if (last !== undefined && last.type === plain.type && last.callId === plain.callId) {
				last.text += plain.text;
				continue;
			}
			last = {...plain};
			summary.push(last);
		} else {
			last = undefined;
			summary.push(plain);
		}
	}
	return summary;
}

type Plain = {type: string; callId?: string; text: string} | {type: string};

function withNumberedIds(event: ChatEvent, ids: Map<string, string>): Plain {
	const number = (callId: string) => {
		if (!/^[A-Za-z0-9]{9}$/.test(callId)) return callId;
		if (!ids.has(callId)) ids.set(callId, `made-up ${ids.size}`);
		return ids.get(callId) ?? callId;
	};
	if (event.type === 'error') {
		const {kind, message, details} = event.error;
		const {cause: _, ...plainDetails} = details;
		return {type: 'error', ...{kind, message, details: plainDetails}};
	}
	if (event.type === 'tool-call') {
		return {...event, ...{call: {...event.call, callId: number(event.call.callId)}}};
	}
	return 'callId' in event ? {...event, callId: number(event.callId)} : event;
}

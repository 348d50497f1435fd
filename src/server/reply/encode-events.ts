/**
 * The chunks of a reply as the texts of server-sent events, the end mark last; and the one JSON text
 * of a reply that is not streamed. The faults that alter single payloads happen here.
 */
import {doneMarker} from '../../protocol/chat-completions/json-types.ts';
import type {ReplyChunk, ReplyCompletion} from './encode-reply.ts';
import type {Fault} from './fault.ts';

/** Every event with its blank line, made as it is asked for. */
export function* encodeEvents(
	chunks: Iterable<ReplyChunk>,
	fault: Fault,
): Generator<string, void, undefined> {
	const {malformed} = fault;
	let number = 0;
	for (const payload of encodePayloads(chunks, fault)) {
		number += 1;
		const text = malformed?.event === number ? (malformed.text ?? breakText(payload)) : payload;
		yield `data: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
	}
}

export function encodeJson(completion: ReplyCompletion, fault: Fault): string {
	const {error, malformed} = fault;
	const text =
		error === undefined
			? JSON.stringify(alterFinish(completion, fault.finishReason))
			: encodeBody(error.body);
	return malformed === undefined ? text : (malformed.text ?? breakText(text));
}

function* encodePayloads(
	chunks: Iterable<ReplyChunk>,
	{error, done, finishReason}: Fault,
): Generator<string, void, undefined> {
	let sent = 0;
	for (const chunk of chunks) {
		if (sent === error?.afterEvents) break;
		if (finishReason === 'missing' && isFinish(chunk)) continue;
		yield JSON.stringify(alterFinish(chunk, finishReason));
		sent += 1;
	}
	if (sent === error?.afterEvents) yield encodeBody(error.body);
	if (done === 'missing') return;
	yield doneMarker;
	if (done === 'duplicate') yield doneMarker;
}

/** A scripted body: a text as it is, anything else as JSON. */
export function encodeBody(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Half of a JSON object or of the end mark, which is not valid. */
function breakText(text: string): string {
	return text.slice(0, Math.ceil(text.length / 2));
}

function isFinish({choices}: ReplyChunk): boolean {
	return choices.some((choice) => choice.finish_reason !== null);
}

function alterFinish(
	payload: ReplyChunk | ReplyCompletion,
	finishReason: Fault['finishReason'],
): unknown {
	if (finishReason === undefined) return payload;
	const choices = payload.choices.map(({finish_reason: _, ...choice}) =>
		finishReason === 'missing' ? {...choice, finish_reason: null} : choice,
	);
	return {...payload, choices};
}

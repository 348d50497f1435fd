/**
 * A reply as chat-completions JSON: one text, or stream payloads. The stream's increments, joined,
 * are exactly the strings in the one text.
 */
import type {JsonObject} from '../../json.ts';
import {type DeltaJson, doneMarker} from '../../protocol/chat-completions/json-types.ts';
import {encodeError, ServiceError} from '../service-error.ts';
import type {Fault} from './fault.ts';
import type {CutReply, ReplyToolCall, ReplyUsage} from './reply.ts';
import {splitTokens} from './tokens.ts';

/** Fields shared by all parts of one reply. */
export type ReplyHead = {
	readonly id: string;
	/** Unix seconds. */
	readonly created: number;
	readonly model: string;
};

export function encodeCompletion(
	head: ReplyHead,
	reply: CutReply,
	usage: ReplyUsage,
	fault: Fault,
): string {
	if (fault.error !== undefined) return encodeStreamError(fault.error);
	const {content, reasoning, toolCalls} = reply;
	const message = {
		role: 'assistant',
		content: toolCalls.length > 0 && content === '' ? null : content,
		// Strict clients need these two fields.
		refusal: null,
		...(reasoning === '' ? {} : {reasoning_content: reasoning}),
		...(toolCalls.length === 0 ? {} : {tool_calls: toolCalls.map(encodeToolCall)}),
	};
	const choice = {index: 0, message, logprobs: null, ...encodeFinish(reply.finishReason, fault)};
	return JSON.stringify({...head, object: 'chat.completion', choices: [choice], usage});
}

/**
 * Stream payloads, made on demand: the role, one per token or scripted delta, the finish reason,
 * the usage if there is any, and the end mark.
 */
export function* encodePayloads(
	head: ReplyHead,
	reply: CutReply,
	usage: ReplyUsage | undefined,
	fault: Fault,
): Generator<string, void, undefined> {
	const {error, done} = fault;
	let sent = 0;
	for (const chunk of encodeChunks(head, reply, usage, fault)) {
		if (sent === error?.after_events) break;
		yield JSON.stringify(chunk);
		sent += 1;
	}
	if (error !== undefined && sent === error.after_events) yield encodeStreamError(error);
	if (done !== 'missing') yield doneMarker;
	if (done === 'duplicate') yield doneMarker;
}

/** A scripted body: text unchanged, anything else as JSON. */
export function encodeBody(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body);
}

function encodeStreamError({body}: NonNullable<Fault['error']>): string {
	return encodeBody(body ?? encodeError(new ServiceError(500, 'an error, as the scenario asks')));
}

function encodeFinish(reason: string | null, fault: Fault) {
	if (fault.finish_reason === 'no_field') return {};
	return {finish_reason: fault.finish_reason === 'missing' ? null : reason};
}

function encodeToolCall({id, name, arguments: text}: ReplyToolCall) {
	return {id, type: 'function', function: {name, arguments: text}};
}

function* encodeChunks(
	head: ReplyHead,
	reply: CutReply,
	usage: ReplyUsage | undefined,
	fault: Fault,
): Generator<JsonObject | object, void, undefined> {
	const bare = {...head, object: 'chat.completion.chunk'};
	for (const delta of encodeDeltas(reply)) {
		yield {...bare, choices: [{index: 0, delta, ...encodeFinish(null, fault)}]};
	}
	if (fault.finish_reason !== 'missing') {
		yield {...bare, choices: [{index: 0, delta: {}, ...encodeFinish(reply.finishReason, fault)}]};
	}
	if (usage !== undefined) yield {...bare, choices: [], usage};
}

function* encodeDeltas(reply: CutReply): Generator<DeltaJson | JsonObject, void, undefined> {
	const startsWithText = reply.reasoning === '' && reply.toolCalls.length === 0;
	const hasOwnRole = reply.deltas?.some((delta) => Object.hasOwn(delta, 'role')) === true;
	if (!hasOwnRole) yield {role: 'assistant', content: startsWithText ? '' : null};
	yield* reply.deltas ?? splitReply(reply);
}

function* splitReply(reply: CutReply): Generator<DeltaJson, void, undefined> {
	for (const token of splitTokens(reply.reasoning)) yield {reasoning_content: token};
	for (const token of splitTokens(reply.content)) yield {content: token};
	for (const [index, call] of reply.toolCalls.entries()) {
		const {id, name} = call;
		yield {tool_calls: [{index, id, type: 'function', function: {name, arguments: ''}}]};
		for (const token of splitTokens(call.arguments)) {
			yield {tool_calls: [{index, function: {arguments: token}}]};
		}
	}
}

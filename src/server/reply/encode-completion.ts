/** A reply as chat-completions JSON. */
import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../json.ts';
import type {DeltaJson} from '../../protocol/chat-completions/json-types.ts';
import type {ChatRequest} from '../request/request.ts';
import {encodeBody, type ReplyEncoder, type ReplyFacts} from './encoder.ts';
import type {Fault} from './fault.ts';
import type {CutReply, ReplyToolCall} from './reply.ts';
import {splitTokens} from './tokens.ts';

export function completionEncoder({model, includesUsage}: ChatRequest): ReplyEncoder {
	const id = `chatcmpl-${randomBytes(15).toString('base64url')}`;
	return {
		encodeWhole(reply, {countUsage, fault, now}) {
			const choice = {
				index: 0,
				message: encodeMessage(reply),
				logprobs: null,
				...encodeFinish(reply.finishReason, fault),
			};
			const head = {id, created: now(), model, object: 'chat.completion'};
			return JSON.stringify({...head, choices: [choice], usage: countUsage()});
		},
		*encodeEvents(reply, facts) {
			const head = {id, created: facts.now(), model, object: 'chat.completion.chunk'};
			for (const part of encodeChunks(reply, facts, includesUsage)) {
				yield {data: JSON.stringify({...head, ...part})};
			}
		},
		encodeError: (body) => ({data: encodeBody(body)}),
	};
}

function encodeMessage({content, reasoning, toolCalls}: CutReply) {
	return {
		role: 'assistant',
		content: toolCalls.length > 0 && content === '' ? null : content,
		// Strict clients need this field, and the choice's `logprobs`.
		refusal: null,
		...(reasoning === '' ? {} : {reasoning_content: reasoning}),
		...(toolCalls.length === 0 ? {} : {tool_calls: toolCalls.map(encodeToolCall)}),
	};
}

function encodeFinish(reason: string | null, fault: Fault) {
	if (fault.finish_reason === 'no_field') return {};
	return {finish_reason: fault.finish_reason === 'missing' ? null : reason};
}

function encodeToolCall({id, name, arguments: text}: ReplyToolCall) {
	return {id, type: 'function', function: {name, arguments: text}};
}

/** The role, one chunk per token or scripted delta, the finish reason, and the usage if asked for. */
function* encodeChunks(
	reply: CutReply,
	{countUsage, fault}: ReplyFacts,
	includesUsage: boolean,
): Generator<object, void, undefined> {
	for (const delta of encodeDeltas(reply)) {
		yield {choices: [{index: 0, delta, ...encodeFinish(null, fault)}]};
	}
	if (fault.finish_reason !== 'missing') {
		yield {choices: [{index: 0, delta: {}, ...encodeFinish(reply.finishReason, fault)}]};
	}
	if (includesUsage) yield {choices: [], usage: countUsage()};
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

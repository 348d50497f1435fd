/**
 * A reply as the service's JSON: one object, or the chunks of a stream. The increments of the
 * chunks, joined, are exactly the strings of the object.
 */
import type {JsonObject} from '../../json.ts';
import type {
	ChunkJson,
	CompletionJson,
	DeltaJson,
} from '../../protocol/chat-completions/json-types.ts';
import type {CutReply, ReplyToolCall, ReplyUsage} from './reply.ts';
import {splitTokens} from './tokens.ts';

/** Fields that all parts of one reply share. */
export type ReplyHead = {
	readonly id: string;
	/** Unix seconds. */
	readonly created: number;
	readonly model: string;
};

/** As the wire's own, but a script may say any reason and any counts. */
export type ReplyCompletion = Omit<CompletionJson, 'choices' | 'usage'> & {
	readonly choices: ReadonlyArray<
		Omit<CompletionJson['choices'][number], 'finish_reason'> & {readonly finish_reason: string}
	>;
	readonly usage: ReplyUsage;
};

/** As the wire's own, but a script may put any delta, any reason and any counts in it. */
export type ReplyChunk = Omit<ChunkJson, 'choices' | 'usage'> & {
	readonly choices: ReadonlyArray<{
		readonly index: number;
		readonly delta: DeltaJson | JsonObject;
		readonly finish_reason: string | null;
	}>;
	readonly usage?: ReplyUsage;
};

export function encodeCompletion(
	head: ReplyHead,
	reply: CutReply,
	usage: ReplyUsage,
): ReplyCompletion {
	const {id, created, model} = head;
	const {toolCalls} = reply;
	const message = {
		role: 'assistant' as const,
		content: toolCalls.length > 0 && reply.content === '' ? null : reply.content,
		refusal: null,
		...(reply.reasoning === '' ? {} : {reasoning_content: reply.reasoning}),
		...(toolCalls.length === 0 ? {} : {tool_calls: toolCalls.map(encodeToolCall)}),
	};
	return {
		id,
		object: 'chat.completion',
		created,
		model,
		choices: [{index: 0, message, logprobs: null, finish_reason: reply.finishReason}],
		usage,
	};
}

function encodeToolCall(call: ReplyToolCall) {
	return {
		id: call.id,
		type: 'function' as const,
		function: {name: call.name, arguments: call.arguments},
	};
}

/**
 * The chunks of a reply, made as they are asked for: the role, one chunk a token or a delta of
 * the reply's own, the finish reason, and the usage if it was asked for.
 */
export function* encodeChunks(
	head: ReplyHead,
	reply: CutReply,
	usage: ReplyUsage | undefined,
): Generator<ReplyChunk, void, undefined> {
	const {id, created, model} = head;
	const bare = {id, object: 'chat.completion.chunk' as const, created, model};
	for (const delta of encodeDeltas(reply)) {
		yield {...bare, choices: [{index: 0, delta, finish_reason: null}]};
	}
	yield {...bare, choices: [{index: 0, delta: {}, finish_reason: reply.finishReason}]};
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

/**
 * A reply before encoding, and how `max_tokens` cuts it. Both encoders, streamed or not, start from
 * the same `CutReply`, so that their texts cannot differ.
 */
import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../json.ts';
import {attachmentsOf, type ChatRequest} from '../request/request.ts';
import {countTokens, takeTokens} from './tokens.ts';

export type ReplyToolCall = {
	readonly id: string;
	readonly name: string;
	/** A JSON object's text, unless a script sets another text. */
	readonly arguments: string;
};

export type Reply = {
	/** Empty for models without reasoning. */
	readonly reasoning: string;
	readonly content: string;
	readonly toolCalls: readonly ReplyToolCall[];
	/** Replaces `stop` or `tool_calls`; a reply cut by a limit still says `length`. */
	readonly finishReason?: string | undefined;
	/** How a stream is to be cut into deltas, while no limit cuts the reply; absent: by token. */
	readonly deltas?: readonly JsonObject[] | undefined;
	/** Fields that replace or extend the true counts. */
	readonly usage?: ReplyUsage | undefined;
};

export type CutReply = Reply & {
	readonly finishReason: string;
};

/** The true counts, or what a script says. */
export type ReplyUsage = Readonly<Record<string, unknown>>;

/** A call costs its arguments, and this for its name. */
const calledNameTokens = 1;
/** Overhead for each message's role and boundaries. */
const tokensPerMessage = 3;
const tokensPerAttachment = 85;

/**
 * Cuts a reply to at most `maxTokens`, reasoning included. The reasoning gives way first, down to
 * half the limit, so that a small limit still leaves an answer; the finish reason is `length` only
 * if the answer itself was cut.
 */
export function cutReply(reply: Reply, maxTokens: number | undefined): CutReply {
	const ownReason = reply.toolCalls.length > 0 ? 'tool_calls' : 'stop';
	const finishReason = reply.finishReason ?? ownReason;
	if (maxTokens === undefined) return {...reply, finishReason};
	const answerTokens = countAnswerTokens(reply);
	const reasoningLimit = Math.max(Math.floor(maxTokens / 2), maxTokens - answerTokens);
	const reasoning = takeTokens(reply.reasoning, reasoningLimit);
	const answerLimit = maxTokens - countTokens(reasoning);
	const isWhole = reasoning.length === reply.reasoning.length;
	if (answerTokens <= answerLimit) {
		return {...reply, reasoning, finishReason, deltas: isWhole ? reply.deltas : undefined};
	}
	const content = takeTokens(reply.content, answerLimit);
	const toolCalls = cutCalls(reply.toolCalls, answerLimit - countTokens(content));
	return {...reply, reasoning, content, toolCalls, finishReason: 'length', deltas: undefined};
}

export function makeCallId(): string {
	return `call_${randomBytes(12).toString('hex')}`;
}

/** The text before the first stop sequence. */
export function cutAtStop(text: string, stops: readonly string[]): string {
	const ends = stops.map((stop) => text.indexOf(stop)).filter((end) => end >= 0);
	return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

/** The reported usage. The total is a sum, unless a script sets it. */
export function countUsage(request: ChatRequest, reply: CutReply): ReplyUsage {
	const reasoningTokens = countTokens(reply.reasoning);
	const counted = {
		prompt_tokens: countPromptTokens(request),
		completion_tokens: reasoningTokens + countAnswerTokens(reply),
		...(reasoningTokens === 0
			? {}
			: {completion_tokens_details: {reasoning_tokens: reasoningTokens}}),
		...reply.usage,
	};
	const {prompt_tokens, completion_tokens, ...rest} = counted;
	const total = Number(prompt_tokens) + Number(completion_tokens);
	return {prompt_tokens, completion_tokens, total_tokens: total, ...rest};
}

/** Fixed rules: the same request always costs the same. */
export function countPromptTokens({messages, tools}: ChatRequest): number {
	let count = 0;
	for (const message of messages) {
		count += tokensPerMessage + countTokens(message.text);
		count += tokensPerAttachment * attachmentsOf(message).length;
		for (const call of message.toolCalls) {
			count += countTokens(call.name) + countTokens(call.arguments);
		}
	}
	for (const tool of tools) {
		count += countTokens(tool.name) + countTokens(tool.description);
		count += countTokens(JSON.stringify(tool.parameters));
	}
	return count;
}

function countAnswerTokens(reply: Reply): number {
	let count = countTokens(reply.content);
	for (const call of reply.toolCalls) count += calledNameTokens + countTokens(call.arguments);
	return count;
}

function cutCalls(calls: readonly ReplyToolCall[], limit: number): readonly ReplyToolCall[] {
	const kept: ReplyToolCall[] = [];
	let left = limit;
	for (const call of calls) {
		left -= calledNameTokens;
		if (left < 0) break;
		const text = takeTokens(call.arguments, left);
		left -= countTokens(text);
		kept.push({...call, arguments: text});
	}
	return kept;
}

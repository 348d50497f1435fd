/**
 * A reply before it meets the wire, and how `max_tokens` cuts it. Both encoders, streamed or not,
 * start from the same `CutReply`, so that their texts cannot differ.
 */
import type {WireFinishReason, WireUsage} from '../protocol/wire.ts';
import {countTokens, takeTokens} from './tokens.ts';

export type ReplyToolCall = {
	readonly id: string;
	readonly name: string;
	/** The text of a JSON object. */
	readonly arguments: string;
};

export type Reply = {
	/** Empty for models that do not reason. */
	readonly reasoning: string;
	readonly content: string;
	readonly toolCalls: readonly ReplyToolCall[];
};

export type CutReply = Reply & {
	readonly finishReason: WireFinishReason;
	/** Tokens of reasoning, content and calls; a call is its arguments and one for its name. */
	readonly completionTokens: number;
	readonly reasoningTokens: number;
};

/** The wire's counts, with the one sub-field of the convention that says what reasoning took. */
export type ReplyUsage = WireUsage & {
	readonly completion_tokens_details?: {readonly reasoning_tokens: number};
};

const calledNameTokens = 1;

/**
 * Cuts a reply to at most `maxTokens`, reasoning included. The reasoning gives way first, down to
 * half of the limit, so that a small limit still leaves an answer; the finish reason is `length`
 * only if the answer itself was cut.
 */
export function cutReply(reply: Reply, maxTokens = Number.POSITIVE_INFINITY): CutReply {
	const answerTokens = countAnswerTokens(reply);
	const reasoningLimit = Math.max(Math.floor(maxTokens / 2), maxTokens - answerTokens);
	const reasoning = cutText(reply.reasoning, reasoningLimit);
	const reasoningTokens = countTokens(reasoning);
	const answerLimit = maxTokens - reasoningTokens;
	const isCut = answerTokens > answerLimit;
	const content = cutText(reply.content, answerLimit);
	const callLimit = answerLimit - countTokens(content);
	const finishReason = reply.toolCalls.length > 0 ? 'tool_calls' : 'stop';
	return {
		reasoning,
		content,
		toolCalls: isCut ? cutCalls(reply.toolCalls, callLimit) : reply.toolCalls,
		finishReason: isCut ? 'length' : finishReason,
		completionTokens: reasoningTokens + Math.min(answerTokens, answerLimit),
		reasoningTokens,
	};
}

/** What a reply is said to have cost. */
export function countUsage(promptTokens: number, reply: CutReply): ReplyUsage {
	const usage = {
		prompt_tokens: promptTokens,
		completion_tokens: reply.completionTokens,
		total_tokens: promptTokens + reply.completionTokens,
	};
	if (reply.reasoningTokens === 0) return usage;
	return {...usage, completion_tokens_details: {reasoning_tokens: reply.reasoningTokens}};
}

function countAnswerTokens(reply: Reply): number {
	let count = countTokens(reply.content);
	for (const call of reply.toolCalls) count += calledNameTokens + countTokens(call.arguments);
	return count;
}

function cutText(text: string, limit: number): string {
	return Number.isFinite(limit) ? takeTokens(text, limit) : text;
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

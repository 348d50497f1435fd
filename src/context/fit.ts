/** Whether a request fits the model's context window, as far as an estimate can tell. */
import {type Conversation, hasAnswer, messagesOf, type Turn} from '../chat/conversation.ts';
import type {ChatOptions, Message, ToolDefinition} from '../chat/message.ts';
import {type Prompt, promptMessage} from '../chat/prompt.ts';
import {formatCount} from '../wording.ts';
import {estimateMessage, estimateMessages, estimateText, estimateTools} from './estimate-tokens.ts';

export type RequestSize = {
	/** Estimated tokens of the request. */
	readonly tokens: number;
	/** Tokens kept free for the answer. */
	readonly answer: number;
	/** The estimate's possible error, as a share of it. */
	readonly doubt: number;
	/** The largest first. */
	readonly parts: readonly SizedPart[];
};

type SizedPart = {readonly name: string; readonly tokens: number};

export type SizedRequest = {
	readonly conversation: Conversation;
	/** The prompt to be sent; undefined if the conversation has an open turn. */
	readonly prompt?: Prompt | undefined;
	readonly options: Pick<ChatOptions, 'model' | 'maxTokens'>;
	readonly tools?: readonly ToolDefinition[] | undefined;
	/** The context window, in tokens. */
	readonly window: number;
};

const usualAnswer = 4096;

/** Doubts before and after a service has counted a request of the conversation. */
const doubts = {first: 0.15, later: 0.05};

export function sizeRequest(request: SizedRequest): RequestSize {
	const {conversation, options, tools = [], window} = request;
	const prompt = request.prompt ?? conversation.open?.prompt;
	const ratio = ratioOf(conversation, options.model, tools);
	const scale = (tokens: number) => Math.round(tokens * (ratio ?? 1));
	const before = messagesOf({...conversation, open: undefined});
	const system = before[0]?.role === 'system' ? before.slice(0, 1) : [];
	const parts = [
		{name: 'the system message', tokens: estimateMessages(system)},
		{name: 'the tools', tokens: estimateTools(tools)},
		{name: 'the conversation so far', tokens: estimateMessages(before.slice(system.length))},
		...(prompt === undefined ? [] : sizePrompt(prompt)),
	].map(({name, tokens}) => ({name, tokens: scale(tokens)}));
	return {
		tokens: parts.reduce((sum, {tokens}) => sum + tokens, 0),
		// A small window cannot keep so much free.
		answer: options.maxTokens ?? Math.min(usualAnswer, Math.round(window / 4)),
		doubt: ratio === undefined ? doubts.first : doubts.later,
		parts: parts.sort((one, other) => other.tokens - one.tokens),
	};
}

export function exceeds({tokens, answer, doubt}: RequestSize, window: number): boolean {
	return tokens * (1 - doubt) + answer > window;
}

function sizePrompt(prompt: Prompt): readonly SizedPart[] {
	const attached = prompt.attachments.map((attachment) => ({
		name: attachment.name,
		tokens:
			attachment.type === 'file'
				? estimateText(attachment.text)
				: estimateMessage({role: 'user', parts: [attachment.part]}),
	}));
	const folded = (prompt.folds ?? []).filter(({attachments = []}) => attachments.length === 0);
	const folds = folded.map(({from, to, label}) => ({
		name: label,
		tokens: estimateText(prompt.text.slice(from, to)),
	}));
	const all = estimateText(prompt.text) - folds.reduce((sum, {tokens}) => sum + tokens, 0);
	return [...attached, ...folds, {name: 'the prompt', tokens: Math.max(0, all)}];
}

/** Limits of a service's own count in relation to the estimate. */
const ratios = {least: 0.5, most: 2};

/**
 * Returns the last count by the service in relation to the estimate of the same requests; undefined
 * without one of this model.
 */
export function ratioOf(
	conversation: Conversation,
	model: string,
	tools: readonly ToolDefinition[] = [],
): number | undefined {
	const {turns} = conversation;
	const isCounted = (turn: Turn) =>
		turn.model === model && hasAnswer(turn) && (turn.usage?.promptTokens ?? 0) > 0;
	const index = turns.findLastIndex(isCounted);
	const turn = turns[index];
	if (turn?.usage?.promptTokens === undefined) return undefined;
	const estimated = estimateSteps(turn, estimateMessages(before(conversation, index)), tools);
	const ratio = turn.usage.promptTokens / Math.max(1, estimated);
	return Math.min(ratios.most, Math.max(ratios.least, ratio));
}

/** Returns the messages before a turn, without compactions made later. */
function before(conversation: Conversation, index: number): readonly Message[] {
	const turns = conversation.turns.slice(0, index);
	const ids = new Set(turns.map(({id}) => id));
	const compactions = conversation.compactions?.filter(({parent}) => ids.has(parent));
	return messagesOf({...conversation, turns, compactions, open: undefined});
}

/** Returns the sum of all requests in a turn: each step sends the answers before it. */
function estimateSteps(
	{prompt, messages}: Turn,
	prefix: number,
	tools: readonly ToolDefinition[],
): number {
	let soFar = prefix + estimateMessage(promptMessage(prompt)) + estimateTools(tools);
	let sum = 0;
	for (const message of messages) {
		if (message.role === 'assistant') sum += soFar;
		soFar += estimateMessage(message);
	}
	return sum;
}

/** Returns a count as an estimate: `about 190,000`. */
export function aboutTokens(tokens: number): string {
	return `about ${roundedTokens(tokens)}`;
}

function roundedTokens(tokens: number): string {
	return formatCount(Number(tokens.toPrecision(2)));
}

/** The fewest tokens worth naming, as a share of the request. */
const largeShare = 0.2;

/** Returns `notes.txt is 150,000 of them, the prompt 30,000`; empty if no part is large. */
export function describeParts({tokens, parts}: RequestSize): string {
	const large = parts.filter((part) => part.tokens > tokens * largeShare).slice(0, 3);
	return large
		.map(({name, tokens: own}, index) => {
			const count = roundedTokens(own);
			return index === 0 ? `${name} is ${count} of them` : `${name} ${count}`;
		})
		.join(', ');
}

/** Returns `about 190,000 tokens for a window of 128,000`. */
export function describeRoom({tokens, answer}: RequestSize, window: number | undefined): string {
	const whole = `${aboutTokens(tokens)} tokens`;
	if (window === undefined) return whole;
	const kept = tokens > window ? '' : ` and ${formatCount(answer)} for the answer,`;
	return `${whole}${kept} for a window of ${formatCount(window)}`;
}

/** Returns `about 190,000 tokens for a window of 128,000; notes.txt is 150,000 of them`. */
export function describeSize(size: RequestSize, window: number): string {
	return [describeRoom(size, window), describeParts(size)].filter((text) => text !== '').join('; ');
}

/**
 * A conversation as a tree of turns, and the functions that change it. Plain JSON values: a
 * conversation read from a file behaves like a new one.
 *
 * Invariant: between turns, the messages can be sent. They never end in a tool call without a
 * result, nor in a prompt without an answer.
 */
import {type FinishReason, isCutReason} from '../finish-reason.ts';
import {sumUsage, type Usage} from '../usage.ts';
import type {CheckedQuotation} from './checked-quotation.ts';
import {type Compaction, compactTurns, leaveOutResults, withSummaries} from './compaction.ts';
import {completeCalls} from './complete-calls.ts';
import type {ChatEvent, Continuation} from './event.ts';
import {type AssistantMessage, type Message, messageText, type ToolMessage} from './message.ts';
import {
	closeMessage,
	growMessage,
	type MessageEvent,
	type OpenMessage,
	reopenMessage,
} from './open-message.ts';
import {type Prompt, promptMessage, type Typed} from './prompt.ts';
import {continueReasoning, type ReasoningTime, reasoningMsOf} from './reasoning-time.ts';

export type Conversation = {
	/** The system message; empty without one. */
	readonly system: string;
	/** Finished turns up to the head, oldest first: the context to send. */
	readonly turns: readonly Turn[];
	/** Turns left behind when the head moved, each after its parent. */
	readonly otherTurns: readonly TreeTurn[];
	/** In the order they were made. */
	readonly compactions?: readonly Compaction[] | undefined;
	/** The turn under way. */
	readonly open?: OpenTurn | undefined;
};

/**
 * A prompt with everything up to the end of its answer. Turns without an answer are not sent again.
 */
export type Turn = {
	/** Unique within the conversation. */
	readonly id: string;
	readonly prompt: Prompt;
	/** The requested model. */
	readonly model: string;
	readonly messages: readonly AnswerMessage[];
	/** Sum over all steps. */
	readonly usage?: Usage | undefined;
	readonly times: TurnTimes;
	/** `interrupted`: stopped by the user; `incomplete`: cut off by anything else. */
	readonly status: AssistantMessage['status'];
	/** Set if the service cut the answer off although the reply is complete. */
	readonly cut?: FinishReason | undefined;
	/** The answer's quotations, if they were checked. */
	readonly quotations?: readonly CheckedQuotation[] | undefined;
};

/** A turn and its place in the tree. */
export type TreeTurn = {
	readonly turn: Turn;
	/** Id of the previous turn; null for a first turn. */
	readonly parent: string | null;
};

export type AnswerMessage = AssistantMessage | ToolMessage;

export type TurnTimes = {
	/** Milliseconds since 1970. */
	readonly startedAt: number;
	/** How long the reasoning took, up to the answer; 0 without reasoning. */
	readonly reasoningMs: number;
	readonly totalMs: number;
};

/** Everything known when a turn starts. */
export type TurnStart = Pick<Turn, 'id' | 'prompt' | 'model'> & Pick<TurnTimes, 'startedAt'>;

/** A running turn. Times, except `startedAt`, use the clock of `reduceConversation`. */
export type OpenTurn = TurnStart &
	Pick<Turn, 'messages' | 'usage' | 'cut' | 'quotations'> &
	ReasoningTime & {
		readonly since: number;
		/** The message being received; undefined between steps. */
		readonly message?: OpenMessage | undefined;
	};

/** A conversation with a turn to run. */
export type OpenConversation = Conversation & {readonly open: OpenTurn};

/**
 * A conversation change, for `applyChange`. Replaying all changes rebuilds the conversation, with
 * or without `turn-advanced`.
 */
export type ConversationChange =
	| {readonly type: 'system-changed'; readonly system: string}
	| {
			readonly type: 'turn-started';
			readonly turn: TurnStart;
			readonly now: number;
			/** The prompt as typed, if it has signs. */
			readonly typed?: Typed | undefined;
	  }
	/** The last turn, whose answer was cut, goes on. */
	| {readonly type: 'turn-resumed'; readonly id: string; readonly now: number}
	/** Some events, but not the end. */
	| {readonly type: 'turn-advanced'; readonly events: readonly ChatEvent[]; readonly now: number}
	/** The whole turn; undefined if nothing arrived, which removes the turn. */
	| {readonly type: 'turn-ended'; readonly id: string; readonly turn: Turn | undefined}
	/** The conversation continues after another turn; null is its start. No turn is lost. */
	| {readonly type: 'head-moved'; readonly at: string | null}
	| {readonly type: 'compacted'; readonly compaction: Compaction}
	| {readonly type: 'compaction-undone'; readonly id: string}
	| {readonly type: 'turns-cleared'}
	/** Another conversation takes its place. */
	| {readonly type: 'replaced'; readonly conversation: Conversation};

export function createConversation(system = ''): Conversation {
	return {system, turns: [], otherTurns: []};
}

export function applyChange(conversation: Conversation, change: ConversationChange): Conversation {
	switch (change.type) {
		case 'system-changed':
			return {...conversation, system: change.system};
		case 'turn-started':
			return beginTurn(conversation, change.turn, change.now);
		case 'turn-resumed':
			return resumeTurn(conversation, change.now) ?? conversation;
		case 'turn-advanced':
			return change.events.reduce(
				(current, event) => reduceConversation(current, event, change.now),
				conversation,
			);
		case 'turn-ended':
			return endTurn(conversation, change.turn);
		case 'head-moved':
			return moveHead(conversation, change.at);
		case 'compacted':
			return {
				...conversation,
				compactions: [...(conversation.compactions ?? []), change.compaction],
			};
		case 'compaction-undone': {
			const rest = conversation.compactions?.filter(({id}) => id !== change.id) ?? [];
			return {...conversation, compactions: rest.length === 0 ? undefined : rest};
		}
		case 'turns-cleared':
			return {...conversation, turns: [], otherTurns: [], compactions: undefined};
		case 'replaced':
			return change.conversation;
		default:
			return change satisfies never;
	}
}

/** @param now milliseconds on a monotonic clock */
export function beginTurn(
	conversation: Conversation,
	turn: TurnStart,
	now: number,
): OpenConversation {
	return {...conversation, open: {...turn, messages: [], since: now}};
}

/**
 * Opens the last turn again, with its cut answer; undefined if that is whole, or has no text.
 *
 * @param now milliseconds on a monotonic clock
 */
export function resumeTurn(conversation: Conversation, now: number): OpenConversation | undefined {
	const turn = conversation.turns.at(-1);
	if (turn === undefined || !isContinuable(turn)) return undefined;
	const {id, prompt, model, messages, usage, times} = turn;
	const {startedAt, reasoningMs, totalMs} = times;
	const since = now - totalMs;
	const reasoning =
		reasoningMs === 0 ? {} : {reasoningFrom: since, reasoningUntil: since + reasoningMs};
	const open = {id, prompt, model, startedAt, messages, usage, since, ...reasoning};
	return {...conversation, turns: conversation.turns.slice(0, -1), open};
}

/** Whether the answer is cut, and not for good: by a filter, with a refusal or a call. */
export function isContinuable({messages, status, cut}: Turn): boolean {
	const answer = messages.at(-1);
	const isCut = cut === undefined ? status !== 'complete' : cut.kind === 'length';
	if (!isCut || answer?.role !== 'assistant' || messageText(answer) === '') return false;
	return answer.parts.every(({type}) => type === 'text' || type === 'reasoning');
}

/**
 * Returns the conversation after one more event in the running turn. A turn without an answer is
 * kept for its reasoning or usage; otherwise it disappears.
 */
export function reduceConversation(
	conversation: Conversation,
	event: ChatEvent,
	now: number,
): Conversation {
	const {open} = conversation;
	if (open === undefined) return conversation;
	if (event.type === 'turn-end') {
		return endTurn(conversation, keepTurn(closeTurn(open, 'complete', now)));
	}
	if (event.type === 'error') {
		const {kind, details} = event.error;
		const status = kind === 'interrupted' ? 'interrupted' : 'incomplete';
		const usage = sumUsage(open.usage, details.usage);
		return endTurn(conversation, keepTurn(closeTurn({...open, usage}, status, now)));
	}
	const advanced = reduceTurn(open, event, now);
	return advanced === open ? conversation : {...conversation, open: advanced};
}

type ProgressEvent = Exclude<ChatEvent, {readonly type: 'turn-end' | 'error'}>;

function reduceTurn(turn: OpenTurn, event: ProgressEvent, now: number): OpenTurn {
	const {message, messages, usage, reasoningUntil} = turn;
	switch (event.type) {
		case 'step-start':
			return {...turn, message: {model: event.requestedModel, parts: undefined}};
		case 'reasoning-delta':
			return {...continueReasoning(turn, now), message: grow(message, event)};
		case 'text-delta':
		case 'refusal-delta':
			return {...turn, message: grow(message, event), reasoningUntil: reasoningUntil ?? now};
		case 'reasoning-end':
			return {...turn, message: grow(message, event)};
		case 'tool-call-start':
		case 'tool-call':
			return {...turn, message: grow(message, event), reasoningUntil: reasoningUntil ?? now};
		case 'continuation':
			return continueTurn(turn, event.continuation);
		case 'step-end': {
			const sum = sumUsage(usage, event.usage);
			const isCut = isCutReason(event.finishReason);
			const ended = {...turn, usage: sum, cut: isCut ? event.finishReason : undefined};
			if (message === undefined) return ended;
			const {sources = message.sources} = event;
			const closed = closeMessage(message, 'complete', !isCut);
			const kept = sources === undefined ? closed : {...closed, sources};
			return {...ended, messages: [...messages, kept], message: undefined};
		}
		case 'tool-result': {
			const {callId, parts, isError} = event;
			return {...turn, messages: [...messages, {role: 'tool', callId, parts, isError}]};
		}
		case 'answer-rejected':
			return {...turn, messages: dropAnswer(messages)};
		case 'quotations-checked':
			return {...turn, quotations: event.quotations};
		case 'tool-call-delta':
		case 'tool-decision':
		case 'answer-unwrapped':
		case 'notice':
		case 'trace':
			return turn;
		default:
			return event satisfies never;
	}
}

/** Opens the last message of a resumed turn again. */
function continueTurn(turn: OpenTurn, continuation: Continuation): OpenTurn {
	const {message, messages, usage} = turn;
	if (continuation.state !== 'joined') {
		return {...turn, usage: sumUsage(usage, continuation.usage)};
	}
	const last = messages.at(-1);
	if (message !== undefined || last?.role !== 'assistant') return turn;
	return {...turn, messages: messages.slice(0, -1), message: reopenMessage(last)};
}

function grow(message: OpenMessage | undefined, event: MessageEvent): OpenMessage | undefined {
	return message && growMessage(message, event);
}

/** Returns the messages to send. Between turns, turns without an answer are left out. */
export function messagesOf({system, turns, compactions, open}: Conversation): readonly Message[] {
	const messages: Message[] = [];
	if (system !== '') messages.push({role: 'system', parts: [{type: 'text', text: system}]});
	const {sent, summaries} = compactTurns(turns, compactions, hasAnswer);
	for (const {turn, summaries: before, hasLargeResults} of sent) {
		// Many services refuse an empty answer.
		const answer = turn.messages.filter((message) => !isEmpty(message));
		messages.push(withSummaries(promptMessage(turn.prompt), before));
		messages.push(...(hasLargeResults ? answer : leaveOutResults(answer)));
	}
	if (open !== undefined) {
		messages.push(withSummaries(promptMessage(open.prompt), summaries), ...open.messages);
	}
	return messages;
}

/** In UTF-16 units: below it, a request is not worth comparing with an unknown context window. */
export const smallLength = 8192;

/** Returns the length of a request's texts, in UTF-16 units. */
export function textLengthOf(conversation: Conversation): number {
	let length = 0;
	for (const {parts} of messagesOf(conversation)) {
		for (const part of parts) length += 'text' in part ? part.text.length : 0;
	}
	return length;
}

/** Returns all turns, the current branch first, each turn after its parent. */
export function treeOf({turns, otherTurns}: Conversation): readonly TreeTurn[] {
	const path = turns.map((turn, index) => ({turn, parent: turns[index - 1]?.id ?? null}));
	return [...path, ...otherTurns];
}

/** Returns each branch's last turn. */
export function branchEnds(conversation: Conversation): readonly Turn[] {
	const tree = treeOf(conversation);
	const parents = new Set(tree.map(({parent}) => parent));
	return tree.flatMap(({turn}) => (parents.has(turn.id) ? [] : [turn]));
}

function moveHead(conversation: Conversation, at: string | null): Conversation {
	const others = new Map(treeOf(conversation).map((node) => [node.turn.id, node]));
	const turns: Turn[] = [];
	for (let id = at; id !== null; ) {
		const node = others.get(id);
		if (node === undefined) break;
		others.delete(id);
		turns.push(node.turn);
		id = node.parent;
	}
	return {...conversation, turns: turns.reverse(), otherTurns: [...others.values()]};
}

/** Returns the turns up to the head; the last one may be under way. */
export function turnsSoFar({turns, open}: Conversation, now: number): readonly Turn[] {
	return open === undefined ? turns : [...turns, closeTurn(open, 'incomplete', now)];
}

/** Whether the turn has an answer, and is sent with later prompts. */
export function hasAnswer({messages}: Turn): boolean {
	return messages.some((message) => !isEmpty(message));
}

/** Returns the reasoning from all steps, one paragraph each. */
export function reasoningOf({messages}: Pick<Turn, 'messages'>): string {
	const steps = messages.map((message) => {
		if (message.role === 'tool') return '';
		return message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
	});
	return steps.filter((text) => text !== '').join('\n\n');
}

function endTurn(conversation: Conversation, turn: Turn | undefined): Conversation {
	const {turns} = conversation;
	return {...conversation, turns: turn === undefined ? turns : [...turns, turn], open: undefined};
}

/** Closes the turn in its current state, without incomplete calls. */
function closeTurn(open: OpenTurn, status: Turn['status'], now: number): Turn {
	const {id, prompt, model, startedAt, message, usage, cut, quotations} = open;
	const partial = message && closeMessage(message, status, false);
	const rest = partial === undefined || partial.parts.length === 0 ? [] : [partial];
	const messages = [...completeCalls(open.messages), ...rest];
	const reasoningMs = Math.round(reasoningMsOf(open, now));
	const times = {startedAt, reasoningMs, totalMs: Math.round(now - open.since)};
	const turn = {id, prompt, model, messages, usage, times, status, cut};
	return quotations === undefined ? turn : {...turn, quotations};
}

function keepTurn(turn: Turn): Turn | undefined {
	const isKept = hasAnswer(turn) || reasoningOf(turn) !== '' || turn.usage !== undefined;
	return isKept ? turn : undefined;
}

/** Whether the message has nothing but reasoning. */
function isEmpty(message: AnswerMessage): boolean {
	return message.role === 'assistant' && message.parts.every(({type}) => type === 'reasoning');
}

function dropAnswer(messages: readonly AnswerMessage[]): readonly AnswerMessage[] {
	return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
}

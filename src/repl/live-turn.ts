/** A turn under way as a screen shows it: how its events change it, and what they print. */
import {type Conversation, reduceConversation} from '../chat/conversation.ts';
import type {ChatEvent, Notice} from '../chat/event.ts';
import {sumUsage} from '../chat/usage.ts';
import type {LiveTurn, TranscriptEntry} from './state.ts';
import {cancelledEntries, findCall, toolEntry} from './turn-calls.ts';

export function openTurn(model: string, now: number): LiveTurn {
	return {
		model,
		phase: 'waiting',
		retry: undefined,
		running: [],
		startedAt: now,
		lastEventAt: now,
		reasoningFrom: undefined,
		reasoningUntil: undefined,
		answerFrom: undefined,
		answerLength: 0,
		reasoning: '',
		usage: undefined,
		isRefused: false,
		paneChoice: undefined,
	};
}

type AdvancedTurn<Turn extends LiveTurn> = {
	readonly conversation: Conversation;
	readonly turn: Turn;
	/** Entries for the scrollback; the folded reasoning follows them when the turn is over. */
	readonly entries: readonly TranscriptEntry[];
};

/** The turn and its conversation after one more event. */
export function advanceTurn<Turn extends LiveTurn>(
	before: Conversation,
	turn: Turn,
	event: ChatEvent,
	now: number,
): AdvancedTurn<Turn> {
	const conversation = reduceConversation(before, event);
	const {entries = [], ...changes} = advance(turn, event, now, before, conversation);
	return {conversation, turn: {...turn, ...changes, lastEventAt: now}, entries};
}

function advance(
	turn: LiveTurn,
	event: ChatEvent,
	now: number,
	before: Conversation,
	after: Conversation,
): Partial<LiveTurn> & {readonly entries?: readonly TranscriptEntry[]} {
	switch (event.type) {
		case 'reasoning-delta':
			return {
				phase: phaseOf(turn, 'reasoning'),
				retry: undefined,
				reasoningFrom: turn.reasoningFrom ?? now,
				reasoning: turn.reasoning + event.text,
			};
		case 'text-delta':
		case 'refusal-delta':
			return {
				isRefused: turn.isRefused || event.type === 'refusal-delta',
				phase: phaseOf(turn, 'answering'),
				retry: undefined,
				reasoningUntil: turn.reasoningUntil ?? now,
				answerFrom: turn.answerFrom ?? now,
				answerLength: turn.answerLength + event.text.length,
			};
		case 'step-start':
			return {retry: undefined};
		case 'step-end':
			return {usage: sumUsage(turn.usage, event.usage)};
		case 'notice':
			return {retry: waitOf(event.notice, now) ?? turn.retry};
		case 'tool-decision': {
			const call = isApproved(event) ? findCall(after, event.callId) : undefined;
			return call === undefined ? {} : {running: [...turn.running, call]};
		}
		case 'tool-result': {
			const call = findCall(after, event.callId);
			const running = turn.running.filter(({callId}) => callId !== event.callId);
			return call === undefined ? {running} : {running, entries: [toolEntry(call, event)]};
		}
		case 'turn-end':
			return turn.isRefused && isPromptKept(after, before)
				? {entries: [{type: 'truncation', reason: 'refused'}]}
				: {};
		case 'error': {
			const reason = event.error.kind === 'interrupted' ? 'interrupted' : 'incomplete';
			const cancelled = cancelledEntries(after, before, turn.running);
			return {
				usage: sumUsage(turn.usage, event.error.details.usage),
				entries: isPromptKept(after, before)
					? [...cancelled, {type: 'truncation', reason}]
					: cancelled,
			};
		}
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-call':
		case 'answer-rejected':
			return {};
		default:
			return event satisfies never;
	}
}

/** A turn that was stopped stays so, whatever still comes. */
function phaseOf(turn: LiveTurn, phase: LiveTurn['phase']): LiveTurn['phase'] {
	return turn.phase === 'stopping' ? turn.phase : phase;
}

function waitOf({retry}: Notice, now: number): LiveTurn['retry'] {
	return retry && {...retry, until: now + retry.delayMs};
}

function isApproved({decision}: Extract<ChatEvent, {type: 'tool-decision'}>): boolean {
	return decision !== 'denied' && decision !== 'unasked';
}

/** Whether the prompt of the turn is still in the conversation. */
export function isPromptKept(after: Conversation, before: Conversation): boolean {
	const count = ({messages}: Conversation) => messages.filter(({role}) => role === 'user').length;
	return count(after) === count(before);
}

/** How long the reasoning took: to the answer, or to the end. */
export function reasoningMsOf(turn: LiveTurn, now: number): number {
	if (turn.reasoningFrom === undefined) return 0;
	return (turn.reasoningUntil ?? now) - turn.reasoningFrom;
}

/** The reasoning of a finished turn, folded to a line. */
export function summarizeReasoning(turn: LiveTurn, now: number): readonly TranscriptEntry[] {
	if (turn.reasoning === '') return [];
	const reasoningMs = reasoningMsOf(turn, now);
	return [{type: 'reasoning-summary', reasoningMs, tokens: turn.usage?.reasoningTokens}];
}

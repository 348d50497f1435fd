/** The turn under way, as a screen shows it: how events change it, and what they print. */
import {type Conversation, reduceConversation} from '../chat/conversation.ts';
import type {ChatEvent, Notice} from '../chat/event.ts';
import type {ToolCall} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {textOutput} from '../chat/tool-output.ts';
import type {ChatError} from '../errors.ts';
import {sumUsage} from '../usage.ts';
import {isWide} from './geometry.ts';
import type {AnswerState, LiveTurn, TranscriptEntry} from './state.ts';

export function createLiveTurn(model: string, now: number): LiveTurn {
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

export type TurnEnd = {
	/** Undefined if the turn is complete. */
	readonly error: ChatError | undefined;
	/** Whether the prompt is still in the conversation; without an answer it is not. */
	readonly isPromptKept: boolean;
};

type AdvancedTurn<Turn extends LiveTurn> = {
	readonly conversation: Conversation;
	readonly turn: Turn;
	/** Entries for the transcript, before the summary of the reasoning. */
	readonly entries: readonly TranscriptEntry[];
	readonly end: TurnEnd | undefined;
};

type Changes = Partial<LiveTurn> & {
	readonly entries?: readonly TranscriptEntry[];
	readonly end?: TurnEnd;
};

/** Applies an event to the turn and its conversation. */
export function advanceTurn<Turn extends LiveTurn>(
	before: Conversation,
	turn: Turn,
	event: ChatEvent,
	now: number,
): AdvancedTurn<Turn> {
	const conversation = reduceConversation(before, event);
	const {entries = [], end, ...changes} = changesOf(turn, event, now, before, conversation);
	return {conversation, turn: {...turn, ...changes, lastEventAt: now}, entries, end};
}

function changesOf(
	turn: LiveTurn,
	event: ChatEvent,
	now: number,
	before: Conversation,
	after: Conversation,
): Changes {
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
			return applyNotice(event.notice, now);
		case 'tool-decision': {
			const call = isApproved(event) ? findCall(after, event.callId) : undefined;
			return call === undefined ? {} : {running: [...turn.running, call]};
		}
		case 'tool-result': {
			const call = findCall(after, event.callId);
			const running = turn.running.filter(({callId}) => callId !== event.callId);
			return call === undefined ? {running} : {running, entries: [toolEntry(call, event)]};
		}
		case 'turn-end': {
			const isPromptKept = hasSamePrompts(after, before);
			const isRefused = turn.isRefused && isPromptKept;
			return {
				entries: isRefused ? [{type: 'truncation', reason: 'refused'}] : [],
				end: {error: undefined, isPromptKept},
			};
		}
		case 'error':
			return failTurn(turn, event.error, before, after);
		case 'reasoning-end':
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-call':
		case 'answer-rejected':
		case 'trace':
			return {};
		default:
			return event satisfies never;
	}
}

function failTurn(
	turn: LiveTurn,
	error: ChatError,
	before: Conversation,
	after: Conversation,
): Changes {
	const isPromptKept = hasSamePrompts(after, before);
	const reason = error.kind === 'interrupted' ? 'interrupted' : 'incomplete';
	const cancelled = cancelledEntries(after, before, turn.running);
	return {
		usage: sumUsage(turn.usage, error.details.usage),
		entries: isPromptKept ? [...cancelled, {type: 'truncation', reason}] : cancelled,
		end: {error, isPromptKept},
	};
}

/** A stopped turn stays stopped, whatever arrives afterwards. */
function phaseOf(turn: LiveTurn, phase: LiveTurn['phase']): LiveTurn['phase'] {
	return turn.phase === 'stopping' ? turn.phase : phase;
}

function applyNotice({message, retry}: Notice, now: number): Changes {
	if (retry !== undefined) return {retry: {...retry, until: now + retry.delayMs}};
	return {entries: [{type: 'notice', text: message}]};
}

function isApproved({decision}: Extract<ChatEvent, {type: 'tool-decision'}>): boolean {
	return decision !== 'denied' && decision !== 'unattended';
}

function hasSamePrompts(after: Conversation, before: Conversation): boolean {
	const count = ({messages}: Conversation) => messages.filter(({role}) => role === 'user').length;
	return count(after) === count(before);
}

/** Returns the calls of the last step. */
function lastCalls({messages}: Conversation): readonly ToolCall[] {
	const last = messages.findLast(({role}) => role === 'assistant');
	if (last?.role !== 'assistant') return [];
	return last.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

function findCall(conversation: Conversation, wanted: string): ToolCall | undefined {
	return lastCalls(conversation).find(({callId}) => callId === wanted);
}

/** Returns the calls of the last step if they have no results, because nothing here runs them. */
export function openCallEntries(conversation: Conversation): readonly TranscriptEntry[] {
	const isAnswered = conversation.messages.at(-1)?.role === 'tool';
	return isAnswered ? [] : lastCalls(conversation).map((call) => toolEntry(call, undefined));
}

function toolEntry(call: ToolCall, result: ToolOutput | undefined): TranscriptEntry {
	const {name, arguments: text} = call;
	const shown = result && {parts: result.parts, isError: result.isError};
	return {type: 'tool', name, arguments: text, result: shown};
}

const stopped = textOutput('stopped before it finished', true);
const notRun = textOutput('not run', true);

/** Returns the calls that the end of the turn cancelled; those running may have had an effect. */
function cancelledEntries(
	after: Conversation,
	before: Conversation,
	running: readonly ToolCall[],
): readonly TranscriptEntry[] {
	return after.messages.slice(before.messages.length).flatMap((message) => {
		const call = message.role === 'tool' ? findCall(after, message.callId) : undefined;
		return call === undefined ? [] : [toolEntry(call, running.includes(call) ? stopped : notRun)];
	});
}

/** Returns how long the reasoning took, up to the answer or the end. */
export function reasoningMsOf(turn: LiveTurn, now: number): number {
	if (turn.reasoningFrom === undefined) return 0;
	return (turn.reasoningUntil ?? now) - turn.reasoningFrom;
}

/** Returns the line that stays of the reasoning of a finished turn. */
export function summarizeReasoning(turn: LiveTurn, now: number): readonly TranscriptEntry[] {
	if (turn.reasoning === '') return [];
	const reasoningMs = reasoningMsOf(turn, now);
	return [{type: 'reasoning-summary', reasoningMs, tokens: turn.usage?.reasoningTokens}];
}

/**
 * Whether the reasoning pane is open. Beside the answer it stays open for the whole turn; above it,
 * it closes when the answer starts. The user's choice overrides both.
 */
export function isPaneOpen({turn, columns, reasoningMode}: AnswerState): boolean {
	if (turn === undefined || turn.reasoning === '') return false;
	if (turn.paneChoice !== undefined) return turn.paneChoice === 'open';
	if (reasoningMode !== 'auto') return reasoningMode === 'show';
	return isWide(columns) || turn.answerLength === 0;
}

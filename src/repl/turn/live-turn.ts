/** The turn under way, as a screen shows it: how events change it, and what they print. */
import {
	type AnswerMessage,
	type Conversation,
	type OpenTurn,
	reduceConversation,
	type Turn,
} from '../../chat/conversation.ts';
import type {ChatEvent, Notice} from '../../chat/event.ts';
import {hasText} from '../../chat/open-message.ts';
import {reasoningMsOf} from '../../chat/reasoning-time.ts';
import type {ChatError} from '../../errors.ts';
import {sessionHint, withHint} from '../../hint.ts';
import {isWide} from '../geometry.ts';
import type {AnswerState, LiveTurn, TranscriptEntry} from '../state.ts';
import {
	cancelledEntries,
	cutOf,
	findCall,
	summarizeReasoning,
	toolEntry,
	truncationOf,
} from './turn-entries.ts';

export function createLiveTurn(now: number, maxTokens?: number): LiveTurn {
	return {
		phase: 'waiting',
		retry: undefined,
		running: [],
		lastEventAt: now,
		answerFrom: undefined,
		answerLength: 0,
		thoughts: '',
		maxTokens,
		reported: [],
		paneChoice: undefined,
	};
}

export type TurnEnd = {
	/** Undefined if the turn is complete. */
	readonly error: ChatError | undefined;
	/** Undefined if nothing is left of it. */
	readonly turn: Turn | undefined;
};

type AdvancedTurn = {
	readonly conversation: Conversation;
	readonly turn: LiveTurn;
	/** Entries for the transcript, above the text of the event and below it. */
	readonly above: readonly TranscriptEntry[];
	readonly entries: readonly TranscriptEntry[];
	readonly end: TurnEnd | undefined;
};

/**
 * Applies an event to the turn and its conversation.
 *
 * @param number the turn's number in the scrollback of a session
 */
export function advanceTurn(
	state: AnswerState,
	turn: LiveTurn,
	event: ChatEvent,
	number?: number,
): AdvancedTurn {
	const {conversation: before, now} = state;
	const conversation = reduceConversation(before, event, now);
	const messages = before.open?.messages ?? [];
	const {entries = [], ...changes} = changesOf(turn, event, now, messages);
	const advanced = {...turn, ...changes, lastEventAt: now};
	const place = placeOfThoughts(turn, event, before.open);
	if (place !== undefined) advanced.thoughts = '';
	const thoughts = place === undefined ? noThoughts : entriesOfThoughts(place, turn, state);
	const isOpen = thoughts.above.length > 0;
	if (event.type !== 'turn-end' && event.type !== 'error') {
		const hasBegun = turn.answerLength === 0 && advanced.answerLength > 0;
		const summary = hasBegun ? summarizeOpen(conversation.open, now, number, isOpen) : [];
		return {
			conversation,
			turn: advanced,
			above: [...summary, ...thoughts.above],
			entries: [...thoughts.below, ...entries],
			end: undefined,
		};
	}
	const end = endOf(event, before, conversation);
	const summary =
		end.turn && turn.answerLength === 0 ? summarizeReasoning(end.turn, number, isOpen) : [];
	return {
		conversation,
		turn: advanced,
		above: [...summary, ...thoughts.above],
		entries: [...thoughts.below, ...entriesOfEnd(end, before.open, turn)],
		end,
	};
}

function endOf(
	event: Extract<ChatEvent, {type: 'turn-end' | 'error'}>,
	{open}: Conversation,
	{turns}: Conversation,
): TurnEnd {
	const last = turns.at(-1);
	return {
		error: event.type === 'error' ? event.error : undefined,
		turn: last?.id === open?.id ? last : undefined,
	};
}

/** @param open the turn before its end */
function entriesOfEnd(
	{error, turn}: TurnEnd,
	open: OpenTurn | undefined,
	{running, reported}: LiveTurn,
): readonly TranscriptEntry[] {
	if (turn === undefined) {
		const cut = error === undefined && open !== undefined ? cutOf(open) : [];
		return [...reported, ...cut];
	}
	const before = open?.messages.length ?? 0;
	const cancelled = error === undefined ? [] : cancelledEntries(turn, before, running);
	return [...cancelled, ...reported, ...truncationOf(turn)];
}

/** Returns the line for the reasoning of a turn whose answer begins. */
function summarizeOpen(
	open: OpenTurn | undefined,
	now: number,
	number: number | undefined,
	isOpen: boolean,
): readonly TranscriptEntry[] {
	if (open?.reasoningFrom === undefined) return [];
	const tokens = open.usage?.reasoningTokens;
	return [
		{type: 'reasoning-summary', reasoningMs: reasoningMsOf(open, now), tokens, number, isOpen},
	];
}

type Thoughts = Readonly<Record<'above' | 'below', readonly TranscriptEntry[]>>;

const noThoughts: Thoughts = {above: [], below: []};

function entriesOfThoughts(
	place: keyof Thoughts,
	{thoughts, paneChoice}: LiveTurn,
	{reasoningMode}: AnswerState,
): Thoughts {
	const isShown = reasoningMode === 'show' && paneChoice !== 'closed';
	return isShown ? {...noThoughts, [place]: [{type: 'reasoning', text: thoughts}]} : noThoughts;
}

/**
 * Returns where the reasoning since the last text belongs: above the text of its step. Between two
 * texts of a step it would split them, so it waits for the end of the step.
 */
function placeOfThoughts(
	{thoughts, answerLength}: LiveTurn,
	{type}: ChatEvent,
	open: OpenTurn | undefined,
): keyof Thoughts | undefined {
	if (thoughts === '') return undefined;
	if (type === 'text-delta' || type === 'refusal-delta') {
		const isFirst = open?.message === undefined || !hasText(open.message);
		return isFirst ? 'above' : undefined;
	}
	if (type === 'turn-end' || type === 'error') return answerLength === 0 ? 'above' : 'below';
	return type === 'tool-result' && answerLength > 0 ? 'below' : undefined;
}

type Changes = Partial<LiveTurn> & {readonly entries?: readonly TranscriptEntry[]};

/** @param messages those of the turn so far */
function changesOf(
	turn: LiveTurn,
	event: ChatEvent,
	now: number,
	messages: readonly AnswerMessage[],
): Changes {
	switch (event.type) {
		case 'reasoning-delta':
			return {
				phase: phaseOf(turn, 'reasoning'),
				retry: undefined,
				thoughts: turn.thoughts + event.text,
			};
		case 'text-delta':
		case 'refusal-delta':
			return {
				phase: phaseOf(turn, 'answering'),
				retry: undefined,
				answerFrom: turn.answerFrom ?? now,
				answerLength: turn.answerLength + event.text.length,
			};
		case 'step-start':
			return {retry: undefined};
		case 'notice':
			return applyNotice(turn, event.notice, now);
		case 'tool-decision': {
			const call = isApproved(event) ? findCall(messages, event.callId) : undefined;
			return call === undefined ? {} : {running: [...turn.running, call]};
		}
		case 'tool-result': {
			const call = findCall(messages, event.callId);
			const running = turn.running.filter(({callId}) => callId !== event.callId);
			return call === undefined ? {running} : {running, entries: [toolEntry(call, event)]};
		}
		case 'reasoning-end':
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-call':
		case 'step-end':
		case 'answer-rejected':
		case 'answer-unwrapped':
		case 'trace':
		case 'turn-end':
		case 'error':
			return {};
		default:
			return event satisfies never;
	}
}

/** A stopped turn stays stopped, whatever arrives afterwards. */
function phaseOf(turn: LiveTurn, phase: LiveTurn['phase']): LiveTurn['phase'] {
	return turn.phase === 'stopping' ? turn.phase : phase;
}

function applyNotice({reported}: LiveTurn, notice: Notice, now: number): Changes {
	const {code, retry} = notice;
	if (retry !== undefined) return {retry: {...retry, until: now + retry.delayMs}};
	// The end of the turn says it.
	if (code === 'length' || code === 'content-filter') return {};
	const message = withHint(notice, sessionHint);
	if (truncating.has(code)) {
		return {reported: [...reported, {type: 'truncation', reason: 'reported', detail: message}]};
	}
	return {entries: [{type: 'notice', text: message}]};
}

/** Notices which say that the answer is not whole, or may not be. */
const truncating: ReadonlySet<Notice['code']> = new Set([
	'empty-answer',
	'tool-limit',
	'finish-unknown',
]);

export function isApproved({decision}: Extract<ChatEvent, {type: 'tool-decision'}>): boolean {
	return decision !== 'denied' && decision !== 'unattended';
}

/**
 * Whether the reasoning pane is open: until the answer starts, and then where there is room beside
 * it. The user's choice overrides both.
 */
export function isPaneOpen({turn, conversation, columns, reasoningMode}: AnswerState): boolean {
	if (turn === undefined || conversation.open?.reasoningFrom === undefined) return false;
	if (turn.paneChoice !== undefined) return turn.paneChoice === 'open';
	if (reasoningMode === 'hide') return false;
	// The scrollback has what was thought before the answer.
	if (reasoningMode === 'show') return turn.answerLength === 0 || turn.phase === 'reasoning';
	return isWide(columns) || turn.answerLength === 0;
}

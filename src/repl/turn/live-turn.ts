/** The running turn on a screen: how events change it, and what they print. */
import {
	type AnswerMessage,
	type Conversation,
	type OpenTurn,
	reduceConversation,
	type Turn,
	turnsSoFar,
} from '../../chat/conversation.ts';
import type {ChatEvent, Continuation, Notice} from '../../chat/event.ts';
import {hasText} from '../../chat/open-message.ts';
import type {ChatError} from '../../errors.ts';
import {replHint, withHint} from '../../hint.ts';
import {isWide} from '../geometry.ts';
import type {AnswerState, LiveTurn, TranscriptEntry} from '../state.ts';
import type {TurnNumbers} from './shown-turns.ts';
import {
	cancelledEntries,
	cutOf,
	findCall,
	numberOfCall,
	quotationsOf,
	sourcesOf,
	summarizeReasoning,
	toolEntry,
	truncationOf,
} from './turn-entries.ts';

/** @param answerLength that of a cut answer going on */
export function createLiveTurn(now: number, maxTokens?: number, answerLength = 0): LiveTurn {
	return {
		phase: 'waiting',
		retry: undefined,
		isSearching: false,
		running: [],
		lastEventAt: now,
		answerFrom: undefined,
		answerLength,
		thoughts: '',
		maxTokens,
		reported: [],
		continuing: undefined,
		apart: '',
		paneChoice: undefined,
	};
}

export type TurnEnd = {
	/** Undefined if the turn is complete. */
	readonly error: ChatError | undefined;
	/** The turn before its end. */
	readonly open: OpenTurn;
	/** Undefined if nothing is left of it. */
	readonly turn: Turn | undefined;
};

type AdvancedTurn = {
	readonly conversation: Conversation;
	readonly turn: LiveTurn;
	/** The events before the end. */
	readonly progress: readonly ChatEvent[];
	/** Transcript entries, above and below the events' text. */
	readonly above: readonly TranscriptEntry[];
	readonly below: readonly TranscriptEntry[];
	readonly end: TurnEnd | undefined;
};

/**
 * Applies events to the turn and its conversation, up to its end.
 *
 * @param numbers the turn's numbers in the REPL scrollback
 */
export function advanceTurn(
	state: AnswerState,
	live: LiveTurn,
	events: readonly ChatEvent[],
	numbers?: TurnNumbers,
): AdvancedTurn {
	const {now} = state;
	const {number, callsAbove} = numbers ?? {};
	let {conversation} = state;
	let turn = live;
	const entries: Entries = {above: [], below: []};
	for (const [index, event] of events.entries()) {
		const {open} = conversation;
		if (open === undefined) break;
		conversation = reduceConversation(conversation, event, now);
		const before = turn;
		const {entries: shown = [], ...changes} = changesOf(
			before,
			event,
			now,
			open.messages,
			callsAbove,
		);
		turn = {...before, ...changes, lastEventAt: now};
		const place = placeOfReasoning(before, event, open);
		if (place !== undefined) turn = {...turn, thoughts: ''};
		const isShown = place !== undefined && isReasoningPrinted(before, state);
		const end = endOf(event, open, conversation);
		if (before.answerLength === 0 && (turn.answerLength > 0 || end !== undefined)) {
			const whole = end === undefined ? turnsSoFar(conversation, now).at(-1) : end.turn;
			entries.above.push(...summarizeReasoning(whole, number, isShown && place === 'above'));
		}
		if (isShown) entries[place].push({type: 'reasoning', text: before.thoughts});
		entries.below.push(...shown);
		if (end === undefined) continue;
		entries.below.push(...entriesOfEnd(end, before, callsAbove));
		return {conversation, turn, progress: events.slice(0, index), ...entries, end};
	}
	return {conversation, turn, progress: events, ...entries, end: undefined};
}

type Entries = Readonly<Record<'above' | 'below', TranscriptEntry[]>>;

function endOf(event: ChatEvent, open: OpenTurn, {turns}: Conversation): TurnEnd | undefined {
	if (event.type !== 'turn-end' && event.type !== 'error') return undefined;
	const last = turns.at(-1);
	return {
		error: event.type === 'error' ? event.error : undefined,
		open,
		turn: last?.id === open.id ? last : undefined,
	};
}

function entriesOfEnd(
	{error, open, turn}: TurnEnd,
	{running, reported, apart}: LiveTurn,
	callsAbove: number | undefined,
): readonly TranscriptEntry[] {
	if (turn === undefined) return [...reported, ...(error === undefined ? cutOf(open) : [])];
	const cancelled =
		error === undefined ? [] : cancelledEntries(turn, open.messages.length, running, callsAbove);
	const rest = apart === '' ? [] : [unjoined, {type: 'text', text: apart} as const];
	return [
		...cancelled,
		...sourcesOf(turn),
		...quotationsOf(turn),
		...rest,
		...reported,
		...truncationOf(turn),
	];
}

const unjoined: TranscriptEntry = {
	type: 'notice',
	text: 'the continuation below could not be joined, and is not part of the answer',
};

function isReasoningPrinted({paneChoice}: LiveTurn, {reasoningMode}: AnswerState): boolean {
	return reasoningMode === 'show' && paneChoice !== 'closed';
}

/**
 * Returns where the reasoning since the last text belongs: above its step's text. Reasoning between
 * two texts waits for the end of the step, leaving them in one piece.
 */
function placeOfReasoning(
	{thoughts, answerLength}: LiveTurn,
	{type}: ChatEvent,
	open: OpenTurn,
): keyof Entries | undefined {
	if (thoughts === '') return undefined;
	if (type === 'text-delta' || type === 'refusal-delta') {
		const isFirst = open.message === undefined || !hasText(open.message);
		return isFirst ? 'above' : undefined;
	}
	if (type === 'turn-end' || type === 'error') return answerLength === 0 ? 'above' : 'below';
	return type === 'tool-result' && answerLength > 0 ? 'below' : undefined;
}

type Changes = Partial<LiveTurn> & {readonly entries?: readonly TranscriptEntry[]};

/** @param messages the turn's messages so far */
function changesOf(
	turn: LiveTurn,
	event: ChatEvent,
	now: number,
	messages: readonly AnswerMessage[],
	callsAbove: number | undefined,
): Changes {
	switch (event.type) {
		case 'reasoning-delta':
			return {
				phase: phaseOf(turn, 'reasoning'),
				retry: undefined,
				isSearching: false,
				thoughts: turn.thoughts + event.text,
			};
		case 'text-delta':
		case 'refusal-delta':
			return {
				phase: phaseOf(turn, 'answering'),
				retry: undefined,
				isSearching: false,
				answerFrom: turn.answerFrom ?? now,
				answerLength: turn.answerLength + event.text.length,
			};
		case 'step-start':
			return {retry: undefined, isSearching: false};
		case 'continuation':
			return followContinuation(event.continuation);
		case 'notice':
			return applyNotice(turn, event.notice, now);
		case 'tool-decision': {
			const call = isApproved(event) ? findCall(messages, event.callId) : undefined;
			return call === undefined ? {} : {running: [...turn.running, call]};
		}
		case 'tool-result': {
			const call = findCall(messages, event.callId);
			const running = turn.running.filter(({callId}) => callId !== event.callId);
			if (call === undefined) return {running};
			const callNumber = numberOfCall(call, messages, callsAbove);
			return {running, entries: [toolEntry(call, event, callNumber)]};
		}
		case 'reasoning-end':
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-call':
		case 'step-end':
		case 'answer-rejected':
		case 'answer-unwrapped':
		case 'quotations-checked':
		case 'trace':
		case 'turn-end':
		case 'error':
			return {};
		default:
			return event satisfies never;
	}
}

function followContinuation(continuation: Continuation): Changes {
	if (continuation.state === 'asked') return {continuing: continuation};
	const apart = continuation.state === 'rejected' ? continuation.text.trim() : '';
	return {continuing: undefined, apart};
}

/** A stopped turn stays stopped, whatever arrives afterwards. */
function phaseOf(turn: LiveTurn, phase: LiveTurn['phase']): LiveTurn['phase'] {
	return turn.phase === 'stopping' ? turn.phase : phase;
}

function applyNotice({reported}: LiveTurn, notice: Notice, now: number): Changes {
	const {code, retry} = notice;
	if (retry !== undefined) return {retry: {...retry, until: now + retry.delayMs}};
	if (code === 'web-search') return {isSearching: true};
	// Repeated at the end of the turn.
	if (code === 'length' || code === 'content-filter') return {};
	const message = withHint(notice, replHint);
	if (truncating.has(code)) {
		return {reported: [...reported, {type: 'truncation', reason: 'reported', detail: message}]};
	}
	return {entries: [{type: 'notice', text: message}]};
}

/** Notices reporting a missing or doubtful end. */
const truncating: ReadonlySet<Notice['code']> = new Set([
	'empty-answer',
	'tool-limit',
	'finish-unknown',
]);

function isApproved({decision}: Extract<ChatEvent, {type: 'tool-decision'}>): boolean {
	return decision !== 'denied' && decision !== 'unattended';
}

/**
 * Whether the reasoning pane is open: until the answer starts, and then where there is room beside
 * it. The user's choice overrides both.
 */
export function isPaneOpen({turn, conversation, columns, reasoningMode}: AnswerState): boolean {
	if (turn === undefined || conversation.open?.reasoningFrom === undefined) return false;
	if (turn.paneChoice === 'more' && turn.answerLength === 0) return true;
	if (turn.paneChoice === 'open' || turn.paneChoice === 'closed') return turn.paneChoice === 'open';
	if (reasoningMode === 'hide') return false;
	// The scrollback has what was thought before the answer.
	if (reasoningMode === 'show') return turn.answerLength === 0 || turn.phase === 'reasoning';
	return isWide(columns) || turn.answerLength === 0;
}

/** Returns what the reasoning key does to the pane: while the model only thinks, more rows come first. */
export function nextPaneChoice(state: AnswerState): NonNullable<LiveTurn['paneChoice']> {
	if (!isPaneOpen(state)) return 'open';
	const {turn} = state;
	return turn?.answerLength === 0 && turn.paneChoice !== 'more' ? 'more' : 'closed';
}

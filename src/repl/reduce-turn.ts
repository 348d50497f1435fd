/** A turn in the state: how it starts, what its events change, and what is left when it ends. */
import {addPrompt, type Conversation} from '../chat/conversation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {ChatError} from '../errors.ts';
import {type Effect, print, sequence, sequenceEach, type Update, update} from './action.ts';
import {
	advanceTurn,
	isPromptKept,
	openTurn,
	reasoningMsOf,
	summarizeReasoning,
} from './live-turn.ts';
import {isPaneOpen} from './pane.ts';
import {restorePrompt, toMessage} from './session-prompt.ts';
import type {ReplState, SessionPrompt, SessionTurn, TranscriptEntry, TurnRecord} from './state.ts';
import {openCallEntries} from './turn-calls.ts';

export function startTurn(state: ReplState, prompt: SessionPrompt, now: number): Update {
	const conversation = addPrompt(state.conversation, toMessage(prompt));
	const turn = {...openTurn(state.options.model, now), prompt};
	return update(
		{...state, conversation, turn, now, isReasoningOpen: false, isQueueHeld: false},
		print({type: 'prompt', prompt}),
		{type: 'start-turn', conversation, options: state.options},
	);
}

export function reduceEvents(state: ReplState, events: readonly ChatEvent[], now: number): Update {
	return sequenceEach({...state, now}, events, reduceEvent);
}

function reduceEvent(state: ReplState, event: ChatEvent): Update {
	if (state.turn === undefined) return update(state);
	const before = state.conversation;
	const {conversation, turn, entries} = advanceTurn(before, state.turn, event, state.now);
	const next = {...state, conversation, turn};
	const printed = entries.map(print);
	switch (event.type) {
		case 'turn-end':
			return completeTurn(next, turn, before, printed);
		case 'error':
			return failTurn(next, turn, event.error, before, printed);
		case 'notice':
			return event.notice.code === 'retry' || event.notice.code === 'trace'
				? update(next)
				: update(next, print({type: 'notice', text: event.notice.message}));
		case 'step-start':
		case 'reasoning-delta':
		case 'text-delta':
		case 'refusal-delta':
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-call':
		case 'step-end':
		case 'tool-decision':
		case 'tool-result':
		case 'answer-rejected':
			return update(next, ...printed);
		default:
			return event satisfies never;
	}
}

function completeTurn(
	state: ReplState,
	turn: SessionTurn,
	before: Conversation,
	printed: readonly Effect[],
): Update {
	// The answer was empty.
	if (!isPromptKept(state.conversation, before)) {
		return sequence(state, (current) => endTurn(current, turn, false), holdQueue);
	}
	return sequence(
		state,
		(current) => update(current, ...printed, ...openCallEntries(before).map(print)),
		(current) => endTurn(current, turn, true),
		// It may have come to its end just before it could be stopped.
		turn.phase === 'stopping' ? holdQueue : sendNext,
	);
}

/** A prompt without an answer goes back to the editor; what was thought of it can be read. */
function endTurn(state: ReplState, turn: SessionTurn, isKept: boolean): Update {
	const record = recordTurn(turn, state.now, isKept);
	const isRecorded = isKept || turn.reasoning !== '' || turn.usage !== undefined;
	return update(
		{
			...(isKept ? state : restorePrompt(state, turn.prompt)),
			turn: undefined,
			approval: undefined,
			turns: isRecorded ? [...state.turns, record] : state.turns,
			// In this mode it stays in sight.
			isReasoningOpen: state.reasoningMode === 'show' && isPaneOpen(state),
		},
		...summarizeReasoning(turn, state.now).map(print),
	);
}

/** The turns, with the one under way as far as it has come. */
export function turnsSoFar({turns, turn, now}: ReplState): readonly TurnRecord[] {
	return turn === undefined ? turns : [...turns, recordTurn(turn, now, false)];
}

function recordTurn(turn: SessionTurn, now: number, isKept: boolean): TurnRecord {
	return {
		prompt: turn.prompt,
		isKept,
		reasoning: turn.reasoning,
		reasoningMs: reasoningMsOf(turn, now),
		totalMs: now - turn.startedAt,
		usage: turn.usage,
	};
}

/**
 * If the conversation has not kept the prompt, because nothing of an answer came, it goes back to
 * the editor. What was typed ahead waits: it may not be meant any more.
 */
function failTurn(
	state: ReplState,
	turn: SessionTurn,
	error: ChatError,
	before: Conversation,
	printed: readonly Effect[],
): Update {
	const isKept = isPromptKept(state.conversation, before);
	const isInterrupted = error.kind === 'interrupted';
	const ended = endTurn(state, turn, isKept);
	const entries: TranscriptEntry[] = [];
	if (!isInterrupted) entries.push({type: 'error', error});
	else if (!isKept)
		entries.push({type: 'notice', text: state.isClosing ? 'interrupted' : comesBack});
	return update(holdQueue(ended.state).state, ...printed, ...ended.effects, ...entries.map(print));
}

function holdQueue(state: ReplState): Update {
	return update({...state, isQueueHeld: state.queue.length > 0});
}

const comesBack = 'interrupted; the prompt is back in the editor';

/** The first of the queued prompts, if one may be sent. */
export function sendNext(state: ReplState): Update {
	const [prompt, ...queue] = state.queue;
	if (prompt === undefined || state.turn !== undefined || state.isQueueHeld) return update(state);
	return startTurn({...state, queue}, prompt, state.now);
}

/** Takes the last prompt that was answered, and its answer, out of the conversation. */
export function dropLastTurn(
	state: ReplState,
): {readonly state: ReplState; readonly prompt: SessionPrompt} | undefined {
	const {messages} = state.conversation;
	const place = messages.findLastIndex(({role}) => role === 'user');
	const index = state.turns.findLastIndex(({isKept}) => isKept);
	const last = state.turns[index];
	if (place === -1 || last === undefined) return undefined;
	const conversation = {messages: messages.slice(0, place), open: undefined};
	return {
		state: {...state, conversation, turns: state.turns.toSpliced(index, 1), isReasoningOpen: false},
		prompt: last.prompt,
	};
}

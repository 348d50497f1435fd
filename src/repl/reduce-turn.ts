/** The turns of a session: how they start, what their events change, and what they leave. */
import {addPrompt} from '../chat/conversation.ts';
import type {ChatEvent} from '../chat/event.ts';
import {type Prompt, promptMessage} from '../chat/prompt.ts';
import {print, sequence, sequenceEach, type Update, update} from './action.ts';
import {
	advanceTurn,
	createLiveTurn,
	isPaneOpen,
	openCallEntries,
	reasoningMsOf,
	summarizeReasoning,
	type TurnEnd,
} from './live-turn.ts';
import {restorePrompt} from './session-prompt.ts';
import type {ReplState, SessionTurn, TranscriptEntry, TurnRecord} from './state.ts';

export function startTurn(state: ReplState, prompt: Prompt, now: number): Update {
	const conversation = addPrompt(state.conversation, promptMessage(prompt));
	const turn = {...createLiveTurn(state.options.model, now), prompt};
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
	const {conversation, turn, entries, end} = advanceTurn(before, state.turn, event, state.now);
	const next = {...state, conversation, turn};
	if (end === undefined) return update(next, ...entries.map(print));
	const isComplete = end.error === undefined && end.isPromptKept;
	const calls = isComplete ? openCallEntries(before) : [];
	return endTurn(next, turn, end, [...entries, ...calls]);
}

/**
 * Ends a turn. A prompt without an answer returns to the editor. Unless the answer is complete and
 * was not stopped, queued prompts are held: the user may no longer want them.
 */
function endTurn(
	state: ReplState,
	turn: SessionTurn,
	end: TurnEnd,
	entries: readonly TranscriptEntry[],
): Update {
	const {error, isPromptKept} = end;
	const isRecorded = isPromptKept || turn.reasoning !== '' || turn.usage !== undefined;
	const isStopped = error !== undefined || !isPromptKept || turn.phase === 'stopping';
	const ended: ReplState = {
		...(isPromptKept ? state : restorePrompt(state, turn.prompt)),
		turn: undefined,
		approval: undefined,
		turns: isRecorded ? [...state.turns, recordTurn(turn, state.now, isPromptKept)] : state.turns,
		// The mode `show` keeps it open.
		isReasoningOpen: state.reasoningMode === 'show' && isPaneOpen(state),
		isQueueHeld: isStopped && state.queue.length > 0,
	};
	const all = [...entries, ...summarizeReasoning(turn, state.now), ...describeEnd(state, end)];
	return sequence(ended, (current) => update(current, ...all.map(print)), sendNext);
}

function describeEnd(
	{isClosing}: ReplState,
	{error, isPromptKept}: TurnEnd,
): readonly TranscriptEntry[] {
	if (error === undefined) return [];
	if (error.kind !== 'interrupted') return [{type: 'error', error}];
	if (isPromptKept) return [];
	const text = isClosing ? 'interrupted' : 'interrupted; the prompt is back in the editor';
	return [{type: 'notice', text}];
}

/** Returns the turns, including the one under way. */
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

/** Sends the first of the queued prompts, unless they are held or a turn is under way. */
export function sendNext(state: ReplState): Update {
	const [prompt, ...queue] = state.queue;
	if (prompt === undefined || state.turn !== undefined || state.isQueueHeld) return update(state);
	return startTurn({...state, queue}, prompt, state.now);
}

/** Removes the last answered prompt and its answer from the conversation. */
export function dropLastTurn(
	state: ReplState,
): {readonly state: ReplState; readonly prompt: Prompt} | undefined {
	const {messages} = state.conversation;
	const start = messages.findLastIndex(({role}) => role === 'user');
	const index = state.turns.findLastIndex(({isKept}) => isKept);
	const last = state.turns[index];
	if (start === -1 || last === undefined) return undefined;
	const conversation = {messages: messages.slice(0, start), open: undefined};
	return {
		state: {...state, conversation, turns: state.turns.toSpliced(index, 1), isReasoningOpen: false},
		prompt: last.prompt,
	};
}

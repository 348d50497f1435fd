/** A turn in the state: how it starts, what its events change, and what is left when it ends. */
import {addPrompt, type Conversation, reduceConversation} from '../chat/conversation.ts';
import type {ChatEvent, Notice} from '../chat/event.ts';
import {sumUsage} from '../chat/usage.ts';
import type {ChatError} from '../errors.ts';
import {chain, chainEach, type Effect, type Outcome, outcome, print} from './action.ts';
import {isPaneOpen} from './pane.ts';
import {giveBack, toMessage} from './prompt.ts';
import type {Entry, LiveTurn, Prompt, ReplState, TurnRecord} from './state.ts';
import {findCall, printCall, printCancelled, printOpenCalls} from './turn-calls.ts';

export function startTurn(state: ReplState, prompt: Prompt, now: number): Outcome {
	const conversation = addPrompt(state.conversation, toMessage(prompt));
	const turn: LiveTurn = {
		prompt,
		model: state.options.model,
		phase: 'waiting',
		waitingFor: undefined,
		running: [],
		startedAt: now,
		heardAt: now,
		reasoningFrom: undefined,
		reasoningUntil: undefined,
		answerFrom: undefined,
		answerLength: 0,
		reasoning: '',
		usage: undefined,
		isRefused: false,
		paneChoice: undefined,
	};
	return outcome(
		{...state, conversation, turn, now, isReasoningOpen: false, isQueueHeld: false},
		print({type: 'prompt', prompt}),
		{type: 'start-turn', conversation, options: state.options},
	);
}

export function reduceEvents(state: ReplState, events: readonly ChatEvent[], now: number): Outcome {
	return chainEach({...state, now}, events, reduceEvent);
}

function reduceEvent(state: ReplState, event: ChatEvent): Outcome {
	if (state.turn === undefined) return outcome(state);
	const conversation = reduceConversation(state.conversation, event);
	const turn = {...growTurn(state.turn, event, state.now), heardAt: state.now};
	const isOver = event.type === 'turn-end' || event.type === 'error';
	const approval = isOver ? undefined : state.approval;
	const next = {...state, conversation, turn, approval};
	switch (event.type) {
		case 'tool-decision':
			return isApproved(event) ? startTool(next, turn, event.callId) : outcome(next);
		case 'tool-result':
			return endTool(next, turn, event);
		case 'turn-end':
			return completeTurn(next, turn, state);
		case 'error':
			return failTurn(next, turn, event.error, state.conversation);
		case 'notice':
			return event.notice.code === 'retry' || event.notice.code === 'trace'
				? outcome(next)
				: outcome(next, print({type: 'notice', text: event.notice.message}));
		case 'step-start':
		case 'reasoning-delta':
		case 'text-delta':
		case 'refusal-delta':
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-call':
		case 'step-end':
		case 'answer-rejected':
			return outcome(next);
		default:
			return event satisfies never;
	}
}

function startTool(state: ReplState, turn: LiveTurn, callId: string): Outcome {
	const call = findCall(state.conversation, callId);
	if (call === undefined) return outcome(state);
	return outcome({...state, turn: {...turn, running: [...turn.running, call]}});
}

function endTool(
	state: ReplState,
	turn: LiveTurn,
	{callId, output, isError}: Extract<ChatEvent, {type: 'tool-result'}>,
): Outcome {
	const running = turn.running.filter((call) => call.callId !== callId);
	const call = findCall(state.conversation, callId);
	const entries = call === undefined ? [] : [printCall(call, {output, isError})];
	return outcome({...state, turn: {...turn, running}}, ...entries);
}

/** @param before the state before the event */
function completeTurn(state: ReplState, turn: LiveTurn, before: ReplState): Outcome {
	// The answer was empty.
	if (!isPromptKept(state.conversation, before.conversation)) {
		return chain(state, (current) => endTurn(current, turn, false), holdQueue);
	}
	return chain(
		state,
		(current) => outcome(current, ...(turn.isRefused ? [refusedMark] : [])),
		(current) => outcome(current, ...printOpenCalls(before)),
		(current) => endTurn(current, turn, true),
		// It may have come to its end just before it could be stopped.
		turn.phase === 'stopping' ? holdQueue : sendNext,
	);
}

/** Whether the prompt of the turn is still in the conversation. */
function isPromptKept(after: Conversation, before: Conversation): boolean {
	const count = ({messages}: Conversation) => messages.filter(({role}) => role === 'user').length;
	return count(after) === count(before);
}

function waitOf({retry}: Notice, now: number): LiveTurn['waitingFor'] {
	return retry && {...retry, until: now + retry.delayMs};
}

/** What the live picture of a turn needs of an event. */
function growTurn(turn: LiveTurn, event: ChatEvent, now: number): LiveTurn {
	switch (event.type) {
		case 'reasoning-delta':
			return {
				...turn,
				phase: phaseOf(turn, 'reasoning'),
				waitingFor: undefined,
				reasoningFrom: turn.reasoningFrom ?? now,
				reasoning: turn.reasoning + event.text,
			};
		case 'text-delta':
		case 'refusal-delta':
			return {
				...turn,
				isRefused: turn.isRefused || event.type === 'refusal-delta',
				phase: phaseOf(turn, 'answering'),
				waitingFor: undefined,
				reasoningUntil: turn.reasoningUntil ?? now,
				answerFrom: turn.answerFrom ?? now,
				answerLength: turn.answerLength + event.text.length,
			};
		case 'step-end':
			return {...turn, usage: sumUsage(turn.usage, event.usage)};
		case 'error':
			return {...turn, usage: sumUsage(turn.usage, event.error.details.usage)};
		case 'notice':
			return {...turn, waitingFor: waitOf(event.notice, now) ?? turn.waitingFor};
		case 'step-start':
			return {...turn, waitingFor: undefined};
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-call':
		case 'tool-decision':
		case 'tool-result':
		case 'answer-rejected':
		case 'turn-end':
			return turn;
		default:
			return event satisfies never;
	}
}

function isApproved({decision}: Extract<ChatEvent, {type: 'tool-decision'}>): boolean {
	return decision !== 'denied' && decision !== 'unasked';
}

const refusedMark = print({type: 'mark', text: 'refused'});

/** What still comes does not change that the turn was stopped. */
function phaseOf(turn: LiveTurn, phase: LiveTurn['phase']): LiveTurn['phase'] {
	return turn.phase === 'stopping' ? turn.phase : phase;
}

/** A prompt without an answer goes back to the editor; what was thought of it can be read. */
function endTurn(state: ReplState, turn: LiveTurn, isKept: boolean): Outcome {
	const record = recordTurn(turn, state.now, isKept);
	const isRecorded = isKept || turn.reasoning !== '' || turn.usage !== undefined;
	return outcome(
		{
			...(isKept ? state : giveBack(state, turn.prompt)),
			turn: undefined,
			turns: isRecorded ? [...state.turns, record] : state.turns,
			// In this mode it stays in sight.
			isReasoningOpen: state.reasoningMode === 'show' && isPaneOpen(state),
		},
		...foldOf(turn, state),
	);
}

/** How long the reasoning took: to the answer, or to the end. */
export function reasoningMsOf(turn: LiveTurn, now: number): number {
	if (turn.reasoningFrom === undefined) return 0;
	return (turn.reasoningUntil ?? now) - turn.reasoningFrom;
}

/** The turns, with the one under way as far as it has come. */
export function turnsSoFar({turns, turn, now}: ReplState): readonly TurnRecord[] {
	return turn === undefined ? turns : [...turns, recordTurn(turn, now, false)];
}

function recordTurn(turn: LiveTurn, now: number, isKept: boolean): TurnRecord {
	return {
		prompt: turn.prompt,
		isKept,
		reasoning: turn.reasoning,
		reasoningMs: reasoningMsOf(turn, now),
		totalMs: now - turn.startedAt,
		usage: turn.usage,
	};
}

function foldOf(turn: LiveTurn, {now}: ReplState): readonly Effect[] {
	if (turn.reasoning === '') return [];
	const reasoningMs = reasoningMsOf(turn, now);
	return [print({type: 'fold', reasoningMs, tokens: turn.usage?.reasoningTokens})];
}

/**
 * If the conversation has not kept the prompt, because nothing of an answer came, it goes back to
 * the editor. What was typed ahead waits: it may not be meant any more.
 */
function failTurn(
	state: ReplState,
	turn: LiveTurn,
	error: ChatError,
	before: Conversation,
): Outcome {
	const isKept = isPromptKept(state.conversation, before);
	const isInterrupted = error.kind === 'interrupted';
	const ended = endTurn(state, turn, isKept);
	const entries: Entry[] = [];
	if (!isInterrupted) entries.push({type: 'error', error});
	else if (!isKept)
		entries.push({type: 'notice', text: state.isClosing ? 'interrupted' : comesBack});
	return outcome(
		holdQueue(ended.state).state,
		...printCancelled(state.conversation, before, turn.running),
		...(isKept ? [print({type: 'mark', text: isInterrupted ? 'interrupted' : 'incomplete'})] : []),
		...ended.effects,
		...entries.map(print),
	);
}

function holdQueue(state: ReplState): Outcome {
	return outcome({...state, isQueueHeld: state.queue.length > 0});
}

const comesBack = 'interrupted; the prompt is back in the editor';

/** The first of the queued prompts, if one may be sent. */
export function sendNext(state: ReplState): Outcome {
	const [prompt, ...queue] = state.queue;
	if (prompt === undefined || state.turn !== undefined || state.isQueueHeld) return outcome(state);
	return startTurn({...state, queue}, prompt, state.now);
}

/** Takes the last prompt that was answered, and its answer, out of the conversation. */
export function dropLastTurn(
	state: ReplState,
): {readonly state: ReplState; readonly prompt: Prompt} | undefined {
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

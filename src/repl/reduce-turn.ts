/** The turns of a session: how they start, what their events change, and what they leave. */
import {
	applyChange,
	beginTurn,
	type ConversationChange,
	hasAnswer,
	type Turn,
} from '../chat/conversation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import {print, printAbove, sequence, sequenceEach, type Update, update} from './action.ts';
import {advanceTurn, createLiveTurn, type TurnEnd} from './live-turn.ts';
import {reportUnread} from './servers.ts';
import {restorePrompt} from './session-prompt.ts';
import type {QueuedPrompt, ReplState, TranscriptEntry} from './state.ts';
import {openCallEntries} from './turn-entries.ts';

/** Changes the conversation, and reports the change. */
export function changeConversation(state: ReplState, change: ConversationChange): Update {
	const conversation = applyChange(state.conversation, change);
	return update({...state, conversation}, {type: 'conversation-changed', change});
}

/** Switches to another conversation, in which no turn is private yet. */
export function switchConversation(
	state: ReplState,
	change: Extract<ConversationChange, {type: 'turns-cleared' | 'replaced'}>,
): Update {
	const {state: next, effects} = changeConversation(state, change);
	const privateFrom = state.privateFrom && next.conversation.turns;
	return update({...next, privateFrom}, ...effects);
}

export function startTurn(
	state: ReplState,
	{text, folds, attachments, origin}: QueuedPrompt,
): Update {
	const {now, date, nextTurnId, origins} = state;
	const prompt = {text, folds, attachments};
	const options = withOptions(state.options, origin?.settings.options);
	const turn = {id: nextTurnId, prompt, model: options.model, startedAt: date};
	const conversation = beginTurn(state.conversation, turn, now);
	const {system = conversation.system} = origin?.settings ?? {};
	const reported = reportUnread(state);
	return update(
		{
			...reported.state,
			conversation,
			origins: origin === undefined ? origins : new Map(origins).set(turn.id, origin),
			turn: createLiveTurn(now),
			isReasoningOpen: false,
			isQueueHeld: false,
		},
		{type: 'conversation-changed', change: {type: 'turn-started', turn, now}},
		print({type: 'prompt', prompt}),
		...reported.effects,
		{type: 'start-turn', conversation: {...conversation, system}, options},
	);
}

/** Returns the options with those of a template, which win; other fields of the request stay. */
export function withOptions(
	options: ChatOptions,
	{extraFields, fieldSources, ...chosen}: Partial<ChatOptions> = {},
): ChatOptions {
	return {
		...options,
		...chosen,
		...(extraFields && {extraFields: {...options.extraFields, ...extraFields}}),
		...(fieldSources && {fieldSources: {...options.fieldSources, ...fieldSources}}),
	};
}

export function reduceEvents(state: ReplState, events: readonly ChatEvent[]): Update {
	if (state.turn === undefined) return update(state);
	const {now} = state;
	const end = events.findIndex(({type}) => type === 'turn-end' || type === 'error');
	const progress = end === -1 ? events : events.slice(0, end);
	const change = {type: 'turn-advanced', events: progress, now} as const;
	return sequence(
		state,
		(current) =>
			progress.length === 0
				? update(current)
				: update(current, {type: 'conversation-changed', change}),
		(current) => sequenceEach(current, events, reduceEvent),
	);
}

function reduceEvent(state: ReplState, event: ChatEvent): Update {
	const {conversation: before} = state;
	if (state.turn === undefined || before.open === undefined) return update(state);
	const {conversation, turn, above, entries, end} = advanceTurn(state, state.turn, event);
	const prints = above.map(printAbove);
	if (end === undefined) {
		return update({...state, conversation, turn}, ...prints, ...entries.map(print));
	}
	const ended = endTurn(state, promptOfTurn(state, before.open), end);
	const change = {type: 'turn-ended', id: before.open.id, turn: end.turn} as const;
	const isComplete = end.error === undefined && isAnswered(end);
	const all = [
		...entries,
		...(isComplete ? openCallEntries(before) : []),
		...describeEnd(state, end),
	];
	return sequence(
		{...ended, conversation},
		(current) =>
			update(current, {type: 'conversation-changed', change}, ...prints, ...all.map(print)),
		sendNext,
	);
}

/**
 * Ends a turn. A prompt without an answer returns to the editor. Unless the answer is complete and
 * was not stopped, queued prompts are held: the user may no longer want them.
 */
function endTurn(state: ReplState, prompt: QueuedPrompt, end: TurnEnd): ReplState {
	const isStopped = end.error !== undefined || !isAnswered(end) || state.turn?.phase === 'stopping';
	return {
		...(isAnswered(end) ? state : restorePrompt(state, prompt)),
		turn: undefined,
		dialog: undefined,
		isQueueHeld: isStopped && state.queue.length > 0,
	};
}

function isAnswered({turn}: TurnEnd): boolean {
	return turn !== undefined && hasAnswer(turn);
}

function describeEnd({isClosing}: ReplState, end: TurnEnd): readonly TranscriptEntry[] {
	const {error} = end;
	if (error === undefined) return [];
	if (error.kind !== 'interrupted') {
		const next = isAnswered(end) ? '/retry asks again' : 'Enter asks again';
		return [{type: 'error', error, next: isClosing ? undefined : next}];
	}
	if (isAnswered(end)) return [];
	const text = isClosing ? 'interrupted' : 'interrupted; the prompt is the draft again';
	return [{type: 'notice', text}];
}

/** Sends the first of the queued prompts, unless they have to wait. */
export function sendNext(state: ReplState): Update {
	const {turn, isQueueHeld, isOpening, isClosing} = state;
	const [prompt, ...queue] = state.queue;
	if (prompt === undefined || isIncomplete(prompt)) return update(state);
	if (turn !== undefined || isQueueHeld || isOpening || isClosing) return update(state);
	return startTurn({...state, queue}, prompt);
}

/** Whether an idle session waits for what a queued prompt needs, such as a server that is starting. */
export function isPreparing({turn, queue}: ReplState): boolean {
	return turn === undefined && queue.some(isIncomplete);
}

/** Whether files or a template are still being read for it. */
function isIncomplete({mentions, call}: QueuedPrompt): boolean {
	return mentions !== undefined || call !== undefined;
}

/** Returns the prompt of a turn with the template call that it was made of. */
export function promptOfTurn(
	{origins}: ReplState,
	{id, prompt}: Pick<Turn, 'id' | 'prompt'>,
): QueuedPrompt {
	const origin = origins.get(id);
	return origin === undefined ? prompt : {...prompt, origin};
}

/** @param at the turn after which the conversation continues; null is its start */
export function moveHead(state: ReplState, at: string | null): Update {
	return changeConversation({...state, isReasoningOpen: false}, {type: 'head-moved', at});
}

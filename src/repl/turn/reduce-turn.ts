/** REPL turns: how they start, what their events change, and what they leave. */
import {
	beginTurn,
	hasAnswer,
	isContinuable,
	resumeTurn,
	type Turn,
} from '../../chat/conversation.ts';
import type {ChatEvent} from '../../chat/event.ts';
import type {ChatOptions} from '../../chat/message.ts';
import {
	type Effect,
	print,
	printAbove,
	printNotice,
	sequence,
	type Update,
	update,
} from '../action.ts';
import {reportUnread} from '../commands/servers.ts';
import {askAfterRefusal, checkSize, mayExceed, type WindowAnswer} from '../compact/check-window.ts';
import {omitTurns, startCompaction} from '../compact/start-compaction.ts';
import {typedIn} from '../editor/prompt-text.ts';
import {showNotice} from '../popup.ts';
import type {QueuedPrompt, ReplState, TranscriptEntry} from '../state.ts';
import {isBusy} from '../task.ts';
import {moveHead} from './change-conversation.ts';
import {nextStep, withNext} from './describe-end.ts';
import {advanceTurn, createLiveTurn, type TurnEnd} from './live-turn.ts';
import {promptOfTurn} from './prompt-edit.ts';
import {lineOfPrompt, restorePrompt} from './prompts.ts';
import {callsOf, numbersOf, resumedText, showTurns} from './shown-turns.ts';
import {openCallEntries} from './turn-entries.ts';

/** Starts a turn. A prompt replacing an earlier one moves the head before it. */
export function startTurn(state: ReplState, prompt: QueuedPrompt): Update {
	if (!hasModel(state, prompt)) return askForModel(state, prompt);
	if (mayExceed(state, prompt)) return checkSize(state, prompt, answerWindow);
	const first = state.conversation.turns.find(({id}) => id === prompt.replaces);
	if (first === undefined) return startNext({...state, replaced: undefined}, prompt);
	const isRetry = first === state.conversation.turns.at(-1) && first.prompt.text === prompt.text;
	const notices = isRetry ? [] : [printNotice(`back to "${lineOfPrompt(first.prompt)}"`)];
	return sequence(
		state,
		(current) => update(current, ...notices),
		(current) => startInPlaceOf(current, first, prompt),
	);
}

/** Goes on with a prompt whose size was checked. */
function answerWindow(state: ReplState, prompt: QueuedPrompt, answer: WindowAnswer): Update {
	const accepted = (current: ReplState) => startTurn(current, {...prompt, size: 'accepted'});
	if (answer === 'send') return accepted(state);
	if (typeof answer === 'object') return sequence(state, omitTurns(answer.omission), accepted);
	const {size: _, ...draft} = prompt;
	const isQueueHeld = state.queue.length > 0;
	const restored = restorePrompt({...state, isQueueHeld}, draft);
	return answer === 'compact' ? startCompaction(restored, '') : update(restored);
}

/** Starts a turn replacing another and its followers, which come back if it gets no answer. */
function startInPlaceOf(state: ReplState, first: Turn, prompt: QueuedPrompt): Update {
	const head = state.conversation.turns.at(-1);
	const replaced = head && {first: first.id, head: head.id};
	return sequence(
		state,
		(current) => goBefore({...current, replaced}, first),
		(current) => startNext(current, prompt),
	);
}

/** Whether a model is set: an unreadable model list leaves none. */
function hasModel({options}: ReplState, {origin}: QueuedPrompt): boolean {
	return withOptions(options, origin?.settings.options).model !== '';
}

function askForModel(state: ReplState, prompt: QueuedPrompt): Update {
	return showNotice(restorePrompt(state, prompt), 'no model is set; /model NAME sets one');
}

/** Moves the head to the turn before this one. */
export function goBefore(state: ReplState, turn: Turn): Update {
	const {turns} = state.conversation;
	return moveHead(state, turns[turns.indexOf(turn) - 1]?.id ?? null);
}

function startNext(state: ReplState, queued: QueuedPrompt): Update {
	const {now, date, nextTurnId, origins} = state;
	const {text, folds, attachments, origin} = queued;
	const prompt = {text, folds, attachments};
	const options = withOptions(state.options, origin?.settings.options);
	const turn = {id: nextTurnId, prompt, model: options.model, startedAt: date};
	const conversation = beginTurn(state.conversation, turn, now);
	const {system = conversation.system} = origin?.settings ?? {};
	const reported = reportUnread(state);
	const typed = typedIn(origin?.typed ?? queued);
	return update(
		{
			...reported.state,
			conversation,
			origins: origin === undefined ? origins : new Map(origins).set(turn.id, origin),
			turn: createLiveTurn(now, options.maxTokens),
			openFold: undefined,
			isQueueHeld: false,
		},
		{type: 'conversation-changed', change: {type: 'turn-started', turn, now, typed}},
		print({type: 'prompt', prompt}),
		...reported.effects,
		{type: 'start-turn', conversation: {...conversation, system}, options},
	);
}

/** Goes on with the last answer; undefined if it is not cut, or cannot go on. */
export function continueAnswer(state: ReplState): Update | undefined {
	const {now, origins, shown} = state;
	const conversation = resumeTurn(state.conversation, now);
	if (conversation === undefined) return undefined;
	const {id} = conversation.open;
	const {system = conversation.system, options: own} = origins.get(id)?.settings ?? {};
	const options = withOptions(state.options, own);
	const {length} = resumedText(conversation);
	return update(
		{
			...state,
			conversation,
			turn: createLiveTurn(now, options.maxTokens, length),
			// The turn is shown again, under its own numbers.
			shown: shown.at(-1)?.turn.id === id ? shown.slice(0, -1) : shown,
			openFold: undefined,
			isQueueHeld: false,
		},
		printNotice('the answer above goes on'),
		{type: 'conversation-changed', change: {type: 'turn-resumed', id, now}},
		{type: 'start-turn', conversation: {...conversation, system}, options},
	);
}

/** Returns the options overridden by a template's; other request fields stay. */
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
	const advanced = advanceTurn(state, state.turn, events, numbersOf(state.shown));
	const {conversation, turn, progress, above, below, end} = advanced;
	const change = {type: 'turn-advanced', events: progress, now: state.now} as const;
	const effects: readonly Effect[] = [
		...(progress.length === 0 ? [] : [{type: 'conversation-changed', change} as const]),
		...above.map(printAbove),
	];
	if (end === undefined) {
		return update({...state, conversation, turn}, ...effects, ...below.map(print));
	}
	const shown = showTurns(state.shown, end.turn === undefined ? [] : [end.turn]);
	const ended: ReplState = {...endTurn(state, end), conversation, shown, replaced: undefined};
	return sequence(
		ended,
		(current) => update(current, ...effects, ...effectsOfEnd(state, end, below)),
		(current) =>
			isAnswered(end)
				? update(current)
				: returnPrompt(current, promptOfTurn(state, end.open), state.replaced),
		(current) => (end.error?.details.isTooLong ? askAfterRefusal(current) : sendNext(current)),
	);
}

function effectsOfEnd(
	state: ReplState,
	end: TurnEnd,
	entries: readonly TranscriptEntry[],
): readonly Effect[] {
	const {open, turn, error} = end;
	const isComplete = error === undefined && isAnswered(end);
	const printed = [
		...markEnd(entries, state, end),
		...(isComplete ? openCallEntries(open, callsOf(state.shown).length) : []),
		...describeEnd(state, end),
	];
	const change = {type: 'turn-ended', id: open.id, turn} as const;
	return [{type: 'conversation-changed', change}, ...printed.map(print)];
}

/** Returns an unanswered prompt to the editor, and the turns it replaced to the conversation. */
function returnPrompt(
	state: ReplState,
	prompt: QueuedPrompt,
	replaced: ReplState['replaced'],
): Update {
	if (replaced === undefined) return update(restorePrompt(state, prompt));
	return sequence(
		state,
		(current) => moveHead(current, replaced.head),
		(current) =>
			update(
				restorePrompt(current, {...prompt, replaces: replaced.first}),
				printNotice('the replaced turns are back'),
			),
	);
}

/**
 * Ends a turn. Unless the answer is complete and was not stopped, queued prompts are held: the user may
 * no longer want them.
 */
function endTurn(state: ReplState, end: TurnEnd): ReplState {
	const isStopped = end.error !== undefined || !isAnswered(end) || state.turn?.phase === 'stopping';
	return {
		...state,
		turn: undefined,
		question: undefined,
		isQueueHeld: isStopped && state.queue.length > 0,
	};
}

function isAnswered({turn}: TurnEnd): boolean {
	return turn !== undefined && hasAnswer(turn);
}

function endingOf(end: TurnEnd) {
	const {turn} = end;
	return {isAnswered: isAnswered(end), isContinuable: turn !== undefined && isContinuable(turn)};
}

/** The failure itself marks the end of its answer. */
function markEnd(
	entries: readonly TranscriptEntry[],
	{isClosing, turn}: ReplState,
	end: TurnEnd,
): readonly TranscriptEntry[] {
	const last = entries.at(-1);
	if (last?.type !== 'truncation') return entries;
	const others = entries.slice(0, -1);
	if (last.reason === 'incomplete') return others;
	if (isClosing) return entries;
	return [...others, withNext(last, {...endingOf(end), maxTokens: turn?.maxTokens})];
}

function describeEnd({isClosing}: ReplState, end: TurnEnd): readonly TranscriptEntry[] {
	const {error} = end;
	if (error === undefined) return [];
	if (error.kind !== 'interrupted') {
		const next = nextStep(endingOf(end));
		return [{type: 'error', error, next: isClosing ? undefined : next}];
	}
	if (isAnswered(end)) return [];
	const text = isClosing ? 'interrupted' : 'interrupted; the prompt is the draft again';
	return [{type: 'notice', text}];
}

/** Sends the first queued prompt, unless it has to wait. */
export function sendNext(state: ReplState): Update {
	const {turn, isQueueHeld, isClosing} = state;
	const [prompt, ...queue] = state.queue;
	if (prompt === undefined || isIncomplete(prompt)) return update(state);
	if (turn !== undefined || isQueueHeld || isBusy(state) || isClosing) return update(state);
	return startTurn({...state, queue}, prompt);
}

/** Whether an idle REPL waits for a queued prompt's needs, such as a starting server. */
export function isPreparing({turn, queue}: ReplState): boolean {
	return turn === undefined && queue.some(isIncomplete);
}

/** Whether its files or template are still being read, or its size is checked. */
export function isIncomplete({mentions, call, size}: QueuedPrompt): boolean {
	return mentions !== undefined || call !== undefined || size === 'asked';
}

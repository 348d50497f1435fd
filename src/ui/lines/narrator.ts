/** Says what an action of a session has changed. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Action, Effect} from '../../repl/action.ts';
import {nameAttachments} from '../../repl/commands/attachment-commands.ts';
import {isEmpty} from '../../repl/editor/buffer.ts';
import type {ReplState, TranscriptEntry} from '../../repl/state.ts';
import {placeOfEdit} from '../../repl/turn/prompt-edit.ts';
import {displayPrompt, lineOfPrompt, promptOf} from '../../repl/turn/prompts.ts';
import {numbersOf} from '../../repl/turn/shown-turns.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';
import {isSpokenReason, type SpeechOptions, speakEntry} from './speak-entry.ts';
import {createSpokenTurn, type SpokenTurn} from './speak-turn.ts';

/** Returns the lines of an action, in order. */
type Narrate = (
	action: Action,
	state: ReplState,
	effects: readonly Effect[],
) => readonly SafeText[];

export function createNarrator(
	initial: ReplState,
	options: SpeechOptions,
	now: () => number,
): Narrate {
	let current = initial;
	let turn: SpokenTurn | undefined;
	/** The last line that the user has entered. */
	let typed = '';

	const speak = (entries: readonly TranscriptEntry[]) =>
		entries.flatMap((entry) => speakEntry(entry, options));
	const speakEvents = (action: Action): readonly SafeText[] => {
		if (action.type !== 'events' || turn === undefined) return [];
		const lines = turn.push(action.events, action.now);
		if (current.turn === undefined) turn = undefined;
		return lines;
	};
	const speakEffect = (effect: Effect, action: Action): readonly SafeText[] => {
		if (action.type === 'text-entered') typed = action.text;
		if (effect.type === 'print') {
			return speak(newIn(effect.entry, action, typed).map((entry) => withoutNext(entry, current)));
		}
		if (effect.type === 'start-turn') {
			const reasoningMode = () => current.reasoningMode;
			turn = createSpokenTurn({reasoningMode, numbers: numbersOf(current.shown), options});
		}
		return [];
	};
	return (action, state, effects) => {
		const before = current;
		current = state;
		const isAsked =
			state.question !== undefined && state.question.request !== before.question?.request;
		return [
			...speakEvents(action),
			...effects.flatMap((effect) => speakEffect(effect, action)),
			// The text before a question stays above it.
			...(isAsked ? (turn?.end(now()) ?? []) : []),
			...speak([
				...helpIn(before, state),
				...serversIn(before, state),
				...waitingIn(before, state, action, effects),
			]),
		];
	};
}

/** Returns what of an entry the user has not typed, and the spoken turn does not have. */
function newIn(entry: TranscriptEntry, action: Action, typed: string): readonly TranscriptEntry[] {
	const {type} = action;
	if (type === 'events' && isSpoken(entry)) return [];
	if (entry.type !== 'prompt' || displayPrompt(entry.prompt) !== typed) return [entry];
	if (type === 'text-entered') return [];
	if (type !== 'task-ended' || action.name !== 'prepare-prompt') return [entry];
	const files = nameAttachments(entry.prompt.attachments);
	return files === '' ? [] : [noticeOf(`sent with ${files}`)];
}

/** The note about a draft says how to send it. */
function withoutNext(entry: TranscriptEntry, {editor}: ReplState): TranscriptEntry {
	return entry.type === 'error' && !isEmpty(editor.buffer) ? {...entry, next: undefined} : entry;
}

/** Whether the spoken turn has it. */
function isSpoken(entry: TranscriptEntry): boolean {
	if (entry.type === 'truncation') return isSpokenReason(entry.reason);
	return entry.type === 'reasoning-summary' || entry.type === 'reasoning';
}

function noticeOf(text: string): TranscriptEntry {
	return {type: 'notice', text};
}

function helpIn(before: ReplState, {popup, armedKey}: ReplState): readonly TranscriptEntry[] {
	const isArmed = armedKey !== undefined && before.armedKey === undefined;
	return [
		...(popup === undefined || popup === before.popup ? [] : [popup.entry]),
		...(isArmed ? [noticeOf(`press ${armedKey} again to exit`)] : []),
	];
}

/** Returns which servers start, and which of those that were unknown are ready. */
function serversIn(before: ReplState, state: ReplState): readonly TranscriptEntry[] {
	if (state.servers === before.servers) return [];
	return state.servers.flatMap(({name, state: current, isRead}) => {
		const old = before.servers.find((server) => server.name === name);
		if (current === 'starting' && old?.state !== 'starting') {
			return [noticeOf(`starting the server ${name}`)];
		}
		return isRead && old?.isRead === false ? [noticeOf(`the server ${name} is ready`)] : [];
	});
}

/** Returns what waits to be sent, if that has changed. */
function waitingIn(
	before: ReplState,
	state: ReplState,
	action: Action,
	effects: readonly Effect[],
): readonly TranscriptEntry[] {
	const {queue, editor, isQueueHeld, turn} = state;
	const isQueued = turn !== undefined && queue.length > before.queue.length;
	const queued = isQueued ? [noticeOf('queued')] : [];
	if (action.type === 'keys' && isEmpty(editor.buffer) && !isEmpty(before.editor.buffer)) {
		return [
			noticeOf(before.editing === undefined ? 'the draft is dropped' : 'the prompt is as it was'),
		];
	}
	const made = effects.find((effect) => effect.type === 'draft-made');
	if (made !== undefined) return [...queued, wholeDraft(made.prompt)];
	if (editor.buffer !== before.editor.buffer && !isEmpty(editor.buffer)) {
		return [...queued, ...draftIn(state)];
	}
	if (!isQueueHeld || before.isQueueHeld) return queued;
	const text = `${plural(queue.length, 'queued prompt')} held; an empty line sends the first`;
	return [...queued, noticeOf(text)];
}

/** Returns all of a draft that somebody else has written, as it will be sent. */
function wholeDraft({text, attachments}: Prompt): TranscriptEntry {
	const files = attachments.length === 0 ? '' : `, with ${nameAttachments(attachments)}`;
	const title = `an empty line sends this draft${files}, another line replaces it:`;
	const lines = text.split('\n').map((line) => ({label: 'draft', text: line}));
	return {type: 'dialog', title, lines};
}

/** Returns the note about a draft, if there is one. */
export function draftIn({editor, attachments, editing}: ReplState): readonly TranscriptEntry[] {
	if (isEmpty(editor.buffer)) return [];
	const draft = lineOfPrompt(promptOf(editor.buffer, attachments));
	if (editing !== undefined) {
		const {place, replaced} = placeOfEdit(editor);
		const keys = `an empty line sends it in place of ${replaced}, another line replaces it, Ctrl-C leaves it`;
		return [noticeOf(`editing prompt ${place}; ${keys}: ${draft}`)];
	}
	return [noticeOf(`an empty line sends this draft, another line replaces it: ${draft}`)];
}

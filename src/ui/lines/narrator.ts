/** Says what an action of the REPL has changed, besides what it prints. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Action, Effect} from '../../repl/action.ts';
import {nameAttachments} from '../../repl/commands/attachment-commands.ts';
import {isEmpty} from '../../repl/editor/buffer.ts';
import type {ReplState, TranscriptEntry} from '../../repl/state.ts';
import {placeOfEdit} from '../../repl/turn/prompt-edit.ts';
import {displayPrompt, lineOfPrompt, promptOf} from '../../repl/turn/prompts.ts';
import {plural} from '../../wording.ts';

export interface Narrator {
	/** Returns the entry without what the user has typed. */
	leaveOutTyped(
		entry: TranscriptEntry,
		state: ReplState,
		cause: Action | undefined,
	): readonly TranscriptEntry[];
	hear(effect: Effect): void;
	/** Returns entries about the state since the last call; none at the first one. */
	narrate(state: ReplState, cause: Action | undefined): readonly TranscriptEntry[];
}

export function createNarrator(): Narrator {
	let before: ReplState | undefined;
	/** The last line that the user has entered. */
	let typed = '';
	/** A draft that somebody else has written. */
	let made: Prompt | undefined;
	const hearLine = (cause: Action | undefined) => {
		if (cause?.type === 'text-entered') typed = cause.text;
	};
	return {
		leaveOutTyped(entry, state, cause) {
			hearLine(cause);
			return newIn(entry, cause, typed).map((left) => withoutNext(left, state));
		},
		hear(effect) {
			if (effect.type === 'draft-made') made = effect.prompt;
		},
		narrate(state, cause) {
			hearLine(cause);
			const old = before ?? state;
			const draft = made;
			before = state;
			made = undefined;
			return [
				...helpIn(old, state),
				...serversIn(old, state),
				...waitingIn(old, state, cause, draft),
			];
		},
	};
}

/** Returns what of an entry the user has not typed. */
function newIn(
	entry: TranscriptEntry,
	cause: Action | undefined,
	typed: string,
): readonly TranscriptEntry[] {
	if (entry.type !== 'prompt' || displayPrompt(entry.prompt) !== typed) return [entry];
	if (cause?.type === 'text-entered') return [];
	if (cause?.type !== 'task-ended' || cause.name !== 'prepare-prompt') return [entry];
	const files = nameAttachments(entry.prompt.attachments);
	return files === '' ? [] : [noticeOf(`sent with ${files}`)];
}

/** The note about a draft says how to send it. */
function withoutNext(entry: TranscriptEntry, {editor}: ReplState): TranscriptEntry {
	return entry.type === 'error' && !isEmpty(editor.buffer) ? {...entry, next: undefined} : entry;
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
	cause: Action | undefined,
	made: Prompt | undefined,
): readonly TranscriptEntry[] {
	const {queue, editor, isQueueHeld, turn} = state;
	const isQueued = turn !== undefined && queue.length > before.queue.length;
	const queued = isQueued ? [noticeOf('queued')] : [];
	if (cause?.type === 'keys' && isEmpty(editor.buffer) && !isEmpty(before.editor.buffer)) {
		return [
			noticeOf(before.editing === undefined ? 'the draft is dropped' : 'the prompt is as it was'),
		];
	}
	if (made !== undefined) return [...queued, wholeDraft(made)];
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
	return {type: 'question', title, lines};
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

/** Tells what a REPL action has changed, besides its own output. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Action} from '../../repl/action.ts';
import {nameAttachments} from '../../repl/commands/attachment-commands.ts';
import {describeSummary} from '../../repl/compact/start-compaction.ts';
import {expand, isEmpty} from '../../repl/editor/buffer.ts';
import type {ReplState, TranscriptEntry} from '../../repl/state.ts';
import {compactTask} from '../../repl/task.ts';
import {placeOfEdit} from '../../repl/turn/prompt-edit.ts';
import {displayPrompt, lineOfPrompt, promptOf} from '../../repl/turn/prompts.ts';
import {plural} from '../../wording.ts';

/** Returns entries about changes; `made` is a draft written by somebody else. */
export function narrate(
	before: ReplState,
	state: ReplState,
	cause: Action | undefined,
	made: Prompt | undefined,
): readonly TranscriptEntry[] {
	return [
		...helpIn(before, state),
		...serversIn(before, state),
		...summaryIn(before, state),
		...waitingIn(before, state, cause, made),
	];
}

/**
 * Returns the entry without the user's own typing.
 *
 * @param typed the last line entered
 */
export function leaveOutTyped(
	entry: TranscriptEntry,
	{editor}: ReplState,
	cause: Action | undefined,
	typed: string,
): readonly TranscriptEntry[] {
	// The note about a draft tells how to send it.
	if (entry.type === 'error' && !isEmpty(editor.buffer)) return [{...entry, next: undefined}];
	if (entry.type !== 'prompt' || displayPrompt(entry.prompt) !== typed) return [entry];
	if (cause?.type === 'text-entered') return [];
	if (cause?.type !== 'task-ended' || cause.name !== 'prepare-prompt') return [entry];
	const files = nameAttachments(entry.prompt.attachments);
	return files === '' ? [] : [noticeOf(`sent with ${files}`)];
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

/** Returns the servers starting, and those unknown before and now ready. */
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

function summaryIn({tasks}: ReplState, state: ReplState): readonly TranscriptEntry[] {
	const isStarted = state.tasks.includes(compactTask) && !tasks.includes(compactTask);
	return isStarted ? [noticeOf('writing a summary; Ctrl-C stops it')] : [];
}

/** Returns the input waiting to be sent, if changed. */
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

/** Returns all of somebody else's draft, as it will be sent. */
function wholeDraft({text, attachments}: Prompt): TranscriptEntry {
	const files = attachments.length === 0 ? '' : `, with ${nameAttachments(attachments)}`;
	const title = `an empty line sends this draft${files}, another line replaces it:`;
	return linesOfDraft(title, text);
}

function linesOfDraft(title: string, text: string): TranscriptEntry {
	const lines = text.split('\n').map((line) => ({label: 'draft', text: line}));
	return {type: 'question', title, lines};
}

/** Returns the note about a draft, if there is one. */
export function draftIn(state: ReplState): readonly TranscriptEntry[] {
	const {editor, attachments, editing} = state;
	if (isEmpty(editor.buffer)) return [];
	const draft = lineOfPrompt(promptOf(editor.buffer, attachments));
	if (editing?.summary !== undefined) {
		const told = describeSummary(editing.summary, state);
		const title = `this summary ${told}; an empty line applies it, another line replaces it, Ctrl-C drops it:`;
		return [linesOfDraft(title, expand(editor.buffer))];
	}
	if (editing !== undefined) {
		const {place, replaced} = placeOfEdit(editor);
		const keys = `an empty line sends it instead of ${replaced}, another line replaces it, Ctrl-C leaves it`;
		return [noticeOf(`editing prompt ${place}; ${keys}: ${draft}`)];
	}
	return [noticeOf(`an empty line sends this draft, another line replaces it: ${draft}`)];
}

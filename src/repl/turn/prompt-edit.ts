/**
 * Editing an earlier prompt: it is shown in place of the draft, and only sending it changes the
 * conversation. Meanwhile the history has the conversation's prompts.
 */
import type {Turn} from '../../chat/conversation.ts';
import type {Prompt} from '../../chat/prompt.ts';
import {type Update, update} from '../action.ts';
import {type EditorBuffer, isEmpty} from '../editor/buffer.ts';
import {
	changedEntries,
	type Editor,
	recallNewer,
	recallOlder,
	showEntryOf,
	withNewer,
} from '../editor/history.ts';
import {textOfBuffer} from '../editor/prompt-text.ts';
import {showNotice} from '../popup.ts';
import type {QueuedPrompt, ReplState} from '../state.ts';
import {isOpening} from '../task.ts';

/** Returns a turn's prompt, or the template call behind it. */
export function promptOfTurn(
	{origins}: ReplState,
	{id, prompt}: Pick<Turn, 'id' | 'prompt'>,
): QueuedPrompt {
	const origin = origins.get(id);
	return origin === undefined ? prompt : {...prompt, origin};
}

/** Returns the prompt's attachments without a chip in the editor. */
export function looseAttachments(
	{attachments}: Prompt,
	buffer: EditorBuffer,
): Prompt['attachments'] {
	const inText = new Set(textOfBuffer(buffer).attachments);
	return attachments.filter((attachment) => !inText.has(attachment));
}

/** Shows a turn's prompt, by index. */
export function beginEdit(state: ReplState, index: number): ReplState {
	const {turns} = state.conversation;
	const {editor, attachments} = state.editing ?? state;
	const prompts = turns.map((turn) => {
		const {origin, ...made} = promptOfTurn(state, turn);
		return origin?.typed ?? made;
	});
	const turnIds = turns.map(({id}) => id);
	return withAttachments({
		...state,
		editing: {turnIds, editor, attachments},
		editor: {...showEntryOf(editor, prompts, index), vi: state.editor.vi},
	});
}

/** Shows the prompt before or after; after the last one, leaves. */
export function moveEdit(state: ReplState, step: -1 | 1): Update {
	const {editor, editing} = state;
	if (editing?.summary !== undefined) return update(state);
	const moved = step === -1 ? recallOlder(editor) : recallNewer(editor);
	const isLast = moved.history.index === moved.history.entries.length;
	if (isLast) return leaveEdit(state);
	return update(moved === editor ? state : withAttachments({...state, editor: moved}));
}

function withAttachments(state: ReplState): ReplState {
	const {history, buffer} = state.editor;
	const entry = history.entries[history.index];
	return entry === undefined ? state : {...state, attachments: looseAttachments(entry, buffer)};
}

/** Puts the draft back. A changed prompt goes to the history. */
export function leaveEdit(state: ReplState): Update {
	const changed = changedEntries(state.editor);
	const left = withoutEdit(state);
	if (changed.length === 0) return update(left);
	return showNotice(left, 'Up brings the changed prompt back');
}

/** Ends the change as `leaveEdit` does, without a notice. */
export function withoutEdit(state: ReplState): ReplState {
	const {editing, editor} = state;
	if (editing === undefined) return state;
	const {vi, kills} = editor;
	const added = editing.summary === undefined ? changedEntries(editor) : [];
	return {
		...state,
		editing: undefined,
		attachments: editing.attachments,
		editor: {...withNewer(editing.editor, added), vi, kills},
	};
}

/** Ends the change, and keeps the text in the editor, to be sent. */
export function endEdit(state: ReplState): ReplState {
	const left = withoutEdit(state);
	return {...left, editor: {...left.editor, buffer: state.editor.buffer}};
}

/** Returns the prompt's position, and the replaced prompts: `2 of 5`, `2–5`. */
export function placeOfEdit({history: {entries, index}}: Editor): {
	readonly place: string;
	readonly replaced: string;
} {
	const [number, last] = [index + 1, entries.length];
	return {
		place: `${number} of ${last}`,
		replaced: number === last ? String(last) : `${number}–${last}`,
	};
}

/** Returns the turn replaced by the editor's text. */
export function turnInEdit({editing, editor, conversation}: ReplState): Turn | undefined {
	const id = editing?.turnIds[editor.history.index];
	return conversation.turns.find((turn) => turn.id === id);
}

/** Whether pressing Esc twice can show an earlier prompt. */
export function canGoBack(state: ReplState): boolean {
	const {editor, conversation} = state;
	return isEmpty(editor.buffer) && conversation.turns.length > 0 && !isOpening(state);
}

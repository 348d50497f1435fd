/** Prompts: from the editor to plain data, and back. */
import type {Attachment, Prompt} from '../../chat/prompt.ts';
import type {ChatError} from '../../errors.ts';
import {shorten} from '../../wording.ts';
import {type Update, update} from '../action.ts';
import {nameAttachments, withAttachment, withNew} from '../commands/attachment-commands.ts';
import {type EditorBuffer, emptyBuffer} from '../editor/buffer.ts';
import {changeText} from '../editor/change-editor.ts';
import {cleanText, prependBuffer} from '../editor/edit.ts';
import {bufferOfText, changeDraft, piecesOf, textOfBuffer} from '../editor/prompt-text.ts';
import {unescapeMentions} from '../list/mentions.ts';
import {showNotice} from '../popup.ts';
import type {QueuedPrompt, ReplState} from '../state.ts';
import {startTask} from '../task.ts';
import {beginEdit, looseAttachments, withoutEdit} from './prompt-edit.ts';

export function promptOf(draft: EditorBuffer, attachments: readonly Attachment[]): Prompt {
	const lines = draft.lines.map(unescapeMentions);
	const prompt = textOfBuffer({...draft, lines});
	return {...prompt, attachments: attachments.reduce(withNew, prompt.attachments)};
}

/** Returns the text to show, with long pastes folded. */
export function displayPrompt(prompt: Prompt): string {
	return piecesOf(prompt)
		.map((piece) => (typeof piece === 'string' ? cleanText(piece) : piece.label))
		.join('');
}

const titleLength = 200;

/** Returns the prompt in one line, or its attachments if it has no text. */
export function lineOfPrompt(prompt: Prompt): string {
	const line = displayPrompt(prompt).replace(/\s+/g, ' ').trim();
	return shorten(line === '' ? nameAttachments(prompt.attachments) : line, titleLength);
}

/** Sending a draft to an editor and back is one change. */
const editing = 'edit';

/** Takes the draft out of the prompt, and opens it in an editor. */
export function editDraft(state: ReplState): Update {
	const {editor} = state;
	const emptied = changeText({...editor, lastChange: undefined}, () => emptyBuffer, editing);
	const draft = textOfBuffer(editor.buffer);
	return startTask(
		{...state, editor: emptied},
		{
			name: 'edit-draft',
			hasTerminal: true,
			run: ({editText}) => editText(draft.text),
			done: (current, text) =>
				returnDraft(current, text === draft.text ? draft : changeDraft(draft, text)),
			fail: (current, error) => returnDraft(current, draft, error),
		},
	);
}

/** Puts the draft back, below a prompt returned meanwhile. */
export function returnDraft(state: ReplState, draft: Prompt, error?: ChatError): Update {
	const written = bufferOfText(draft);
	const editor = changeText(state.editor, (buffer) => prependBuffer(buffer, written), editing);
	const returned = {...state, editor};
	if (error === undefined) return update(returned);
	return showNotice(returned, `${error.message}; the draft is as it was`);
}

/**
 * Puts a prompt and its attachments back, before newer ones; a template call as typed. One
 * replacing an earlier prompt is shown so again.
 */
export function restorePrompt(state: ReplState, {origin, ...made}: QueuedPrompt): ReplState {
	const prompt = origin?.typed ?? made;
	const restored = bufferOfText(prompt);
	const attachments = looseAttachments(prompt, restored);
	const left = withoutEdit(state);
	const index = left.conversation.turns.findIndex(({id}) => id === made.replaces);
	if (index !== -1) {
		const shown = beginEdit(left, index);
		return {...shown, editor: changeText(shown.editor, () => restored), attachments};
	}
	return {
		...left,
		editor: changeText(left.editor, (buffer) => prependBuffer(restored, buffer)),
		attachments: left.attachments.reduce(withAttachment, attachments),
	};
}

/** The prompts of a session: from the editor to plain data, and back. */
import type {Attachment, Prompt} from '../chat/prompt.ts';
import {shorten} from '../wording.ts';
import {nameAttachments, withAttachment} from './attachment-commands.ts';
import type {EditorBuffer} from './editor/buffer.ts';
import {cleanText, prependBuffer} from './editor/edit.ts';
import {bufferOfText, piecesOf, textOfBuffer} from './editor/prompt-text.ts';
import {changeText} from './editor/undo.ts';
import type {ReplState} from './state.ts';

export function promptOf(draft: EditorBuffer, attachments: readonly Attachment[]): Prompt {
	return {...textOfBuffer(draft), attachments};
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

/** Puts a prompt and its attachments back, before newer ones. */
export function restorePrompt(state: ReplState, prompt: Prompt): ReplState {
	const restored = bufferOfText(prompt);
	return {
		...state,
		editor: changeText(state.editor, (buffer) => prependBuffer(restored, buffer)),
		attachments: state.attachments.reduce(withAttachment, prompt.attachments),
	};
}

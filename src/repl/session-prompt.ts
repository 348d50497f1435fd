/** The prompts of a session: from the editor to the message, and back. */
import type {UserMessage} from '../chat/message.ts';
import {buildPrompt} from '../input/build-prompt.ts';
import {withAttachment} from './attachment-commands.ts';
import {describe, type EditorBuffer, emptyBuffer, expand} from './editor/buffer.ts';
import {insertPaste, prependBuffer} from './editor/edit.ts';
import type {Attachment, ReplState, SessionPrompt} from './state.ts';

/** Creates a prompt that was not written in the editor. */
export function createPrompt(text: string, attachments: readonly Attachment[] = []): SessionPrompt {
	return {text, draft: insertPaste(emptyBuffer, text), attachments};
}

export function promptOf(draft: EditorBuffer, attachments: readonly Attachment[]): SessionPrompt {
	return {text: expand(draft), draft, attachments};
}

/** Returns the text to show, with long pastes folded. */
export function displayPrompt({draft}: SessionPrompt): string {
	return describe(draft);
}

export function toMessage({text, attachments}: SessionPrompt): UserMessage {
	const files = attachments.filter((attachment) => attachment.type === 'file');
	const images = attachments.filter((attachment) => attachment.type === 'image');
	return buildPrompt({files, text, images});
}

/** Puts a prompt and its attachments back, before newer ones. */
export function restorePrompt(state: ReplState, {draft, attachments}: SessionPrompt): ReplState {
	const {editor} = state;
	return {
		...state,
		editor: {...editor, buffer: prependBuffer(draft, editor.buffer)},
		attachments: state.attachments.reduce(withAttachment, attachments),
	};
}

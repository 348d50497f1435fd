/** The prompts of a session: from the editor to plain data, and back. */
import type {Attachment, Fold, Prompt} from '../chat/prompt.ts';
import {withAttachment} from './attachment-commands.ts';
import {type EditorBuffer, emptyBuffer} from './editor/buffer.ts';
import {cleanText, insertPaste, insertText, prependBuffer} from './editor/edit.ts';
import {foldPaste, type PastePlaceholder, splitAtPastes} from './editor/paste-placeholder.ts';
import type {ReplState} from './state.ts';

export function promptOf(draft: EditorBuffer, attachments: readonly Attachment[]): Prompt {
	let text = '';
	const folds: Fold[] = [];
	for (const piece of splitAtPastes(draft.lines.join('\n'), draft.pastes)) {
		const from = text.length;
		text += typeof piece === 'string' ? piece : piece.text;
		if (typeof piece !== 'string') folds.push({from, to: text.length, label: piece.label});
	}
	return {text, attachments, folds};
}

/** Returns the text to show, with long pastes folded. */
export function displayPrompt(prompt: Prompt): string {
	return piecesOf(prompt)
		.map((piece) => (typeof piece === 'string' ? cleanText(piece) : piece.label))
		.join('');
}

/** Puts a prompt and its attachments back, before newer ones. */
export function restorePrompt(state: ReplState, prompt: Prompt): ReplState {
	const {editor} = state;
	return {
		...state,
		editor: {...editor, buffer: prependBuffer(draftOf(prompt), editor.buffer)},
		attachments: state.attachments.reduce(withAttachment, prompt.attachments),
	};
}

function draftOf(prompt: Prompt): EditorBuffer {
	return piecesOf(prompt).reduce<EditorBuffer>(
		(buffer, piece) =>
			typeof piece === 'string' ? insertText(buffer, piece) : insertPaste(buffer, piece.text),
		emptyBuffer,
	);
}

function piecesOf({text, folds}: Prompt): ReadonlyArray<string | PastePlaceholder> {
	if (folds === undefined) return [foldPaste(cleanText(text), []) ?? text];
	let end = 0;
	const pieces = folds.flatMap(({from, to, label}) => {
		const before = text.slice(end, from);
		end = to;
		return [before, {label, text: text.slice(from, to)}];
	});
	return [...pieces, text.slice(end)];
}

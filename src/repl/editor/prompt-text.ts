/** The text of the editor as plain data, and back. */
import type {Fold, PromptText} from '../../chat/prompt.ts';
import {type EditorBuffer, emptyBuffer} from './buffer.ts';
import {cleanText, insertPaste, insertText} from './edit.ts';
import {foldPaste, type PastePlaceholder, splitAtPastes} from './paste-placeholder.ts';

export function textOfBuffer({lines, pastes}: EditorBuffer): PromptText {
	let text = '';
	const folds: Fold[] = [];
	for (const piece of splitAtPastes(lines.join('\n'), pastes)) {
		const from = text.length;
		text += typeof piece === 'string' ? piece : piece.text;
		if (typeof piece !== 'string') folds.push({from, to: text.length, label: piece.label});
	}
	return {text, folds};
}

/** Returns a buffer with the cursor at the end of the text. */
export function bufferOfText(text: PromptText): EditorBuffer {
	return piecesOf(text).reduce<EditorBuffer>(
		(buffer, piece) =>
			typeof piece === 'string' ? insertText(buffer, piece) : insertPaste(buffer, piece.text),
		emptyBuffer,
	);
}

/** Splits a text into its long pastes and the text between them. */
export function piecesOf({text, folds}: PromptText): ReadonlyArray<string | PastePlaceholder> {
	if (folds === undefined) return [foldPaste(cleanText(text), []) ?? text];
	let end = 0;
	const pieces = folds.flatMap(({from, to, label}) => {
		const before = text.slice(end, from);
		end = to;
		return [before, {label, text: text.slice(from, to)}];
	});
	return [...pieces, text.slice(end)];
}

/** The text of the editor as plain data, and back. */
import type {Draft, Fold, Prompt, PromptText} from '../../chat/prompt.ts';
import {type EditorBuffer, emptyBuffer} from './buffer.ts';
import {cleanText, insertPiece} from './edit.ts';
import {foldPaste, type PastePlaceholder, pasteOf, splitAtPastes} from './paste-placeholder.ts';

/** Returns the text, with the attachments of its chips in the order of their numbers. */
export function textOfBuffer({lines, pastes}: EditorBuffer): Prompt {
	const pieces = splitAtPastes(lines.join('\n'), pastes);
	const shown = new Set(pieces);
	const chips = pastes.filter((paste) => shown.has(paste));
	const attachments = [...new Set(chips.flatMap((chip) => chip.attachments ?? []))];
	let text = '';
	const folds: Fold[] = [];
	for (const piece of pieces) {
		const from = text.length;
		text += typeof piece === 'string' ? piece : piece.text;
		if (typeof piece !== 'string') folds.push(foldOf(piece, from, attachments));
	}
	return {text, folds, attachments};
}

function foldOf(
	{label, text, attachments}: PastePlaceholder,
	from: number,
	all: Prompt['attachments'],
): Fold {
	const fold = {from, to: from + text.length, label};
	return attachments === undefined
		? fold
		: {...fold, attachments: attachments.map((attachment) => all.indexOf(attachment))};
}

/** Returns a buffer with the cursor at the end of the text. */
export function bufferOfText(draft: Draft): EditorBuffer {
	return piecesOf(draft).reduce<EditorBuffer>(insertPiece, emptyBuffer);
}

/** Returns the text of a draft alone, for places that keep no attachments. */
export function withoutChips(draft: Draft): PromptText {
	const buffer = bufferOfText(draft);
	const text = buffer.lines.join('\n').replace(/([\u0080-\u009f]) ?/gu, (whole, mark: string) => {
		const isChip = pasteOf(mark, buffer.pastes)?.attachments !== undefined;
		return isChip ? '' : whole;
	});
	const {folds, ...rest} = textOfBuffer({...buffer, lines: text.split('\n')});
	return {text: rest.text, folds};
}

/** Finds the chips of a draft in the text that was made of it. */
export function changeDraft(draft: Draft, text: string): Draft {
	const folds = (draft.folds ?? []).flatMap((fold) => {
		const from = fold.attachments === undefined ? -1 : text.indexOf(fold.label);
		return from === -1 ? [] : [{...fold, from, to: from + fold.label.length}];
	});
	return {...draft, text, folds: folds.sort((one, other) => one.from - other.from)};
}

/** Splits a text into its long pastes, its chips, and the text between them. */
export function piecesOf(draft: Draft): ReadonlyArray<string | PastePlaceholder> {
	const {text, folds} = draft;
	if (folds === undefined) return [foldPaste(cleanText(text), []) ?? text];
	let end = 0;
	const pieces = folds.flatMap((fold) => {
		const before = text.slice(end, fold.from);
		end = fold.to;
		return [before, placeholderOf(fold, draft)];
	});
	return [...pieces, text.slice(end)];
}

/** Returns the attachments that no chip stands for. */
export function looseAttachments({attachments = [], folds = []}: Draft): Prompt['attachments'] {
	const linked = new Set(folds.flatMap((fold) => fold.attachments ?? []));
	return attachments.filter((_, index) => !linked.has(index));
}

function placeholderOf(fold: Fold, {text, attachments = []}: Draft): PastePlaceholder {
	const {from, to, label} = fold;
	const linked = fold.attachments?.flatMap((index) => attachments[index] ?? []) ?? [];
	const folded = {label, text: text.slice(from, to)};
	return linked.length === 0 ? folded : {...folded, attachments: linked};
}

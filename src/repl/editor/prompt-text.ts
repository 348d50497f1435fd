/** Converts editor text to plain data, and back. */
import type {Fold, Prompt, Typed} from '../../chat/prompt.ts';
import {type EditorBuffer, emptyBuffer} from './buffer.ts';
import {cleanText, cleanTyped, insertPiece} from './edit.ts';
import {
	foldPaste,
	isMention,
	type PastePlaceholder,
	pasteOf,
	splitAtPastes,
} from './paste-placeholder.ts';
import {findSigns, placeSigns, showSigns, signs} from './signs.ts';

/** Returns the text, with its chips' attachments in numerical order. */
export function textOfBuffer({lines, pastes}: EditorBuffer): Prompt {
	const pieces = splitAtPastes(lines.join('\n'), pastes);
	const shown = new Set(pieces);
	const chips = pastes.filter((paste) => shown.has(paste));
	const attachments = [...new Set(chips.flatMap((chip) => chip.attachments ?? []))];
	let text = '';
	const folds: Fold[] = [];
	const offsets: number[] = [];
	for (const piece of pieces) {
		const from = text.length;
		if (typeof piece === 'string') {
			text += showSigns(piece);
			for (const {index} of piece.matchAll(signs)) offsets.push(from + index);
		} else {
			text += piece.text;
			const indices = piece.attachments?.map((attachment) => attachments.indexOf(attachment));
			folds.push({
				from,
				to: text.length,
				label: piece.label,
				...(indices && {attachments: indices}),
			});
		}
	}
	return {text, folds, attachments, ...(offsets.length > 0 && {signs: offsets})};
}

/** Returns a buffer with the cursor at the text's end. */
export function bufferOfText(draft: Prompt): EditorBuffer {
	const {text, folds = [], signs: offsets = []} = draft;
	const typed = offsets.filter((at) => !folds.some(({from, to}) => from <= at && at < to));
	return piecesOf({...draft, text: placeSigns(text, typed)})
		.map((piece) => (typeof piece === 'string' ? cleanTyped(piece) : piece))
		.reduce<EditorBuffer>(insertPiece, emptyBuffer);
}

/** Returns a draft's bare text, for places without attachments. */
function withoutChips(draft: Prompt): Prompt {
	const buffer = bufferOfText(draft);
	const text = buffer.lines
		.join('\n')
		.replace(/([\u{e0200}-\u{e05ff}]) ?/gu, (whole, mark: string) => {
			const paste = pasteOf(mark, buffer.pastes);
			if (paste?.attachments === undefined) return whole;
			return isMention(paste) ? paste.text + whole.slice(mark.length) : '';
		});
	return {...textOfBuffer({...buffer, lines: text.split('\n')}), attachments: []};
}

/** Returns the typed text, without attachments; undefined if it has no signs. */
export function typedIn({folds = [], signs = [], ...prompt}: Prompt): Typed | undefined {
	if (signs.length === 0) return undefined;
	const others = folds.filter(({from}) => !signs.includes(from));
	const {attachments: _, ...typed} = withoutChips({...prompt, folds: others, signs});
	return typed;
}

/**
 * Finds a draft's chips in its text after editing elsewhere. Words written there count as typed; a
 * word that was plain text stays text.
 */
export function changeDraft(draft: Prompt, text: string): Prompt {
	const folds = (draft.folds ?? []).flatMap((fold) => {
		const from = fold.attachments === undefined ? -1 : text.indexOf(fold.label);
		return from === -1 ? [] : [{...fold, from, to: from + fold.label.length}];
	});
	const typed = new Set(draft.signs);
	const known = findSigns(draft.text);
	const live = known.filter((at) => typed.has(at)).map((at) => wordAt(draft.text, at));
	const other = known.filter((at) => !typed.has(at)).map((at) => wordAt(draft.text, at));
	const inert = new Set(other.filter((word) => !live.includes(word)));
	return {
		...draft,
		text,
		folds: folds.sort((one, other) => one.from - other.from),
		signs: findSigns(text).filter((at) => !inert.has(wordAt(text, at))),
	};
}

function wordAt(text: string, offset: number): string {
	return /^\S*/.exec(text.slice(offset))?.[0] ?? '';
}

/** Splits a text into its long pastes, its chips, and the text between them. */
export function piecesOf(draft: Prompt): ReadonlyArray<string | PastePlaceholder> {
	const {text, folds} = draft;
	if (folds === undefined) return [foldPaste(cleanText(text), []) ?? text];
	let end = 0;
	const pieces = folds.flatMap((fold) => {
		const before = text.slice(end, fold.from);
		end = fold.to;
		const {label, attachments = []} = fold;
		const linked = attachments.flatMap((index) => draft.attachments[index] ?? []);
		const folded = {label, text: text.slice(fold.from, fold.to)};
		return [before, linked.length === 0 ? folded : {...folded, attachments: linked}];
	});
	return [...pieces, text.slice(end)];
}

/**
 * The text of one bracketed paste, in pieces as they come, in time linear in its length. Nothing
 * in it is a key: only its end marker has a meaning.
 */
import type {PasteInput} from './key-input.ts';

/** What follows `ESC [` of the marker before a paste, and of the one behind it. */
export const pasteStart = '200~';
const pasteEnd = '\u001b[201~';

// Behind this the paste is dropped, and it counts as unfinished.
const maximumLength = 2 ** 26;

export interface PasteCollector {
	/**
	 * Takes text until the end marker, which may lie across calls.
	 *
	 * @returns the index behind the end marker; `undefined` when all of it belongs to the paste.
	 */
	add(text: string): number | undefined;
	/** The paste as far as it came. */
	finish(): PasteInput;
}

export function createPasteCollector(): PasteCollector {
	const pieces: string[] = [];
	let length = 0;
	let tail = '';
	let isEnded = false;
	const keep = (piece: string) => {
		if (length < maximumLength) pieces.push(piece);
		length += piece.length;
	};
	return {
		add(text) {
			const joined = tail + text;
			const end = joined.indexOf(pasteEnd);
			if (end === -1) {
				const keptEnd = Math.max(0, joined.length - pasteEnd.length + 1);
				keep(joined.slice(0, keptEnd));
				tail = joined.slice(keptEnd);
				return undefined;
			}
			keep(joined.slice(0, end));
			const resume = end + pasteEnd.length - tail.length;
			tail = '';
			isEnded = true;
			return resume;
		},
		finish() {
			const text = cleanPaste(pieces.join('') + tail);
			return {type: 'paste', text, isUnfinished: !isEnded || length > maximumLength};
		},
	};
}

/** Sequences with parameters, strings that end in BEL or `ESC \`, and two characters. */
const sequences =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
	/\u001b(?:\[[\x20-\x3f]*[\x40-\x7e]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\x20-\x4f\x51-\x57\x59\x5a\x5c\x60-\x7e])/g;

function cleanPaste(text: string): string {
	return text
		.replace(sequences, '')
		.replace(/\r\n?/g, '\n')
		.replace(/(?![\n\t])\p{Cc}/gu, '');
}

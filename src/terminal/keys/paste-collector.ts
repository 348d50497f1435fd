/**
 * Collects the text of one bracketed paste in linear time. Only its end marker has a meaning;
 * nothing else in it is a key.
 */
import type {PasteInput} from './key-input.ts';

/** The marker before a paste, without its `ESC [`. */
export const pasteStart = '200~';
const pasteEnd = '\u001b[201~';

// The rest of a longer paste is dropped, and the paste counts as unfinished.
const maximumLength = 2 ** 26;

export interface PasteCollector {
	/**
	 * Adds text up to the end marker, which may span calls.
	 *
	 * @returns the index after the end marker, or `undefined` if the paste goes on.
	 */
	add(text: string): number | undefined;
	/** Returns the paste so far. */
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
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them.
	/\u001b(?:\[[\x20-\x3f]*[\x40-\x7e]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\x20-\x4f\x51-\x57\x59\x5a\x5c\x60-\x7e])/g;

function cleanPaste(text: string): string {
	return text
		.replace(sequences, '')
		.replace(/\r\n?/g, '\n')
		.replace(/(?![\n\t])\p{Cc}/gu, '');
}

/**
 * Cuts a file into its top-level values: an array's items, or values one after another. The file
 * may exceed memory, and a damaged value costs no other one.
 */
import {isJsonObject, parseJson} from '../../json.ts';
import type {JsonPiece} from './foreign.ts';

/** The next meaningful characters, in bytes as Latin-1. */
const marks = {
	/** Anything but spaces, a byte order mark's bytes, and separators between array items. */
	outside: /[^ \t\r,\]\xef\xbb\xbf]/g,
	/** A word is neither an object nor an array. */
	word: /[,\n]/g,
	inside: /["{}[\]\n]/g,
	string: /"|\n|\\[^\n]/g,
} as const;

export function* splitJson(chunks: Iterable<Uint8Array>): Generator<JsonPiece, void, undefined> {
	let mode = 'outside' as keyof typeof marks;
	let depth = 0;
	let line = 1;
	let startLine = 1;
	let items = 0;
	/** Whether the values are array items; undefined before the first character. */
	let isList: boolean | undefined;
	/** Whether each line is a value, because the first one is. */
	let isLines = false;
	let isEscaped = false;
	/** The value under way. */
	let pieces: Uint8Array[] = [];

	/** Returns whether the value under way ends with the mark. */
	const step = (mark: string): boolean => {
		if (mode === 'outside') {
			items += 1;
			startLine = line;
			depth = 1;
			mode = mark === '{' || mark === '[' ? 'inside' : 'word';
			return false;
		}
		// A string has no line end: this is half a line in a JSON Lines file.
		if (mark === '\n') return mode !== 'inside' || isLines;
		if (mode === 'word') return true;
		if (mark === '"') mode = mode === 'string' ? 'inside' : 'string';
		else if (mode === 'inside') depth += mark === '{' || mark === '[' ? 1 : -1;
		if (depth > 0) return false;
		isLines ||= isList !== true && line === startLine;
		return true;
	};
	const takePiece = (last: Uint8Array): JsonPiece => {
		const value = parseJson(decode([...pieces, last]));
		pieces = [];
		mode = 'outside';
		const place = isList === true ? `item ${items}` : `line ${startLine}`;
		return {place, value: isJsonObject(value) ? value : undefined};
	};

	for (const chunk of chunks) {
		const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
		let start = 0;
		let end: number = isEscaped && text[0] !== '\n' ? 1 : 0;
		for (let found = findMark(text, end, mode); found; found = findMark(text, end, mode)) {
			const [mark] = found;
			end = found.index + mark.length;
			if (mark === '\n') line += 1;
			if (mark === '\n' && mode === 'outside') continue;
			if (isList === undefined) {
				isList = mark === '[';
				if (isList) continue;
			}
			if (mode === 'outside') start = found.index;
			if (step(mark)) yield takePiece(chunk.subarray(start, end));
		}
		isEscaped = mode === 'string' && end < text.length && text.endsWith('\\');
		if (mode !== 'outside') pieces.push(chunk.subarray(start));
	}
	if (pieces.length > 0) yield takePiece(new Uint8Array());
}

function findMark(text: string, from: number, mode: keyof typeof marks): RegExpExecArray | null {
	const pattern = marks[mode];
	pattern.lastIndex = from;
	return pattern.exec(text);
}

/** Returns an empty text for bytes exceeding the maximum text length. */
export function decode(pieces: readonly Uint8Array[]): string {
	try {
		return Buffer.concat(pieces).toString('utf8');
	} catch {
		return '';
	}
}

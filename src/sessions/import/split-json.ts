/**
 * Cuts a file into its top-level values: the items of an array, or values one after the other. So the
 * file may be larger than memory, and a damaged value costs no other one.
 */
import {isJsonObject, parseJson} from '../../json.ts';
import type {JsonPiece} from './foreign.ts';

const lineFeed = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;

/** White space, and the bytes of a byte order mark. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, lineFeed, 0xef, 0xbb, 0xbf]);

export function* splitJson(chunks: Iterable<Uint8Array>): Generator<JsonPiece, void, undefined> {
	const scanner = createScanner();
	/** The value under way. */
	let pieces: Uint8Array[] = [];
	for (const chunk of chunks) {
		let start = 0;
		for (let place = 0; place < chunk.length; place++) {
			const step = scanner.step(chunk[place] ?? 0);
			if (step === 'start') start = place;
			if (step !== 'end') continue;
			pieces.push(chunk.subarray(start, place + 1));
			yield readPiece(pieces, scanner.place());
			pieces = [];
		}
		if (scanner.isInside()) pieces.push(chunk.subarray(start));
	}
	if (pieces.length > 0) yield readPiece(pieces, scanner.place());
}

function readPiece(pieces: readonly Uint8Array[], place: string): JsonPiece {
	const value = parseJson(decode(pieces));
	return {place, value: isJsonObject(value) ? value : undefined};
}

/** Returns an empty text for bytes that are longer than a text can be. */
export function decode(pieces: readonly Uint8Array[]): string {
	try {
		return Buffer.concat(pieces).toString('utf8');
	} catch {
		return '';
	}
}

type Scanner = {
	/** `start` and `end`: the byte is the first or the last one of a value. */
	step(byte: number): 'start' | 'end' | undefined;
	isInside(): boolean;
	/** The place of the value under way, or of the last one. */
	place(): string;
};

function createScanner(): Scanner {
	let line = 1;
	let startLine = 1;
	let depth = 0;
	let isInString = false;
	let isEscaped = false;
	/** Inside of something that is neither an object nor an array. */
	let isInWord = false;
	let isFirst = true;
	let isList = false;
	let items = 0;
	/** Whether each line is a value, because the first one is. */
	let isLines = false;

	const stepOutside = (byte: number) => {
		if (blanks.has(byte) || byte === comma || byte === closeBracket) return undefined;
		const isStart = isFirst && byte === openBracket;
		isFirst = false;
		isList ||= isStart;
		if (isStart) return undefined;
		startLine = line;
		items += 1;
		if (byte === openBrace || byte === openBracket) depth = 1;
		else isInWord = true;
		return 'start';
	};
	const stepInString = (byte: number) => {
		// A string has no line end: this is half a line of a file of lines.
		if (byte === lineFeed) return close();
		if (isEscaped) isEscaped = false;
		else if (byte === backslash) isEscaped = true;
		else if (byte === quote) isInString = false;
		return undefined;
	};
	const stepInside = (byte: number) => {
		if (byte === lineFeed && isLines) return close();
		if (byte === quote) isInString = true;
		else if (byte === openBrace || byte === openBracket) depth += 1;
		else if (byte === closeBrace || byte === closeBracket) depth -= 1;
		if (depth > 0) return undefined;
		isLines ||= !isList && line === startLine;
		return 'end';
	};
	const close = () => {
		depth = 0;
		isInString = false;
		isEscaped = false;
		isInWord = false;
		return 'end' as const;
	};
	const step = (byte: number) => {
		if (isInString) return stepInString(byte);
		if (isInWord) return byte === lineFeed || byte === comma ? close() : undefined;
		return depth > 0 ? stepInside(byte) : stepOutside(byte);
	};
	return {
		step(byte) {
			const result = step(byte);
			if (byte === lineFeed) line += 1;
			return result;
		},
		isInside: () => depth > 0 || isInWord,
		place: () => (isList ? `item ${items}` : `line ${startLine}`),
	};
}

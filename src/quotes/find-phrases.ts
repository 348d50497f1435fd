/**
 * Looks for many phrases at once in one pass over a text of any length, with constant memory: hashes
 * of the last units say where a phrase may end.
 */
import {
	createNormalizer,
	cutPieces,
	isDigit,
	isInWord,
	isLetter,
	maxPartLength,
	type NormalizedPart,
} from './normalize.ts';

/** The short hash's units. */
export const minPhraseLength = 8;
/** The long hash's units. */
const longPhraseLength = 16;

export type PhraseMatch = {
	/** The index of the phrase. */
	readonly phrase: number;
	/** The place in the normalized text. */
	readonly start: number;
	readonly end: number;
	/** The line of the source, from 1. */
	readonly line: number;
};

const factor = 0x9e3779b1;
/** In bits; small enough for a processor's cache. */
const filterSize = 1 << 19;

/**
 * Two gear hashes: each shift moves older units on until they leave the 32 bits, and all units covered
 * have a part in the upper bits. The longer one leaves fewer places that look like a phrase's end.
 */
type Hashes = {short: number; long: number};
const shortShift = 4;
const longShift = 2;

function hash(codes: Uint16Array, shift: number): number {
	return codes.reduce((sum, code) => ((sum << shift) + Math.imul(code, factor)) | 0, 0);
}

/** Returns the next index at which a phrase may end, or the limit. */
function findEnd(
	window: Uint16Array,
	from: number,
	limit: number,
	filter: Uint8Array,
	hashes: Hashes,
): number {
	let {short, long} = hashes;
	let index = from;
	for (; index < limit; index++) {
		const code = Math.imul(window[index] ?? 0, factor);
		short = ((short << shortShift) + code) | 0;
		long = ((long << longShift) + code) | 0;
		const shortBits = (filter[short >>> 16] ?? 0) >> ((short >>> 13) & 7);
		const longBits = (filter[long >>> 16] ?? 0) >> ((long >>> 13) & 7);
		if (((shortBits | longBits) & 1) !== 0) break;
	}
	hashes.short = short;
	hashes.long = long;
	return index;
}

type HashedPhrase = {readonly codes: Uint16Array; readonly phrase: number};

/** The number of units after a phrase that say whether its last word or number ends there. */
const lookahead = 2;

/** Phrases to look for, in normal form, each at least `minPhraseLength` long. */
export type PhraseSet = ReturnType<typeof createPhraseSet>;

export function createPhraseSet(phrases: readonly string[]) {
	const byHash = new Map<number, HashedPhrase[]>();
	const filter = new Uint8Array(filterSize / 8);
	let longest = 0;
	for (const [phrase, text] of phrases.entries()) {
		const codes = toCodes(text);
		const key = hash(codes, codes.length < longPhraseLength ? shortShift : longShift);
		byHash.set(key, [...(byHash.get(key) ?? []), {phrase, codes}]);
		filter[key >>> 16] = (filter[key >>> 16] ?? 0) | (1 << ((key >>> 13) & 7));
		longest = Math.max(longest, codes.length);
	}
	return {byHash, filter, longest};
}

function toCodes(text: string): Uint16Array {
	return Uint16Array.from({length: text.length}, (_, index) => text.charCodeAt(index));
}

/** Looks through one text. Matches come in the order of their ends. */
export function createPhraseFinder(
	{byHash, filter, longest}: PhraseSet,
	onMatch: (match: PhraseMatch) => void,
) {
	const normalizer = createNormalizer();
	const kept = longest + lookahead + 1;
	const window = new Uint16Array(kept + maxPartLength);
	/** The place of the window's first unit in the text. */
	let offset = 0;
	let length = 0;
	let searched = 0;
	const hashes: Hashes = {short: 0, long: 0};
	/** Places in the text where lines begin, of those that a match may still be in. */
	let lineStarts: number[] = [];
	let linesBefore = 1;

	const lineOf = (start: number) => {
		let low = 0;
		let high = lineStarts.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((lineStarts[middle] ?? 0) <= start) low = middle + 1;
			else high = middle;
		}
		return linesBefore + low;
	};

	const isFree = (start: number, end: number) => {
		const at = (index: number) => (index >= 0 && index < length ? (window[index] ?? 0) : 0);
		return (
			isBoundary(at(start - 2), at(start - 1), at(start)) &&
			isBoundary(at(end + 1), at(end), at(end - 1))
		);
	};

	const check = (hash: number, end: number) => {
		// A phrase ends where a word ends.
		if (end < length && isLetter(window[end] ?? 0)) return;
		for (const {phrase, codes} of byHash.get(hash) ?? []) {
			const start = end - codes.length;
			if (start < 0 || !hasAt(window, start, codes) || !isFree(start, end)) continue;
			onMatch({phrase, start: offset + start, end: offset + end, line: lineOf(offset + start)});
		}
	};

	const search = (limit: number) => {
		while (searched < limit) {
			const index = findEnd(window, searched, limit, filter, hashes);
			searched = Math.min(index + 1, limit);
			if (index === limit) break;
			check(hashes.long, index + 1);
			check(hashes.short, index + 1);
		}
	};

	const forget = () => {
		const gone = Math.max(0, searched - kept);
		window.copyWithin(0, gone, length);
		offset += gone;
		length -= gone;
		searched -= gone;
		const isPast = lineStarts.findIndex((start) => start > offset);
		const past = isPast === -1 ? lineStarts.length : isPast;
		linesBefore += past;
		lineStarts = lineStarts.slice(past);
	};

	const take = (part: NormalizedPart) => {
		window.set(part.codes.subarray(0, part.length), length);
		for (const start of part.lineStarts) lineStarts.push(offset + length + start);
		length += part.length;
		search(length - lookahead);
		forget();
	};

	return {
		push(text: string) {
			for (const piece of cutPieces(text)) take(normalizer.push(piece));
		},
		end() {
			search(length);
		},
	};
}

function hasAt(window: Uint16Array, start: number, codes: Uint16Array): boolean {
	for (let index = 0; index < codes.length; index++) {
		if (window[start + index] !== codes[index]) return false;
	}
	return true;
}

const numberMarks = new Set(Array.from('.,:-', (mark) => mark.charCodeAt(0)));

/** Whether a word or a number ends between two units, of which the first is outside. */
function isBoundary(beyond: number, outside: number, inside: number): boolean {
	if (isInWord(outside) && isInWord(inside)) return false;
	return !(isDigit(inside) && numberMarks.has(outside) && isDigit(beyond));
}

/**
 * Looks for many phrases at once in one pass over a text of any length, with constant memory: a
 * rolling hash of the last units says where a phrase may end.
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

/** The units that a hash covers, and the least length of a phrase. */
export const minPhraseLength = 8;

export type PhraseMatch = {
	/** The index of the phrase. */
	readonly phrase: number;
	/** The place in the normalized text. */
	readonly start: number;
	readonly end: number;
	/** The line of the source, from 1. */
	readonly line: number;
};

const factor = 0x01000193;
/** In bits; small enough for a processor's cache. */
const filterSize = 1 << 19;

function weigh(length: number): number {
	let weight = 1;
	for (let index = 0; index < length; index++) weight = Math.imul(weight, factor);
	return weight;
}

const oldestWeight = weigh(minPhraseLength);

function extend(hash: number, code: number): number {
	return (Math.imul(hash, factor) + code) | 0;
}

function byteOf(hash: number): number {
	return (hash & (filterSize - 1)) >> 3;
}

function bitOf(hash: number): number {
	return 1 << (hash & 7);
}

/** The number of units after a phrase that say whether its last word or number ends there. */
const lookahead = 2;

/** Phrases to look for, in normal form, each at least `minPhraseLength` long. */
export type PhraseSet = ReturnType<typeof createPhraseSet>;

export function createPhraseSet(phrases: readonly string[]) {
	const byHash = new Map<number, number[]>();
	const filter = new Uint8Array(filterSize / 8);
	const texts = phrases.map((text, phrase) => {
		const codes = Uint16Array.from(text, () => 0);
		for (let index = 0; index < text.length; index++) codes[index] = text.charCodeAt(index);
		let hash = 0;
		for (const code of codes.subarray(-minPhraseLength)) hash = extend(hash, code);
		byHash.set(hash, [...(byHash.get(hash) ?? []), phrase]);
		filter[byteOf(hash)] = (filter[byteOf(hash)] ?? 0) | bitOf(hash);
		return codes;
	});
	const longest = texts.reduce((length, codes) => Math.max(length, codes.length), 0);
	return {byHash, filter, texts, longest};
}

/** Looks through one text. Matches come in the order of their ends. */
export function createPhraseFinder(
	{byHash, filter, texts, longest}: PhraseSet,
	onMatch: (match: PhraseMatch) => void,
) {
	const normalizer = createNormalizer();
	const kept = longest + lookahead + 1;
	const window = new Uint16Array(kept + maxPartLength);
	/** The place of the window's first unit in the text. */
	let offset = 0;
	let length = 0;
	let searched = 0;
	let hash = 0;
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

	const check = (found: number, end: number) => {
		for (const phrase of byHash.get(found) ?? []) {
			const codes = texts[phrase];
			const start = end - (codes?.length ?? 0);
			if (codes === undefined || start < 0 || !hasAt(window, start, codes)) continue;
			if (!isFree(start, end)) continue;
			onMatch({phrase, start: offset + start, end: offset + end, line: lineOf(offset + start)});
		}
	};

	const search = (limit: number) => {
		let current = hash;
		for (let index = searched; index < limit; index++) {
			const oldest = index < minPhraseLength ? 0 : (window[index - minPhraseLength] ?? 0);
			current = (extend(current, window[index] ?? 0) - Math.imul(oldest, oldestWeight)) | 0;
			// A phrase ends where a word ends.
			const isEnd = !isLetter(window[index + 1] ?? 0) || index + 1 === length;
			if (isEnd && ((filter[byteOf(current)] ?? 0) & bitOf(current)) !== 0) {
				check(current, index + 1);
			}
		}
		hash = current;
		searched = Math.max(searched, limit);
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
	for (let index = codes.length - 1; index >= 0; index--) {
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

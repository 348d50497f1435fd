/**
 * Looks for many phrases at once in one pass over a text of any length, with constant memory. A
 * Rabin-Karp hash of the units that every normal form keeps tells where a phrase may end; only there is
 * the text normalized and compared.
 */
import {
	foldPieces,
	isDigit,
	keptUnits,
	maxFoldedLength,
	normalizeUnits,
	toUnits,
	wordUnits,
} from './normalize.ts';

/** In units of normalized text. */
export const minPhraseLength = 8;
/** A phrase with fewer kept units is not looked for. */
const minKept = 4;
/** The most kept units that a key covers: the last ones of a phrase. */
const maxKeyLength = 16;

export type PhraseMatch = {
	/** The index of the phrase. */
	readonly phrase: number;
	/** The place in the text. */
	readonly start: number;
	readonly end: number;
	/** Counted from 1. */
	readonly line: number;
};

const multiplier = 0x9e3779b1;
/** In bits; small enough for a processor's nearest cache. */
const filterSize = 1 << 17;

function weightAfter(length: number): number {
	let weight = 1;
	for (let count = 0; count < length; count++) weight = Math.imul(weight, multiplier);
	return weight;
}

function hash(kept: Uint16Array): number {
	return kept.reduce((sum, unit) => (Math.imul(sum, multiplier) + unit) | 0, 0);
}

type Phrase = {
	readonly phrase: number;
	readonly normal: Uint16Array;
	readonly kept: Uint16Array;
	/** The number of normalized units after the last kept one. */
	readonly tail: number;
	/** Covers all kept units. */
	readonly hash: number;
	/** Weighs a hash from before the phrase in one from its end. */
	readonly weight: number;
};

/** Phrases to look for, in normal form, each at least `minPhraseLength` long. */
export type PhraseSet = ReturnType<typeof createPhraseSet>;

export function createPhraseSet(texts: readonly string[]) {
	const all = texts.map(describePhrase);
	const phrases = all.filter(({kept}) => kept.length >= minKept);
	const keyLength = phrases.reduce((least, {kept}) => Math.min(least, kept.length), maxKeyLength);
	const keyOf = ({kept}: Phrase) => hash(kept.subarray(-keyLength));
	const longest = phrases.reduce((most, {normal}) => Math.max(most, normal.length), 0);
	const byKey = new Map<number, readonly Phrase[]>();
	for (const phrase of phrases) {
		const key = keyOf(phrase);
		byKey.set(key, [...(byKey.get(key) ?? []), phrase]);
	}
	const filter = new Uint8Array(filterSize / 8);
	let inFilter = 0;
	const fillFilter = () => {
		inFilter = byKey.size;
		filter.fill(0);
		for (const key of byKey.keys()) {
			filter[key >>> 18] = (filter[key >>> 18] ?? 0) | (1 << ((key >>> 15) & 7));
		}
	};
	fillFilter();
	return {
		byKey,
		filter,
		keyLength,
		keyWeight: weightAfter(keyLength),
		longest,
		/** Stops looking for a phrase. */
		forget(phrase: number) {
			const forgotten = all[phrase];
			if (forgotten === undefined) return;
			const key = keyOf(forgotten);
			const left = (byKey.get(key) ?? []).filter((each) => each !== forgotten);
			if (left.length > 0) byKey.set(key, left);
			else byKey.delete(key);
			if (byKey.size <= inFilter / 2) fillFilter();
		},
	};
}

function describePhrase(text: string, phrase: number): Phrase {
	const normal = toUnits(text);
	const isKept = (unit: number) => keptUnits[unit] !== 0;
	const tail = normal.length - 1 - normal.findLastIndex(isKept);
	const kept = normal.filter(isKept);
	return {phrase, normal, kept, tail, hash: hash(kept), weight: weightAfter(kept.length)};
}

/** Where a search is. */
type Cursor = {
	index: number;
	line: number;
	/** The number of kept units so far. */
	count: number;
	/** The hash of all kept units so far. */
	hash: number;
	/** A ring of these hashes, by count. */
	readonly hashes: Int32Array;
	/** The hash of the last kept units. */
	key: number;
};

/** Moves on past the next kept unit at which a phrase may end, or to the limit. */
function findEnd(
	window: Uint16Array,
	limit: number,
	{filter, keyLength, keyWeight}: PhraseSet,
	cursor: Cursor,
): boolean {
	// Locals and literals are faster than module variables.
	const keptOf = keptUnits;
	const inWord = wordUnits;
	const {hashes} = cursor;
	const ring = hashes.length - 1;
	let {index, line, count, hash, key} = cursor;
	let isEnd = false;
	let unit = window[index] ?? 0;
	while (index < limit && !isEnd) {
		const kept = keptOf[unit] ?? 0;
		const isLineEnd = unit === 0x0a;
		const isWord = inWord[unit] === 1;
		unit = window[++index] ?? 0;
		if (kept === 0) {
			if (isLineEnd) line++;
			continue;
		}
		hash = (Math.imul(hash, 0x9e3779b1) + kept) | 0;
		count = (count + 1) | 0;
		hashes[count & ring] = hash;
		if (isWord && inWord[unit] === 1) continue;
		key = (hash - Math.imul(hashes[(count - keyLength) & ring] ?? 0, keyWeight)) | 0;
		isEnd = (((filter[key >>> 18] ?? 0) >> ((key >>> 15) & 7)) & 1) === 1;
	}
	cursor.index = index;
	cursor.line = line;
	cursor.count = count;
	cursor.hash = hash;
	cursor.key = key;
	return isEnd;
}

/** The units around a phrase that tell whether its first and last words are whole. */
const margin = 128;
/** The units that a phrase may be spread over, as in a wide table. */
const reach = 1 << 15;

/** Looks through one text. Matches come in the order of their ends. */
export function createPhraseFinder(
	set: PhraseSet,
	isWanted: (phrase: number) => boolean,
	onMatch: (match: PhraseMatch) => void,
) {
	const history = Math.max(reach, set.longest * 2);
	const window = new Uint16Array(history + 2 * maxFoldedLength + 1);
	const bytes = Buffer.from(window.buffer);
	/** The place of the window's first unit in the text. */
	let offset = 0;
	let length = 0;
	const hashes = new Int32Array(2 ** Math.ceil(Math.log2(set.longest + 1)));
	const cursor: Cursor = {index: 0, line: 1, count: 0, hash: 0, hashes, key: 0};

	const check = ({phrase, normal, kept, tail, hash, weight}: Phrase) => {
		const before = hashes[(cursor.count - kept.length) & (hashes.length - 1)] ?? 0;
		if (hash !== ((cursor.hash - Math.imul(before, weight)) | 0) || !isWanted(phrase)) return;
		const end = cursor.index;
		const start = findStart(window, end, kept);
		if (start === undefined) return;
		const from = Math.max(0, start - margin);
		const around = normalizeUnits(window.subarray(from, Math.min(end + margin, length)));
		const after = countKept(window.subarray(end, Math.min(end + margin, length)));
		const normalEnd = skipKeptBack(around, after) + tail;
		const normalStart = normalEnd - normal.length;
		if (!hasAt(around, normalStart, normal) || !isFree(around, normalStart, normalEnd)) return;
		const line = cursor.line - countLineEnds(window.subarray(start, end));
		onMatch({phrase, start: offset + start, end: offset + end, line});
	};

	const search = (limit: number) => {
		while (findEnd(window, limit, set, cursor)) {
			for (const phrase of set.byKey.get(cursor.key) ?? []) check(phrase);
		}
	};

	const makeRoom = () => {
		if (length + maxFoldedLength < window.length) return;
		const gone = Math.max(0, cursor.index - history);
		window.copyWithin(0, gone, length);
		offset += gone;
		length -= gone;
		cursor.index -= gone;
	};

	return {
		push(text: string) {
			for (const folded of foldPieces(text)) {
				makeRoom();
				length += bytes.write(folded, length * 2, 'utf16le') / 2;
				search(length - margin);
			}
		},
		end() {
			window[length] = 0;
			search(length);
		},
	};
}

/** Returns where kept units begin that end before `end`, whatever is between them. */
function findStart(window: Uint16Array, end: number, kept: Uint16Array): number | undefined {
	let at = end;
	for (let index = kept.length - 1; index >= 0; index--) {
		let unit = 0;
		while (unit === 0 && at > 0) unit = keptUnits[window[--at] ?? 0] ?? 0;
		if (unit !== kept[index]) return undefined;
	}
	return at;
}

function countKept(units: Uint16Array): number {
	return units.reduce((count, unit) => (keptUnits[unit] === 0 ? count : count + 1), 0);
}

function countLineEnds(units: Uint16Array): number {
	return units.reduce((count, unit) => (unit === 0x0a ? count + 1 : count), 0);
}

/** Returns the end of the last kept unit that this many others follow. */
function skipKeptBack(units: Uint16Array, count: number): number {
	let end = units.length;
	for (let left = count; end > 0; end--) {
		if (keptUnits[units[end - 1] ?? 0] === 0) continue;
		if (left-- === 0) break;
	}
	return end;
}

function hasAt(units: Uint16Array, start: number, normal: Uint16Array): boolean {
	return start >= 0 && normal.every((unit, index) => units[start + index] === unit);
}

function isFree(units: Uint16Array, start: number, end: number): boolean {
	const at = (index: number) => units[index] ?? 0;
	return (
		isBoundary(at(start - 2), at(start - 1), at(start)) &&
		isBoundary(at(end + 1), at(end), at(end - 1))
	);
}

const numberMarks = new Set(Array.from('.,:-', (mark) => mark.charCodeAt(0)));

/** Whether a word or a number ends between two units, of which the first is outside. */
function isBoundary(beyond: number, outside: number, inside: number): boolean {
	if (wordUnits[outside] === 1 && wordUnits[inside] === 1) return false;
	return !(isDigit(inside) && numberMarks.has(outside) && isDigit(beyond));
}

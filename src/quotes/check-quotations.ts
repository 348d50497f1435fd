/**
 * Looks quotations up in the texts they may come from. A quotation passes only if it is there, unit by
 * unit in normal form; likeness never counts, since a sentence and its negation are alike.
 */
import type {CheckedQuotation, Found, QuotationPlace} from '../chat/checked-quotation.ts';
import {
	createPhraseFinder,
	createPhraseSet,
	minPhraseLength,
	type PhraseMatch,
} from './find-phrases.ts';
import type {Quotation} from './find-quotations.ts';
import {normalize} from './normalize.ts';

/** A text that was given. */
export type GivenText = {
	readonly name: string;
	/** Quotations from anything but a file or a pipe, such as the prompt, are `elsewhere`. */
	readonly isFile: boolean;
	/** Default true; the text of a PDF has lines of its own. */
	readonly hasLines?: boolean;
	/** In order; a cut may be anywhere. */
	readonly read: () => Iterable<string> | AsyncIterable<string>;
};

/** In UTF-16 units: how far apart two parts of a quotation with an omission may be. */
const maxOmission = 2000;
/** A shorter run of words may be anywhere; two ideographs count as a word. */
const minRunWords = 4;
const minRunLength = 12;
const changedShare = 0.6;

type Sought = Quotation & {
	/** The parts between omissions, as phrases; empty if one is too short to prove anything. */
	readonly parts: readonly number[];
	/** Each shortest run of words that counts, as a phrase. */
	readonly runs: readonly Run[];
	readonly wordCount: number;
};

/** Words from an index to another, which is excluded. */
type Run = {readonly phrase: number; readonly from: number; readonly to: number};

type Place = QuotationPlace & Pick<GivenText, 'isFile'>;

export async function checkQuotations(
	quotations: readonly Quotation[],
	texts: readonly GivenText[],
): Promise<readonly CheckedQuotation[]> {
	const phrases = createPhraseList();
	const sought = quotations.map((quotation) => prepare(quotation, phrases.add));
	const set = createPhraseSet(phrases.list());
	const seen = new Set<number>();
	const places = sought.map((): Place[] => []);
	for (const {name, isFile, hasLines = true, read} of texts) {
		const chains = createChains(sought, (index, line) =>
			places[index]?.push({name, isFile, line: hasLines ? line : undefined}),
		);
		const isWanted = (phrase: number) => !seen.has(phrase) || chains.isOpen(phrase);
		const finder = createPhraseFinder(set, isWanted, (match) => {
			seen.add(match.phrase);
			if (chains.isPart(match.phrase)) chains.take(match);
			else set.forget(match.phrase);
		});
		for await (const text of read()) finder.push(text);
		finder.end();
	}
	return sought.map((quotation, index) => judge(quotation, places[index] ?? [], seen));
}

function createPhraseList() {
	const indices = new Map<string, number>();
	return {
		add(text: string): number {
			const index = indices.get(text) ?? indices.size;
			indices.set(text, index);
			return index;
		},
		list: () => [...indices.keys()],
	};
}

/** An omission mark, with or without brackets. */
const omission = /[[(]\s*(?:\.{3}|…)\s*[\])]|(?:\.\s?){3,}|…/g;

function prepare({text, named}: Quotation, add: (text: string) => number): Sought {
	const parts = text
		.split(omission)
		.map((part) => trim(normalize(part)))
		.filter((part) => part !== '');
	const isLong = parts.every((part) => part.length >= minPhraseLength);
	const words = parts.map(splitWords);
	let before = 0;
	const runs = parts.flatMap((part, index) => {
		const ofPart = words[index] ?? [];
		const found = findRuns(ofPart).map(({from, to}) => ({
			phrase: add(part.slice(ofPart[from]?.start, ofPart[to - 1]?.end)),
			from: before + from,
			to: before + to,
		}));
		before += ofPart.length;
		return found;
	});
	return {text, named, parts: isLong ? parts.map(add) : [], runs, wordCount: before};
}

const aroundMarks = new Set(" .,;:!?()/'、。-");

/** Removes what the sentence around a quotation may have added, but not the minus of a number. */
function trim(text: string): string {
	const isAround = (index: number) => aroundMarks.has(text.charAt(index));
	const isMinus = (index: number) => /^-\p{N}/u.test(text.slice(index, index + 2));
	let start = 0;
	while (isAround(start) && !isMinus(start)) start++;
	let end = text.length;
	while (end > start && isAround(end - 1)) end--;
	return text.slice(start, end);
}

const ideograph = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}`;
const word = new RegExp(`[${ideograph}]|[^\\s${ideograph}]+`, 'gu');
const startsIdeographic = new RegExp(`^[${ideograph}]`, 'u');

type Word = {readonly start: number; readonly end: number; readonly weight: number};

/** Words between blanks; ideographs one by one. */
function splitWords(text: string): readonly Word[] {
	return [...text.matchAll(word)].map(({index, 0: match}) => ({
		start: index,
		end: index + match.length,
		weight: startsIdeographic.test(match) ? 0.5 : 1,
	}));
}

/** Returns the shortest run that counts from each word on. */
function findRuns(words: readonly Word[]): ReadonlyArray<Omit<Run, 'phrase'>> {
	return words.flatMap(({start}, from) => {
		let weight = 0;
		for (let to = from; to < words.length; ) {
			const word = words[to++];
			weight += word?.weight ?? 0;
			const isLong = (word?.end ?? 0) - start >= minRunLength;
			if (isLong && weight >= minRunWords) return [{from, to}];
		}
		return [];
	});
}

type Chain = {readonly end: number; readonly line: number};

/** Follows the parts of each quotation through one text: in order, and not too far apart. */
function createChains(
	sought: readonly Sought[],
	onFound: (quotation: number, line: number) => void,
) {
	type Use = {readonly quotation: number; readonly part: number; readonly isLast: boolean};
	const uses = new Map<number, Use[]>();
	for (const [quotation, {parts}] of sought.entries()) {
		for (const [part, phrase] of parts.entries()) {
			const use = {quotation, part, isLast: part === parts.length - 1};
			uses.set(phrase, [...(uses.get(phrase) ?? []), use]);
		}
	}
	const found = new Set<number>();
	/** Chains up to each part of a quotation that may still go on. */
	const chains = sought.map(({parts}) => parts.map((): Chain[] => []));
	const extend = ({quotation, part}: Use, {start, end, line}: PhraseMatch): Chain | undefined => {
		if (part === 0) return {end, line};
		const before = chains[quotation]?.[part - 1] ?? [];
		while (before[0] !== undefined && start - before[0].end > maxOmission) before.shift();
		const [first] = before;
		return first === undefined || first.end > start ? undefined : {end, line: first.line};
	};
	return {
		isPart: (phrase: number) => uses.has(phrase),

		/** Whether a phrase is part of a quotation that was not found here yet. */
		isOpen: (phrase: number) =>
			(uses.get(phrase) ?? []).some(({quotation}) => !found.has(quotation)),

		take(match: PhraseMatch) {
			for (const use of uses.get(match.phrase) ?? []) {
				const {quotation, part, isLast} = use;
				if (found.has(quotation)) continue;
				const chain = extend(use, match);
				if (chain === undefined) continue;
				if (!isLast) {
					chains[quotation]?.[part]?.push(chain);
					continue;
				}
				found.add(quotation);
				onFound(quotation, chain.line);
			}
		},
	};
}

function judge(
	{text, named, runs, wordCount}: Sought,
	places: readonly Place[],
	seen: ReadonlySet<number>,
): CheckedQuotation {
	const isMeant = ({name, isFile}: Place) => isFile && (named === undefined || name === named);
	const found = places.some(isMeant) ? 'verbatim' : 'elsewhere';
	const ordered = [...places.filter(isMeant), ...places.filter((place) => !isMeant(place))];
	const kept = ordered.map(({name, line}) => ({name, line}));
	if (kept.length > 0) return {text, found, places: kept, named};
	return {text, found: judgeMissing(runs, wordCount, seen), places: [], named};
}

function judgeMissing(runs: readonly Run[], wordCount: number, seen: ReadonlySet<number>): Found {
	const covered = new Set<number>();
	for (const {phrase, from, to} of runs) {
		if (!seen.has(phrase)) continue;
		for (let index = from; index < to; index++) covered.add(index);
	}
	if (covered.size === wordCount && wordCount > 0) return 'stitched';
	return covered.size >= wordCount * changedShare && covered.size > 0 ? 'changed' : 'absent';
}

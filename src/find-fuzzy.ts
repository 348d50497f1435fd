/** Finds what a few letters mean in a list: of commands, models, sessions or paths. */
import {foldText} from './fold-text.ts';

export type Found<Item> = {
	readonly item: Item;
	/** The indices of the matched UTF-16 units of its text. */
	readonly places: readonly number[];
};

/** Returns the items that have all words of the query, best first; for an empty query all, as they are. */
export function findFuzzy<Item>(
	query: string,
	items: readonly Item[],
	textOf: (item: Item) => string,
): ReadonlyArray<Found<Item>> {
	const wanted = foldText(query);
	if (wanted.trim() === '') return items.map((item) => ({item, places: []}));
	return items
		.flatMap((item) => {
			const text = textOf(item);
			const match = matchText(wanted, text);
			return match === undefined ? [] : [{item, ...match, length: text.length}];
		})
		.sort((one, other) => other.score - one.score || one.length - other.length);
}

type Match = {readonly score: number; readonly places: readonly number[]};

/** A text that has the query as it is comes before all that only have its letters in order. */
const exactScore = 10_000;
/** Most people type letters of the last name of a path. */
const inNameScore = 20;
const nameStartScore = 10;
const wordStartScore = 8;
const runScore = 6;

/** In a longer text only the query as it is counts: its letters would match anything. */
const maxLength = 256;

/** @param wanted folded */
function matchText(wanted: string, text: string): Match | undefined {
	const letters = foldText(text);
	const original = letters.length === text.length ? text : letters;
	const whole = letters.includes(wanted) && matchWord(wanted, letters, original);
	// The query as it is comes before its words in other places.
	const match = whole
		? {...whole, score: whole.score + exactScore}
		: matchWords(wanted.trim().split(/\s+/), letters, original);
	if (match === undefined || original === text) return match;
	return {...match, places: unfold(match.places, text)};
}

/** Words may stand in any order. The worst of them decides. */
function matchWords(
	words: readonly string[],
	letters: string,
	original: string,
): Match | undefined {
	const matches = words.map((word) => matchWord(word, letters, original));
	if (!matches.every((match) => match !== undefined)) return undefined;
	const places = new Set(matches.flatMap((match) => match.places));
	const score = Math.min(...matches.map((match) => match.score));
	return {score, places: [...places].sort((one, other) => one - other)};
}

function matchWord(wanted: string, letters: string, original: string): Match | undefined {
	const isExact = letters.includes(wanted);
	if (!isExact && letters.length > maxLength) return undefined;
	const nameStart = original.lastIndexOf('/', original.length - 2) + 1;
	const scoreAt = (place: number) => scoreLetter(original, place, nameStart);
	return isExact
		? findWhole(wanted, letters, scoreAt)
		: matchLetters(wanted, letters, scoreAt, nameStart);
}

/** Letters in order, the last of them at a place. */
type Chain = {readonly place: number; readonly score: number; readonly before: Chain | undefined};

/** The best chain ending at each place, if any. */
type Chains = ReadonlyArray<Chain | undefined>;

/** Finds the query as it is, where it starts best. */
function findWhole(wanted: string, letters: string, scoreAt: (place: number) => number): Match {
	let best = letters.indexOf(wanted);
	for (let start = best; start !== -1; start = letters.indexOf(wanted, start + 1)) {
		if (scoreAt(start) > scoreAt(best)) best = start;
	}
	const places = Array.from({length: wanted.length}, (_, index) => best + index);
	return {score: exactScore + scoreAt(best), places};
}

/** Finds the best chain of the letters in order: in runs, at the starts of words. */
function matchLetters(
	wanted: string,
	letters: string,
	scoreAt: (place: number) => number,
	nameStart: number,
): Match | undefined {
	const begin = (place: number) => scoreAt(place) + (place < nameStart ? 0 : inNameScore);
	let chains: Chains | undefined;
	let from = 0;
	for (const letter of wanted.split('')) {
		const next: Array<Chain | undefined> = [];
		let best: Chain | undefined;
		for (let place = from; place < letters.length; place += 1) {
			const last = chains?.[place - 1];
			best = better(best, last);
			if (letters[place] !== letter) continue;
			if (chains === undefined) next[place] = {place, score: begin(place), before: undefined};
			else if (best !== undefined) next[place] = extend(best, last, place, scoreAt(place));
		}
		from = letters.indexOf(letter, from) + 1;
		if (from === 0) return undefined;
		chains = next;
	}
	const best = chains?.reduce(better, undefined);
	return best && {score: best.score, places: placesOf(best)};
}

/** @param last the chain that ends right before the place */
function extend(best: Chain, last: Chain | undefined, place: number, score: number): Chain {
	const isRun = last !== undefined && last.score + runScore > best.score;
	const before = isRun ? last : best;
	return {place, score: before.score + (isRun ? runScore : 0) + score, before};
}

function better(one: Chain | undefined, other: Chain | undefined): Chain | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return other.score > one.score ? other : one;
}

function placesOf(chain: Chain): readonly number[] {
	const places: number[] = [];
	for (let link: Chain | undefined = chain; link !== undefined; link = link.before) {
		places.push(link.place);
	}
	return places.reverse();
}

function scoreLetter(text: string, place: number, nameStart: number): number {
	if (place === nameStart) return nameStartScore;
	const isStart = place === 0 || wordStart.test(text.slice(place - 1, place + 1));
	return (isStart ? wordStartScore : 0) + (place > nameStart ? 1 : 0);
}

const wordStart = /^(?:[^\p{L}\p{N}].|\p{Ll}\p{Lu})$/su;

/** Returns the places in a text of places in its folded form, which has another length. */
function unfold(places: readonly number[], text: string): readonly number[] {
	const origins: number[] = [];
	let origin = 0;
	for (const character of text) {
		for (const _ of foldText(character).split('')) origins.push(origin);
		origin += character.length;
	}
	return places.map((place) => origins[place] ?? 0);
}

/**
 * What a prompt offers for the arguments of a call: values beside a name, places, numbers, quoted
 * words. Each is looked for by the name of the argument it would fill.
 */

import type {Prompt} from '../answer/prompt.ts';
import {findQuoted} from '../answer/text.ts';

export interface Hints {
	/** The text that fits an argument of this name, if the prompt says one. */
	valueFor(name: string): string | undefined;
	/** A likely value for an argument of this name, when the prompt says none. */
	exampleFor(name: string): string;
	/** The number said beside this name, else the next one not used yet, if it is acceptable. */
	numberFor(name: string, isAcceptable: (value: number) => boolean): number | undefined;
	/** Whether the prompt says this word. */
	mentions(word: string): boolean;
	/** All numbers of the prompt. */
	readonly numbers: readonly number[];
}

type Finder = (text: string) => string | undefined;

const maxTextLength = 2_000;

/** Different words that are looked for, of each kind of search; each takes a pattern of its own. */
const maxSearches = 1_000;

const properNoun = "\\p{Lu}[\\p{L}'’-]*(?:[ -]\\p{Lu}[\\p{L}'’-]*)*(?:, \\p{Lu}\\p{L}+)?";
const placePattern = new RegExp(`\\b(?:in|for|at|near|of|to|from) (${properNoun})`, 'u');
const originPattern = new RegExp(`\\bfrom (${properNoun})`, 'u');
const targetPattern = new RegExp(`\\bto (${properNoun})`, 'u');
const namePattern = new RegExp(`\\b(?:named|called|is|for|to|with|am) (${properNoun})`, 'u');
const anyNounPattern = new RegExp(`(?<=[\\p{L}\\d,:;] )(${properNoun})`, 'u');
const placesPattern = new RegExp(
	`\\b(?:in|for|at|of) (${properNoun}(?:, (?:and )?${properNoun})*,? and (?:in |for |at )?${properNoun})`,
	'u',
);

export const placeNamePattern =
	/city|location|place|town|country|where|destination|address|region|origin/i;

/** How an argument is found by its name, and what it is when the prompt says nothing. */
const finders: ReadonlyArray<readonly [name: RegExp, find: Finder, example?: string]> = [
	[/e-?mail/i, firstOf(/\b([\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)/), 'ada@example.com'],
	[/url|uri|link|website/i, firstOf(/(https?:\/\/[^\s"'<>)]+)/), 'https://example.com/'],
	[/origin|^from|source|departure/i, firstOf(originPattern), 'London'],
	[/destination|^to$|target|arrival/i, firstOf(targetPattern, placePattern), 'Paris'],
	[placeNamePattern, firstOf(placePattern, anyNounPattern), 'Paris'],
	[
		/date|day|when/i,
		firstOf(
			/\b(\d{4}-\d\d-\d\d)\b/,
			/\b(today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
		),
		'2026-01-31',
	],
	[/time_?zone|^tz$/i, firstOf(/\b([A-Z][a-z]+\/[A-Z][A-Za-z_]+|UTC|GMT)\b/), 'UTC'],
	[/time/i, firstOf(/\b(\d{1,2}:\d\d(?: ?[ap]m)?)\b/i), '12:00'],
	[
		/expression|formula|equation|calculation/i,
		firstOf(/([-(]*\d[\d.]*(?:\s*[-+*/%^()]+\s*[\d.]+)+\)*)/),
	],
	[
		/path|file|folder|directory/i,
		firstOf(/((?:~|\.{1,2})?\/?[\w.-]*\/[\w./-]+|\b[\w-]+\.[a-z]{1,5}\b)/i),
	],
	[/quer|search|keyword|topic|term/i, firstOf(/\b(?:about|search for|look up|for) ([^?.!\n]+)/i)],
	[/name|person|user|who|author|recipient|contact/i, firstOf(namePattern, anyNounPattern), 'Ada'],
];

/**
 * The hints of the last user message; after so many different words, no new one is found in it.
 *
 * @param place If given, the only place it is about.
 */
export function findHints({question, instruction}: Prompt, place?: string): Hints {
	const text = question === '' ? instruction.slice(0, maxTextLength) : question;
	const numbers = [...text.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w])/g)].map(Number);
	const quoted = findQuoted(text);
	const unused = [...numbers];
	const findOnce = remember((name: string) => findNamed(text, name));
	const isMentioned = remember((word: string) => mentions(text, word));
	const findKind = remember((find: Finder) => find(text));
	return {
		numbers,
		mentions: (word) => isMentioned(word) ?? false,
		exampleFor: (name) =>
			finders.find(([pattern, , example]) => example !== undefined && pattern.test(name))?.[2] ??
			quoted ??
			text,
		valueFor(name) {
			if (place !== undefined && placeNamePattern.test(name)) return place;
			const kind = finders.find(([pattern]) => pattern.test(name));
			return findOnce(name) ?? (kind === undefined ? undefined : findKind(kind[1]));
		},
		numberFor(name, isAcceptable) {
			const named = Number(findOnce(name) ?? Number.NaN);
			if (isAcceptable(named)) return named;
			const index = unused.findIndex(isAcceptable);
			return index < 0 ? undefined : unused.splice(index, 1)[0];
		},
	};
}

/** The places of `in Paris, London and Rome`; fewer than two: none. */
export function findPlaces({question}: Prompt): readonly string[] {
	const list = placesPattern.exec(question)?.[1];
	if (list === undefined) return [];
	return list.split(/,\s*(?:and )?| and /).map((place) => place.replace(/^(?:in|for|at) /, ''));
}

/** Whether a text says a word, or a phrase, between word borders. */
export function mentions(text: string, word: string): boolean {
	if (word === '' || word.length > 200 || !holds(text, word)) return false;
	return new RegExp(`(?<![\\p{L}\\d_])${escapePattern(word)}(?![\\p{L}\\d_])`, 'iu').test(text);
}

/**
 * Whether a text has these characters in a row, whatever their case, and blanks for underscores.
 * Nearly always it has not, which saves the pattern that a closer look takes.
 */
export function holds(text: string, word: string): boolean {
	return simplify(text).includes(simplify(word));
}

function simplify(text: string): string {
	return text.toLowerCase().replaceAll('_', ' ');
}

function firstOf(...patterns: readonly RegExp[]): Finder {
	return (text) => {
		for (const pattern of patterns) {
			const found = pattern.exec(text)?.[1];
			if (found !== undefined) return found.trim();
		}
		return undefined;
	};
}

/** `city: Paris`, `city = "Paris"`, `city is Paris`. */
function findNamed(text: string, name: string): string | undefined {
	if (name === '' || name.length > 100 || !holds(text, name)) return undefined;
	const words = escapePattern(name).replace(/_/g, '[_ ]');
	const pattern = new RegExp(
		`(?<![\\p{L}\\d_])["'\`]?${words}["'\`]?(?: is | to |\\s*[:=]\\s*)(?:"([^"\\n]+)"|'([^'\\n]+)'|([^\\s,;"'{}[\\]]+))`,
		'iu',
	);
	const match = pattern.exec(text);
	return match?.[1] ?? match?.[2] ?? match?.[3]?.replace(/[.?!]+$/, '');
}

/** Searches once for each thing, and for so many at most. */
function remember<Key, Found>(search: (key: Key) => Found): (key: Key) => Found | undefined {
	const found = new Map<Key, Found>();
	return (key) => {
		if (!found.has(key) && found.size < maxSearches) found.set(key, search(key));
		return found.get(key);
	};
}

function escapePattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

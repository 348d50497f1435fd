/** Masks a text wherever it occurs in others. */
import {escapeForJson, escapeUnits} from '../json.ts';

export interface TextMask {
	/** Returns a text of equal length. */
	apply(text: string): string;
	isIn(text: string): boolean;
	/** How many places were masked so far. */
	count(): number;
}

/**
 * Finds the text in upper and lower case, as it is or as other formats write it: JSON and JSON
 * inside JSON, HTML, URLs, quoted-printable and hexadecimal.
 */
export function createTextMask(text: string): TextMask {
	const pattern = patternOf(text);
	let count = 0;
	return {
		apply: (given) =>
			given.replace(pattern, (found) => {
				count += 1;
				return '*'.repeat(found.length);
			}),
		isIn: (given) => given.search(pattern) !== -1,
		count: () => count,
	};
}

/** The engine refuses a pattern with choices for very many characters. */
const maxMixedLength = 256;

function patternOf(text: string): RegExp {
	const characters = Array.from(text);
	const whole = encoders.map((encode) => characters.map(encode).join(''));
	const forms = choiceOf([...whole, hexOf(text)]);
	// A text may mix several ways of writing a character.
	const mixed = characters.map((character) =>
		choiceOf(encoders.map((encode) => encode(character))),
	);
	const isShort = characters.length <= maxMixedLength;
	return new RegExp(isShort ? `${mixed.join('')}|${forms}` : forms, 'gi');
}

function choiceOf(forms: readonly string[]): string {
	const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
	return `(?:${longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`;
}

type Encode = (character: string) => string;

/** Some JSON writers escape every slash, some everything outside ASCII. */
const jsonEncoders: readonly Encode[] = [
	escapeForJson,
	(character) => (character === '/' ? '\\/' : escapeForJson(character)),
	(character) =>
		/^[\0-\x7f]$/.test(character) ? escapeForJson(character) : escapeUnits(character),
	escapeUnits,
];

const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

const formatEncoders: readonly Encode[] = [
	(character) => entities[character] ?? character,
	(character) => `&#${character.codePointAt(0)};`,
	(character) => `&#x${character.codePointAt(0)?.toString(16)};`,
	(character) => (character === ' ' ? '+' : character),
	(character) => bytesAfter('%', character),
	(character) => bytesAfter('%25', character),
	(character) => bytesAfter('=', character),
];

function hexOf(text: string): string {
	return Buffer.from(text).toString('hex');
}

function bytesAfter(mark: string, character: string): string {
	return hexOf(character).replace(/../g, `${mark}$&`);
}

const encoders: readonly Encode[] = [
	(character: string) => character,
	...jsonEncoders,
	...formatEncoders,
	...jsonEncoders.map(
		(encode): Encode =>
			(character) =>
				escapeForJson(encode(character)),
	),
].flatMap((encode): readonly Encode[] => [
	encode,
	(character) => encode(character.toLowerCase()),
	(character) => encode(character.toUpperCase()),
]);

/** Masks a text wherever it is in others. */
import {escapeForJson, escapeUnit} from '../json.ts';

export interface TextMask {
	/** Returns a text of the same length. */
	apply(text: string): string;
	/** Masks what cannot be read as a record, in place. */
	applyToBytes(bytes: Buffer): void;
	/** Whether the text is in the bytes of a record. */
	isIn(bytes: Buffer): boolean;
	/** How many places were masked so far. */
	count(): number;
}

/**
 * Finds the text in upper and lower case, as it is or as other formats write it: JSON inside a text, HTML,
 * URLs, quoted-printable and hexadecimal.
 */
export function createTextMask(text: string): TextMask {
	const pattern = patternOf(text, (form) => [form]);
	// Latin-1 has a character for each byte.
	const bytePattern = patternOf(text, (form) =>
		[form, escapeForJson(form)].map((written) => Buffer.from(written).toString('latin1')),
	);
	let count = 0;
	return {
		apply: (given) =>
			given.replace(pattern, (found) => {
				count += 1;
				return '*'.repeat(found.length);
			}),
		applyToBytes(bytes) {
			for (const {0: found, index} of bytes.toString('latin1').matchAll(bytePattern)) {
				bytes.fill('*', index, index + found.length);
				count += 1;
			}
		},
		isIn: (bytes) => bytes.toString('latin1').search(bytePattern) !== -1,
		count: () => count,
	};
}

/** The engine refuses a pattern with choices for very many characters. */
const maxMixedLength = 256;

/** @param spell returns how a form is written where it is searched */
function patternOf(text: string, spell: (form: string) => readonly string[]): RegExp {
	const characters = Array.from(text);
	const whole = encoders.map((encode) => characters.map(encode).join(''));
	const mixed = characters.map((character) =>
		choiceOf(encoders.map((encode) => encode(character)).flatMap(spell)),
	);
	const forms = [...whole, hexOf(text), hexOf(text).toUpperCase()].flatMap(spell);
	// A text may mix the ways of writing a character.
	const isShort = characters.length <= maxMixedLength;
	return new RegExp(isShort ? `${mixed.join('')}|${choiceOf(forms)}` : choiceOf(forms), 'g');
}

function choiceOf(forms: readonly string[]): string {
	const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
	return `(?:${longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`;
}

type Encode = (character: string) => string;

const isAscii = /^[\0-\x7f]$/;

/** Some writers of JSON escape every slash, some all that is not ASCII. */
const jsonEncoders: readonly Encode[] = [
	escapeForJson,
	(character) => (character === '/' ? '\\/' : escapeForJson(character)),
	(character) => (isAscii.test(character) ? escapeForJson(character) : unitsOf(character)),
	(character) =>
		isAscii.test(character)
			? escapeForJson(character)
			: unitsOf(character).replace(/[0-9a-f]{4}/g, (digits) => digits.toUpperCase()),
	unitsOf,
];

function unitsOf(character: string): string {
	return character.split('').map(escapeUnit).join('');
}

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
	(character) => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`,
	(character) => (character === ' ' ? '+' : character),
	(character) => bytesAfter('%', character),
	(character) => bytesAfter('%', character).toUpperCase(),
	(character) => bytesAfter('%25', character),
	(character) => bytesAfter('%25', character).toUpperCase(),
	(character) => bytesAfter('=', character).toUpperCase(),
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
	...jsonEncoders.map(
		(encode): Encode =>
			(character) =>
				escapeForJson(encode(character)),
	),
	...formatEncoders,
].flatMap((encode): readonly Encode[] => [
	encode,
	(character) => encode(character.toLowerCase()),
	(character) => encode(character.toUpperCase()),
]);

/**
 * Makes a string that matches a simple regular expression: literals, classes, groups, choices and
 * counts. The expression comes from a client, so it is read here and never run.
 */

const maxPatternLength = 500;
const maxRepeats = 256;
const maxDepth = 20;

/** Thrown for what is not simple: look-around, back references, Unicode properties. */
class UnsupportedPattern extends Error {}

type Cursor = {readonly pattern: string; at: number; depth: number; readonly extra: number};

const classOfEscape: Readonly<Record<string, string>> = {
	d: '0',
	w: 'a',
	s: ' ',
	D: 'a',
	W: '-',
	S: 'a',
	t: '\t',
	n: '\n',
	r: '\r',
};

/** A matching string of at least `minLength` characters, or undefined when that is not simple. */
export function makeMatch(pattern: string, minLength: number): string | undefined {
	if (pattern.length > maxPatternLength) return undefined;
	for (let extra = 0; extra <= maxRepeats; extra = extra * 2 + 1) {
		const match = generate(pattern, extra);
		if (match === undefined || match.length >= minLength) return match;
	}
	return undefined;
}

/** @param extra How often more than needed a part is repeated, where it may be. */
function generate(pattern: string, extra: number): string | undefined {
	const cursor: Cursor = {pattern, at: 0, depth: 0, extra};
	try {
		const text = readChoice(cursor);
		return cursor.at === pattern.length ? text : undefined;
	} catch (error) {
		if (error instanceof UnsupportedPattern) return undefined;
		throw error;
	}
}

/** The first of `a|b|c`; the others are read past. */
function readChoice(cursor: Cursor): string {
	if (cursor.depth >= maxDepth) throw new UnsupportedPattern();
	cursor.depth += 1;
	const first = readSequence(cursor);
	while (cursor.pattern[cursor.at] === '|') {
		cursor.at += 1;
		readSequence(cursor);
	}
	cursor.depth -= 1;
	return first;
}

function readSequence(cursor: Cursor): string {
	let text = '';
	for (;;) {
		const character = cursor.pattern[cursor.at];
		if (character === undefined || character === '|' || character === ')') return text;
		const atom = readAtom(cursor);
		text += atom.repeat(readCount(cursor, atom));
		if (text.length > 4_096) throw new UnsupportedPattern();
	}
}

function readAtom(cursor: Cursor): string {
	const character = cursor.pattern[cursor.at] ?? '';
	cursor.at += 1;
	if (character === '^' || character === '$') return '';
	if (character === '.') return 'a';
	if (character === '[') return readClass(cursor);
	if (character === '(') return readGroup(cursor);
	if (character === '\\') return readEscape(cursor);
	if ('*+?{'.includes(character)) throw new UnsupportedPattern();
	return character;
}

function readGroup(cursor: Cursor): string {
	const head = /^\?(?::|<[A-Za-z]\w*>)/.exec(cursor.pattern.slice(cursor.at, cursor.at + 40));
	if (head !== null) cursor.at += head[0].length;
	else if (cursor.pattern[cursor.at] === '?') throw new UnsupportedPattern();
	const text = readChoice(cursor);
	if (cursor.pattern[cursor.at] !== ')') throw new UnsupportedPattern();
	cursor.at += 1;
	return text;
}

function readEscape(cursor: Cursor): string {
	const character = cursor.pattern[cursor.at] ?? '';
	cursor.at += 1;
	const known = classOfEscape[character];
	if (known !== undefined) return known;
	if (/[A-Za-z0-9]/.test(character) || character === '') throw new UnsupportedPattern();
	return character;
}

/** The first member of `[…]`; for `[^…]` a character that is none of them. */
function readClass(cursor: Cursor): string {
	const body = /^(\^?)((?:\\.|[^\]\\])*)\]/.exec(cursor.pattern.slice(cursor.at));
	if (body === null) throw new UnsupportedPattern();
	cursor.at += body[0].length;
	const members = body[2] ?? '';
	if (body[1] === '') return firstMember(members);
	const allowed = [...'aA0 -_.x~'].find((character) => !isMember(members, character));
	if (allowed === undefined) throw new UnsupportedPattern();
	return allowed;
}

function firstMember(members: string): string {
	if (members === '') throw new UnsupportedPattern();
	const escaped = /^\\(.)/.exec(members)?.[1];
	return escaped === undefined ? members.charAt(0) : (classOfEscape[escaped] ?? escaped);
}

function isMember(members: string, character: string): boolean {
	const ranges = members.matchAll(/(\\.|[^\\])(?:-(\\.|[^\\]))?/g);
	for (const [, low = '', high] of ranges) {
		if (low.length === 2 && /[dws]/i.test(low)) {
			if (/[\w\s]/.test(character)) return true;
			continue;
		}
		const first = low.at(-1) ?? '';
		const last = high?.at(-1) ?? first;
		if (character >= first && character <= last) return true;
	}
	return false;
}

/** How often an atom is repeated: its least count, and `extra` more as far as it allows. */
function readCount(cursor: Cursor, atom: string): number {
	const count = /^(?:([*+?])|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/.exec(
		cursor.pattern.slice(cursor.at, cursor.at + 20),
	);
	if (count === null) return 1;
	cursor.at += count[0].length;
	const [, sign, low, comma, high] = count;
	const least = low === undefined ? Number(sign === '+') : Number(low);
	const most = sign === '?' ? 1 : readMost(least, sign !== undefined || comma !== undefined, high);
	return atom === '' ? 0 : Math.min(least + cursor.extra, most);
}

function readMost(least: number, isOpen: boolean, high: string | undefined): number {
	if (high !== undefined && high !== '') return Number(high);
	return isOpen ? Math.max(least, maxRepeats) : least;
}

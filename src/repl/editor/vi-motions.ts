/** The motions of vi, from an offset in a text to another. */
import {nextBoundary, previousBoundary} from '../../terminal/width.ts';

/** Returns the offset to go to; undefined if there is none. */
type Motion = (text: string, at: number) => number | undefined;

const letters = '[\\p{L}\\p{N}\\p{M}_]+';
const others = '[^\\p{L}\\p{N}\\p{M}_\\s]+';

/** A word, or with a capital letter of the motion, everything up to a space. */
const word = `(?:${letters}|${others})`;
const bigWord = '\\S+';

export const motions: Readonly<Record<string, Motion>> = {
	h: (text, at) => (at > lineStart(text, at) ? previousBoundary(text, at) : undefined),
	l: (text, at) => (at < lineEnd(text, at) ? nextBoundary(text, at) : undefined),
	j: (text, at) => toLineOf(text, at, lineEnd(text, at) + 1),
	k: (text, at) => toLineOf(text, at, lineStart(text, at) - 1),
	w: wordStart(word),
	W: wordStart(bigWord),
	e: wordEnd(word),
	E: wordEnd(bigWord),
	b: wordBefore(word),
	B: wordBefore(bigWord),
	'0': lineStart,
	'^': firstNonBlank,
	$: lineEnd,
	gg: (text) => firstNonBlank(text, 0),
	G: (text) => firstNonBlank(text, text.length),
};

/** The motions with which an operator takes whole lines. */
export const lineMotion = /^(?:[jkG]|gg)$/;

/** The motions with which an operator takes the character that they lead to. */
export const inclusiveMotion = /^[eEft]/;

/**
 * Returns the motion to a character on the same line.
 *
 * @param find `f`, `F`, `t` or `T`, and the character
 * @param isAgain whether `t` and `T` pass over the character right beside them
 */
export function findMotion(find: string, isAgain: boolean): Motion {
	const [how = '', character = ''] = find;
	const isTill = how === 't' || how === 'T';
	const isSkip = isTill && isAgain;
	if (how === 'f' || how === 't') {
		return (text, at) => {
			const from = nextBoundary(text, isSkip ? nextBoundary(text, at) : at);
			const found = text.indexOf(character, from);
			if (found === -1 || found >= lineEnd(text, at)) return undefined;
			return isTill ? previousBoundary(text, found) : found;
		};
	}
	return (text, at) => {
		const until = isSkip ? previousBoundary(text, at) : at;
		const found = until === 0 ? -1 : text.lastIndexOf(character, until - 1);
		if (found < lineStart(text, at)) return undefined;
		return isTill ? nextBoundary(text, found) : found;
	};
}

export function lineStart(text: string, at: number): number {
	return text.slice(0, at).lastIndexOf('\n') + 1;
}

export function lineEnd(text: string, at: number): number {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end;
}

export function firstNonBlank(text: string, at: number): number {
	const start = lineStart(text, at);
	const blanks = /^[^\S\n]*/.exec(text.slice(start))?.[0] ?? '';
	return start + blanks.length;
}

/** Goes to the same column of another line, in which there is `place`. */
function toLineOf(text: string, at: number, place: number): number | undefined {
	if (place < 0 || place > text.length) return undefined;
	const start = lineStart(text, place);
	return Math.min(start + at - lineStart(text, at), lineEnd(text, start));
}

function wordStart(kind: string) {
	const pattern = new RegExp(`^(?:${kind})?\\s*`, 'u');
	return (text: string, at: number) => at + (pattern.exec(text.slice(at))?.[0].length ?? 0);
}

function wordEnd(kind: string) {
	const pattern = new RegExp(`^\\s*${kind}`, 'u');
	return (text: string, at: number) => {
		const from = nextBoundary(text, at);
		const end = from + (pattern.exec(text.slice(from))?.[0].length ?? 0);
		return previousBoundary(text, end);
	};
}

function wordBefore(kind: string) {
	const pattern = new RegExp(`${kind}\\s*$`, 'u');
	return (text: string, at: number) => pattern.exec(text.slice(0, at))?.index ?? 0;
}

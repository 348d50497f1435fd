/** The motions of vi, from an offset in a text to another. */
import {nextBoundary, previousBoundary} from '../../terminal/width.ts';

export type Motion = {
	/** Returns the offset to go to; undefined if there is none. */
	readonly go: (text: string, at: number) => number | undefined;
	/** How an operator takes the text up to there: with its last character, or in whole lines. */
	readonly kind?: 'inclusive' | 'lines';
};

const letters = '[\\p{L}\\p{N}\\p{M}_]+';
const others = '[^\\p{L}\\p{N}\\p{M}_\\s]+';

/** A word, or with a capital letter of the motion, everything up to a space. */
const word = `(?:${letters}|${others})`;
const bigWord = '\\S+';

export const motions: Readonly<Record<string, Motion>> = {
	h: {go: (text, at) => (at > lineStart(text, at) ? previousBoundary(text, at) : undefined)},
	l: {go: (text, at) => (at < lineEnd(text, at) ? nextBoundary(text, at) : undefined)},
	j: {go: lineBelow, kind: 'lines'},
	k: {go: lineAbove, kind: 'lines'},
	w: {go: wordStart(word)},
	W: {go: wordStart(bigWord)},
	e: {go: wordEnd(word), kind: 'inclusive'},
	E: {go: wordEnd(bigWord), kind: 'inclusive'},
	b: {go: wordBefore(word)},
	B: {go: wordBefore(bigWord)},
	'0': {go: lineStart},
	'^': {go: firstNonBlank},
	$: {go: lineEnd},
	gg: {go: (text) => firstNonBlank(text, 0), kind: 'lines'},
	G: {go: (text) => firstNonBlank(text, text.length), kind: 'lines'},
};

/** `f`, `F`, `t` and `T` with a character. `isAgain`: the next character does not count. */
export function findMotion(find: string, isAgain = false): Motion {
	const [how = 'f', character = ''] = find;
	const isTill = how === 't' || how === 'T';
	if (how === 'f' || how === 't') {
		return {
			go(text, at) {
				const from = nextBoundary(text, isTill && isAgain ? nextBoundary(text, at) : at);
				const found = text.indexOf(character, from);
				if (found === -1 || found >= lineEnd(text, at)) return undefined;
				return isTill ? previousBoundary(text, found) : found;
			},
			kind: 'inclusive',
		};
	}
	return {
		go(text, at) {
			const until = isTill && isAgain ? previousBoundary(text, at) : at;
			const found = until === 0 ? -1 : text.lastIndexOf(character, until - 1);
			if (found < lineStart(text, at)) return undefined;
			return isTill ? nextBoundary(text, found) : found;
		},
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

function lineBelow(text: string, at: number): number | undefined {
	const end = lineEnd(text, at);
	return end === text.length ? undefined : sameColumn(text, at, end + 1);
}

function lineAbove(text: string, at: number): number | undefined {
	const start = lineStart(text, at);
	return start === 0 ? undefined : sameColumn(text, at, lineStart(text, start - 1));
}

function sameColumn(text: string, at: number, start: number): number {
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

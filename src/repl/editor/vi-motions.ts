/** Vi motions, by key. */
import {nextBoundary, previousBoundary} from '../../terminal/width.ts';
import {type BufferPosition, type EditorBuffer, lineAt} from './buffer.ts';
import {
	type FindWords,
	firstNonBlank,
	lineEnd,
	lineStart,
	nextGrapheme,
	nextWordStart,
	previousGrapheme,
	spacedWords,
	viWords,
	wordBefore,
	wordEnd,
} from './motion.ts';
import {showSigns} from './signs.ts';

/** Returns the position to go to; undefined if there is none. */
export type ViMotion = (buffer: EditorBuffer, from: BufferPosition) => BufferPosition | undefined;

export const motions: Readonly<Record<string, ViMotion>> = {
	h: (buffer, from) => (from.column > 0 ? previousGrapheme(buffer, from) : undefined),
	l: (buffer, from) =>
		from.column < lineAt(buffer, from.line).length ? nextGrapheme(buffer, from) : undefined,
	j: (buffer, from) => inLine(buffer, from.line + 1, from.column),
	k: (buffer, from) => inLine(buffer, from.line - 1, from.column),
	w: nextWordStart(viWords),
	W: nextWordStart(spacedWords),
	e: lastOfWord(viWords),
	E: lastOfWord(spacedWords),
	b: wordBefore(viWords),
	B: wordBefore(spacedWords),
	'0': lineStart,
	'^': firstNonBlank,
	$: lineEnd,
	gg: (buffer) => firstNonBlank(buffer, {line: 0, column: 0}),
	G: (buffer) => firstNonBlank(buffer, {line: buffer.lines.length - 1, column: 0}),
};

/** The motions with which an operator takes whole lines. */
export const lineMotion = /^(?:[jkG]|gg)$/;

/** Inclusive motions: an operator also takes the target character. */
export const inclusiveMotion = /^[eEft]/;

/**
 * Returns the motion to a character on the same line.
 *
 * @param find `f`, `F`, `t` or `T`, and the character
 * @param isAgain whether `t` and `T` pass over the character right beside them
 */
export function findMotion(find: string, isAgain: boolean): ViMotion {
	const [how = '', character = ''] = find;
	const isTill = how === 't' || how === 'T';
	const isSkip = isTill && isAgain;
	const isRight = how === 'f' || how === 't';
	return (buffer, {line, column}) => {
		const text = showSigns(lineAt(buffer, line));
		const [beside, before] = isRight
			? [nextBoundary, previousBoundary]
			: [previousBoundary, nextBoundary];
		const from = isSkip ? beside(text, column) : column;
		const found = isRight
			? text.indexOf(character, nextBoundary(text, from))
			: text.slice(0, from).lastIndexOf(character);
		if (found === -1) return undefined;
		return {line, column: isTill ? before(text, found) : found};
	};
}

/** The last character of the word after the one under the cursor. */
function lastOfWord(findWords: FindWords): ViMotion {
	const toEnd = wordEnd(findWords);
	return (buffer, from) => previousGrapheme(buffer, toEnd(buffer, nextGrapheme(buffer, from)));
}

function inLine(buffer: EditorBuffer, line: number, column: number): BufferPosition | undefined {
	const text = buffer.lines[line];
	return text === undefined ? undefined : {line, column: Math.min(column, text.length)};
}

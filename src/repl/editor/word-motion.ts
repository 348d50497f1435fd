/**
 * Places to go to word by word. Words are what Unicode says, so that Thai and Japanese have them
 * too; a chip is a word. Line ends are passed like spaces.
 */
import {boundaryFrom, previousBoundary} from '../../terminal/width.ts';
import {type EditorBuffer, lineAt, type Position} from './buffer.ts';
import {chipOf} from './chip.ts';
import {graphemeLeft} from './motion.ts';

type Word = {readonly start: number; readonly end: number};

const segmenter = new Intl.Segmenter('en', {granularity: 'word'});

// A segmenter of Node 20 copies its whole input at every step, so it only ever sees a window.
const windowLength = 256;

/** The start of the word at or before the cursor; the start of the text if there is none. */
export function wordLeft(buffer: EditorBuffer): Position {
	let {line, column} = buffer.cursor;
	for (;;) {
		const text = lineAt(buffer, line).slice(0, column);
		const word = lastWord(buffer, text);
		if (word !== undefined) return {line, column: previousBoundary(text, word.start + 1)};
		if (line === 0) return {line, column: 0};
		line -= 1;
		column = lineAt(buffer, line).length;
	}
}

/** The end of the word at or behind the cursor; the end of the text if there is none. */
export function wordRight(buffer: EditorBuffer): Position {
	let {line, column} = buffer.cursor;
	for (;;) {
		const text = lineAt(buffer, line);
		const word = firstWord(buffer, text.slice(column));
		if (word !== undefined) return {line, column: boundaryFrom(text, column + word.end)};
		if (line === buffer.lines.length - 1) return {line, column: text.length};
		line += 1;
		column = 0;
	}
}

/** Left over white space, then over all that is none: what Ctrl-W deletes in a shell. */
export function spacedWordLeft(buffer: EditorBuffer): Position {
	let position = buffer.cursor;
	let isInWord = false;
	for (;;) {
		const left = graphemeLeft(buffer, position);
		if (left === position) return position;
		const isSpace = left.line !== position.line || isSpaceAt(buffer, left);
		if (isSpace && isInWord) return position;
		isInWord ||= !isSpace;
		position = left;
	}
}

function isSpaceAt(buffer: EditorBuffer, {line, column}: Position): boolean {
	return /\s/.test(lineAt(buffer, line).charAt(column));
}

function lastWord(buffer: EditorBuffer, text: string): Word | undefined {
	let end = text.length;
	let size = windowLength;
	while (end > 0) {
		const offset = Math.max(0, end - size);
		const word = findWords(buffer, text.slice(offset, end)).at(-1);
		// A word at the very start of the window may have begun before it.
		if (word !== undefined && (word.start > 0 || offset === 0)) return shift(word, offset);
		if (word !== undefined) size *= 2;
		else end = offset;
	}
	return undefined;
}

function firstWord(buffer: EditorBuffer, text: string): Word | undefined {
	let start = 0;
	let size = windowLength;
	while (start < text.length) {
		const end = start + size;
		const [word] = findWords(buffer, text.slice(start, end));
		// A word at the very end of the window may go on behind it.
		if (word !== undefined && (word.end < size || end >= text.length)) return shift(word, start);
		if (word !== undefined) size *= 2;
		else start = end;
	}
	return undefined;
}

function shift({start, end}: Word, offset: number): Word {
	return {start: start + offset, end: end + offset};
}

function findWords({chips}: EditorBuffer, text: string): readonly Word[] {
	const words: Word[] = [];
	for (const {segment, index, isWordLike} of segmenter.segment(text)) {
		// Marks behind a chip may be in its segment; they are no part of it.
		if (chipOf(segment, chips) !== undefined) words.push({start: index, end: index + 1});
		else if (isWordLike === true) words.push({start: index, end: index + segment.length});
	}
	return words;
}

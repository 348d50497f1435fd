/**
 * Cursor motions: by grapheme, word, line and row. All but `moveRow` return a position; a command
 * moves there, or deletes up to it. Vi keys use the same motions.
 */
import {boundaryFrom, nextBoundary, previousBoundary} from '../../terminal/width.ts';
import {type BufferPosition, type EditorBuffer, lineAt} from './buffer.ts';
import {cellOfCursor, columnAt, rowIndexOf, rowsOfLine} from './editor-layout.ts';
import {marks} from './paste-placeholder.ts';

/** Returns a position in the text; `from` defaults to the cursor. */
export type Motion = (buffer: EditorBuffer, from?: BufferPosition) => BufferPosition;

/**
 * The position before the grapheme, paste or line end to the left; at the start of the text,
 * `from`.
 */
export function previousGrapheme(
	buffer: EditorBuffer,
	from: BufferPosition = buffer.cursor,
): BufferPosition {
	const {line, column} = from;
	if (column > 0) return {line, column: previousBoundary(lineAt(buffer, line), column)};
	if (line === 0) return from;
	return {line: line - 1, column: lineAt(buffer, line - 1).length};
}

/**
 * The position after the grapheme, paste or line end to the right; at the end of the text, `from`.
 */
export function nextGrapheme(
	buffer: EditorBuffer,
	from: BufferPosition = buffer.cursor,
): BufferPosition {
	const {line, column} = from;
	const text = lineAt(buffer, line);
	if (column < text.length) return {line, column: nextBoundary(text, column)};
	if (line === buffer.lines.length - 1) return from;
	return {line: line + 1, column: 0};
}

export function lineStart({cursor}: EditorBuffer, {line} = cursor): BufferPosition {
	return {line, column: 0};
}

export function lineEnd(buffer: EditorBuffer, {line} = buffer.cursor): BufferPosition {
	return {line, column: lineAt(buffer, line).length};
}

/** The line's first character besides white space; the line's end if there is none. */
export function firstNonBlank(buffer: EditorBuffer, {line} = buffer.cursor): BufferPosition {
	const text = lineAt(buffer, line);
	const column = text.search(/\S/);
	return {line, column: column === -1 ? text.length : column};
}

/** The line's start; from there, the previous line's end. */
export function lineStartOrPrevious(buffer: EditorBuffer): BufferPosition {
	return buffer.cursor.column === 0 ? previousGrapheme(buffer) : lineStart(buffer);
}

/** The line's end; from there, the next line's start. */
export function lineEndOrNext(buffer: EditorBuffer): BufferPosition {
	const end = lineEnd(buffer);
	return buffer.cursor.column === end.column ? nextGrapheme(buffer) : end;
}

type Word = {readonly start: number; readonly end: number};

/** Returns the words in a part of a line. */
export type FindWords = (text: string) => readonly Word[];

const segmenter = new Intl.Segmenter('en', {granularity: 'word'});

/** Words as a dictionary knows them. */
export const naturalWords: FindWords = (text) => {
	const words: Word[] = [];
	for (const {segment, index, isWordLike} of segmenter.segment(text)) {
		// A segment may join combining marks to a folded paste; the paste alone is the word.
		const [mark] = segment.match(marks) ?? [];
		if (mark !== undefined) words.push({start: index, end: index + mark.length});
		else if (isWordLike === true) words.push({start: index, end: index + segment.length});
	}
	return words;
};

/** Everything between white space. A grapheme beginning with white space counts as white space. */
export const spacedWords: FindWords = (text) => {
	const words: Word[] = [];
	for (const {0: word, index} of text.matchAll(/\S+/g)) {
		const start = index === 0 ? 0 : nextBoundary(text, index - 1);
		const end = boundaryFrom(text, index + word.length);
		const last = words.at(-1);
		if (last !== undefined && last.end >= start) words[words.length - 1] = {...last, end};
		else if (start < end) words.push({start, end});
	}
	return words;
};

/** Vi words: runs of letters, and of other characters. */
export const viWords = matchesOf(/[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]+/gu);

function matchesOf(pattern: RegExp): FindWords {
	return (text) =>
		[...text.matchAll(pattern)].map(({0: word, index}) => ({
			start: index,
			end: index + word.length,
		}));
}

/**
 * Returns the motion to the start of the word at or before a position, or else to the text's start.
 */
export function wordBefore(findWords: FindWords): Motion {
	return (buffer, from = buffer.cursor) => {
		let {line, column} = from;
		for (;;) {
			const text = lineAt(buffer, line).slice(0, column);
			const word = lastWord(findWords, text);
			if (word !== undefined) return {line, column: previousBoundary(text, word.start + 1)};
			if (line === 0) return {line, column: 0};
			line -= 1;
			column = lineAt(buffer, line).length;
		}
	};
}

/** Returns the motion to the end of the word at or after a position, or else to the text's end. */
export function wordEnd(findWords: FindWords): Motion {
	return (buffer, from = buffer.cursor) => {
		const {line, end} = wordFrom(buffer, from, findWords);
		return {line, column: boundaryFrom(lineAt(buffer, line), end)};
	};
}

/** Returns the motion to the start of the word after the one at a position, or else to the end. */
export function nextWordStart(findWords: FindWords): Motion {
	return (buffer, from = buffer.cursor) => {
		const word = wordFrom(buffer, from, findWords);
		const isOnWord = word.line === from.line && word.start === from.column;
		const end = {line: word.line, column: word.end};
		const {line, start} = isOnWord ? wordFrom(buffer, end, findWords) : word;
		return {line, column: start};
	};
}

/** Returns the rest of the word at a position, or the next word, or the text's end. */
function wordFrom(
	buffer: EditorBuffer,
	from: BufferPosition,
	findWords: FindWords,
): Word & {readonly line: number} {
	let {line, column} = from;
	for (;;) {
		const text = lineAt(buffer, line);
		const word = firstWord(findWords, text.slice(column));
		if (word !== undefined) return {line, ...shift(word, column)};
		if (line === buffer.lines.length - 1) return {line, start: text.length, end: text.length};
		line += 1;
		column = 0;
	}
}

// A segmenter of Node 20 copies its whole input at every step, so it only ever sees a window.
const windowLength = 256;

function lastWord(findWords: FindWords, text: string): Word | undefined {
	let end = text.length;
	let size = windowLength;
	while (end > 0) {
		const offset = Math.max(0, end - size);
		const word = findWords(text.slice(offset, end)).at(-1);
		// A word at the window's start may begin before it.
		if (word !== undefined && (word.start > 0 || offset === 0)) return shift(word, offset);
		if (word !== undefined) size *= 2;
		else end = offset;
	}
	return undefined;
}

function firstWord(findWords: FindWords, text: string): Word | undefined {
	let start = 0;
	let size = windowLength;
	while (start < text.length) {
		const end = start + size;
		const [word] = findWords(text.slice(start, end));
		// A word at the window's end may continue after it.
		if (word !== undefined && (word.end < size || end >= text.length)) return shift(word, start);
		if (word !== undefined) size *= 2;
		else start = end;
	}
	return undefined;
}

function shift({start, end}: Word, offset: number): Word {
	return {start: start + offset, end: end + offset};
}

/**
 * Moves the cursor one screen row up (-1) or down (1), towards the cell where such a series began.
 * Returns `undefined` at the first or last row.
 */
export function moveRow(
	buffer: EditorBuffer,
	step: -1 | 1,
	width: number,
): EditorBuffer | undefined {
	const {line, column} = buffer.cursor;
	const rows = rowsOfLine(buffer, line, width);
	const index = rowIndexOf(rows, column);
	const cell = buffer.goalColumn ?? cellOfCursor(buffer, rows[index], width);
	const isInLine = rows[index + step] !== undefined;
	const targetLine = isInLine ? line : line + step;
	if (targetLine < 0 || targetLine >= buffer.lines.length) return undefined;
	const targetRows = isInLine ? rows : rowsOfLine(buffer, targetLine, width);
	const target = isInLine ? index + step : step === 1 ? 0 : targetRows.length - 1;
	const row = targetRows[target];
	if (row === undefined) return undefined;
	const isLast = target === targetRows.length - 1;
	const targetColumn = columnAt(buffer, row, {cell, width, isLast});
	return {...buffer, cursor: {line: targetLine, column: targetColumn}, goalColumn: cell};
}

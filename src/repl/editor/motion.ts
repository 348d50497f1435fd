/**
 * Where the cursor can go: by grapheme, word, line and row. All but `moveRow` return a position; a
 * command moves there, or deletes up to it.
 */
import {boundaryFrom, nextBoundary, previousBoundary} from '../../terminal/width.ts';
import {type BufferPosition, type EditorBuffer, lineAt} from './buffer.ts';
import {cellOf, columnAt, rowIndexOf, rowsOfLine} from './editor-layout.ts';
import {pasteOf} from './paste-placeholder.ts';

/** One grapheme, paste or line end to the left; `from` itself at the start of the text. */
export function previousGrapheme(
	buffer: EditorBuffer,
	from: BufferPosition = buffer.cursor,
): BufferPosition {
	const {line, column} = from;
	if (column > 0) return {line, column: previousBoundary(lineAt(buffer, line), column)};
	if (line === 0) return from;
	return {line: line - 1, column: lineAt(buffer, line - 1).length};
}

/** One grapheme, paste or line end to the right; the cursor itself at the end of the text. */
export function nextGrapheme(buffer: EditorBuffer): BufferPosition {
	const {line, column} = buffer.cursor;
	const text = lineAt(buffer, line);
	if (column < text.length) return {line, column: nextBoundary(text, column)};
	if (line === buffer.lines.length - 1) return buffer.cursor;
	return {line: line + 1, column: 0};
}

export function lineStart({cursor}: EditorBuffer): BufferPosition {
	return {line: cursor.line, column: 0};
}

export function lineEnd(buffer: EditorBuffer): BufferPosition {
	const {line} = buffer.cursor;
	return {line, column: lineAt(buffer, line).length};
}

/** The start of the line; from there, the end of the previous one. */
export function lineStartOrPrevious(buffer: EditorBuffer): BufferPosition {
	return buffer.cursor.column === 0 ? previousGrapheme(buffer) : lineStart(buffer);
}

/** The end of the line; from there, the start of the next one. */
export function lineEndOrNext(buffer: EditorBuffer): BufferPosition {
	const end = lineEnd(buffer);
	return buffer.cursor.column === end.column ? nextGrapheme(buffer) : end;
}

/** The start of the word at or before the cursor; the start of the text if there is none. */
export function previousWord(buffer: EditorBuffer): BufferPosition {
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

/** The end of the word at or after the cursor; the end of the text if there is none. */
export function nextWord(buffer: EditorBuffer): BufferPosition {
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

/** The start of the previous run of characters without white space, as Ctrl-W in a shell. */
export function previousWhitespaceWord(buffer: EditorBuffer): BufferPosition {
	let position = buffer.cursor;
	let isInWord = false;
	for (;;) {
		const left = previousGrapheme(buffer, position);
		if (left === position) return position;
		const isSpace = left.line !== position.line || isSpaceAt(buffer, left);
		if (isSpace && isInWord) return position;
		isInWord ||= !isSpace;
		position = left;
	}
}

function isSpaceAt(buffer: EditorBuffer, {line, column}: BufferPosition): boolean {
	return /\s/.test(lineAt(buffer, line).charAt(column));
}

type Word = {readonly start: number; readonly end: number};

const segmenter = new Intl.Segmenter('en', {granularity: 'word'});

// A segmenter of Node 20 copies its whole input at every step, so it only ever sees a window.
const windowLength = 256;

function lastWord(buffer: EditorBuffer, text: string): Word | undefined {
	let end = text.length;
	let size = windowLength;
	while (end > 0) {
		const offset = Math.max(0, end - size);
		const word = findWords(buffer, text.slice(offset, end)).at(-1);
		// A word at the start of the window may begin before it.
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
		// A word at the end of the window may continue after it.
		if (word !== undefined && (word.end < size || end >= text.length)) return shift(word, start);
		if (word !== undefined) size *= 2;
		else start = end;
	}
	return undefined;
}

function shift({start, end}: Word, offset: number): Word {
	return {start: start + offset, end: end + offset};
}

function findWords({pastes}: EditorBuffer, text: string): readonly Word[] {
	const words: Word[] = [];
	for (const {segment, index, isWordLike} of segmenter.segment(text)) {
		// A segment may join combining marks to a folded paste; the paste alone is the word.
		if (pasteOf(segment, pastes) !== undefined) words.push({start: index, end: index + 1});
		else if (isWordLike === true) words.push({start: index, end: index + segment.length});
	}
	return words;
}

/**
 * Moves the cursor one row of the screen up (-1) or down (1), towards the cell where a series of
 * such moves began. Returns `undefined` at the first or last row.
 */
export function moveRow(
	buffer: EditorBuffer,
	step: -1 | 1,
	width: number,
): EditorBuffer | undefined {
	const {line, column} = buffer.cursor;
	const rows = rowsOfLine(buffer, line, width);
	const index = rowIndexOf(rows, column);
	const cell = buffer.goalColumn ?? cellOf(buffer, buffer.cursor, rows[index]?.start ?? 0, width);
	const isInLine = rows[index + step] !== undefined;
	const targetLine = isInLine ? line : line + step;
	if (targetLine < 0 || targetLine >= buffer.lines.length) return undefined;
	const targetRows = isInLine ? rows : rowsOfLine(buffer, targetLine, width);
	const target = isInLine ? index + step : step === 1 ? 0 : targetRows.length - 1;
	const row = targetRows[target];
	if (row === undefined) return undefined;
	const isLast = target === targetRows.length - 1;
	const targetColumn = columnAt(buffer, targetLine, row, {cell, width, isLast});
	return {...buffer, cursor: {line: targetLine, column: targetColumn}, goalColumn: cell};
}

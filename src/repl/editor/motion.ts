/**
 * Places to go to from the cursor. Each function only names the place: a command moves there, or
 * deletes up to there.
 */
import {nextBoundary, previousBoundary} from '../../terminal/width.ts';
import {type EditorBuffer, lineAt, type Position} from './buffer.ts';

/** One grapheme, chip or line end to the left; the cursor itself at the start of the text. */
export function graphemeLeft(buffer: EditorBuffer, from: Position = buffer.cursor): Position {
	const {line, column} = from;
	if (column > 0) return {line, column: previousBoundary(lineAt(buffer, line), column)};
	if (line === 0) return from;
	return {line: line - 1, column: lineAt(buffer, line - 1).length};
}

/** One grapheme, chip or line end to the right; the cursor itself at the end of the text. */
export function graphemeRight(buffer: EditorBuffer, from: Position = buffer.cursor): Position {
	const {line, column} = from;
	const text = lineAt(buffer, line);
	if (column < text.length) return {line, column: nextBoundary(text, column)};
	if (line === buffer.lines.length - 1) return from;
	return {line: line + 1, column: 0};
}

export function lineStart({cursor}: EditorBuffer): Position {
	return {line: cursor.line, column: 0};
}

export function lineEnd(buffer: EditorBuffer): Position {
	const {line} = buffer.cursor;
	return {line, column: lineAt(buffer, line).length};
}

/** The start of the line; from there, over the line end before it. */
export function lineStartOrBefore(buffer: EditorBuffer): Position {
	return buffer.cursor.column === 0 ? graphemeLeft(buffer) : lineStart(buffer);
}

/** The end of the line; from there, over the line end itself. */
export function lineEndOrBehind(buffer: EditorBuffer): Position {
	const end = lineEnd(buffer);
	return buffer.cursor.column === end.column ? graphemeRight(buffer) : end;
}

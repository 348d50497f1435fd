/**
 * The edited text as a value: lines, a cursor between two graphemes, and folded pastes. Its lines
 * contain no control characters except tabs, signs and paste marks, and no lone surrogates.
 */
import {boundaryFrom} from '../../terminal/width.ts';
import {expandPastes, type PastePlaceholder} from './paste-placeholder.ts';
import {showSigns} from './signs.ts';

/** A line index, and a string index between two graphemes. */
export type BufferPosition = {readonly line: number; readonly column: number};

export type EditorBuffer = {
	/** Never empty. A change copies this list and the strings it touches, nothing else. */
	readonly lines: readonly string[];
	readonly cursor: BufferPosition;
	/** The folded pastes by number; the marks in the lines refer to them. */
	readonly pastes: readonly PastePlaceholder[];
	/** The cell Up and Down aim for; only they keep it. */
	readonly goalColumn: number | undefined;
};

export const emptyBuffer: EditorBuffer = {
	lines: [''],
	cursor: {line: 0, column: 0},
	pastes: [],
	goalColumn: undefined,
};

/** Returns the text to send: `\n` between lines, every paste in full. */
export function expand({lines, pastes}: EditorBuffer): string {
	return expandPastes(lines.join('\n'), pastes);
}

export function isEmpty({lines}: EditorBuffer): boolean {
	return lines.length === 1 && lines[0] === '';
}

/** Returns a line's string; empty outside the text. */
export function lineAt({lines}: EditorBuffer, line: number): string {
	return lines[line] ?? '';
}

/** Moves the cursor; a position inside a grapheme becomes its end. */
export function moveTo(buffer: EditorBuffer, position: BufferPosition): EditorBuffer {
	const line = Math.max(0, Math.min(position.line, buffer.lines.length - 1));
	const text = lineAt(buffer, line);
	const column = boundaryFrom(text, Math.max(0, Math.min(position.column, text.length)));
	return {...buffer, cursor: {line, column}, goalColumn: undefined};
}

export function isBefore(first: BufferPosition, second: BufferPosition): boolean {
	return first.line === second.line ? first.column < second.column : first.line < second.line;
}

/** Returns the lines as they are shown, at the same offsets; pastes stay marks. */
export function shownText({lines}: EditorBuffer): string {
	return showSigns(lines.join('\n'));
}

export function moveToEnd(buffer: EditorBuffer): EditorBuffer {
	return moveTo(buffer, {line: buffer.lines.length - 1, column: Number.POSITIVE_INFINITY});
}

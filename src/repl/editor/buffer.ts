/**
 * The text being written, as a value: lines, a cursor between two graphemes, and folded pastes.
 * Its lines hold no control characters but tabs and the marks of chips, and no half surrogate pairs.
 */
import {boundaryFrom} from '../../terminal/width.ts';
import {type Chip, expandChips, labelChips} from './chip.ts';

/** A place in the text: a line, and an index into its string that lies between two graphemes. */
export type Position = {readonly line: number; readonly column: number};

export type EditorBuffer = {
	/** At least one. A change copies this list and the strings it touches, nothing else. */
	readonly lines: readonly string[];
	readonly cursor: Position;
	/** The folded pastes by number; the marks in the lines refer to them. Kept until `emptyBuffer`. */
	readonly chips: readonly Chip[];
	/** The cell that Up and Down aim for; only they keep it. */
	readonly goalColumn: number | undefined;
};

export const emptyBuffer: EditorBuffer = {
	lines: [''],
	cursor: {line: 0, column: 0},
	chips: [],
	goalColumn: undefined,
};

/** The text as it is to be sent: with `\n` between lines and every paste in full. */
export function expand({lines, chips}: EditorBuffer): string {
	return expandChips(lines.join('\n'), chips);
}

/** The text as it is shown, with `\n` between lines and long pastes folded. */
export function describe({lines, chips}: EditorBuffer): string {
	return labelChips(lines.join('\n'), chips);
}

export function isEmpty({lines}: EditorBuffer): boolean {
	return lines.length === 1 && lines[0] === '';
}

/** The string of a line; empty outside the text. */
export function lineAt({lines}: EditorBuffer, line: number): string {
	return lines[line] ?? '';
}

/** The buffer with its cursor there; inside a grapheme it goes to its end. */
export function moveTo(buffer: EditorBuffer, position: Position): EditorBuffer {
	const line = Math.max(0, Math.min(position.line, buffer.lines.length - 1));
	const text = lineAt(buffer, line);
	const column = boundaryFrom(text, Math.max(0, Math.min(position.column, text.length)));
	return {...buffer, cursor: {line, column}, goalColumn: undefined};
}

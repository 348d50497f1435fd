/**
 * The two changes of a buffer that all others are made of: text goes in at the cursor, and the
 * text between the cursor and another position goes out.
 */

import {type EditorBuffer, emptyBuffer, lineAt, moveTo, type Position} from './buffer.ts';
import {createChip, markOf} from './chip.ts';

/** A buffer with this text, the cursor at its end. */
export function createBuffer(text: string): EditorBuffer {
	return insertText(emptyBuffer, text);
}

/** Puts text before the cursor. Line ends become `\n`; other control characters are dropped. */
export function insertText(buffer: EditorBuffer, text: string): EditorBuffer {
	return insertClean(buffer, cleanText(text));
}

export function insertNewline(buffer: EditorBuffer): EditorBuffer {
	return insertClean(buffer, '\n');
}

/** As `insertText`, in one change; more than 10 lines or 2,000 characters are folded to a chip. */
export function insertPaste(buffer: EditorBuffer, text: string): EditorBuffer {
	const clean = cleanText(text);
	const chip = createChip(clean, buffer.chips);
	if (chip === undefined) return insertClean(buffer, clean);
	const chips = [...buffer.chips, chip];
	return insertClean({...buffer, chips}, markOf(buffer.chips.length));
}

/** Removes what is between the cursor and a position on either side of it. */
export function deleteTo(buffer: EditorBuffer, position: Position): EditorBuffer {
	const [from, to] = inOrder(buffer.cursor, position);
	const before = lineAt(buffer, from.line).slice(0, from.column);
	const after = lineAt(buffer, to.line).slice(to.column);
	const lines = [
		...buffer.lines.slice(0, from.line),
		before + after,
		...buffer.lines.slice(to.line + 1),
	];
	return moveTo({...buffer, lines}, from);
}

/**
 * The buffer with a new line in place of a `\` that ends the cursor's line, right before the
 * cursor; `undefined` if there is none.
 */
export function continueLine(buffer: EditorBuffer): EditorBuffer | undefined {
	const {line, column} = buffer.cursor;
	const text = lineAt(buffer, line);
	if (column !== text.length || !text.endsWith('\\')) return undefined;
	return insertNewline(deleteTo(buffer, {line, column: column - 1}));
}

function insertClean(buffer: EditorBuffer, text: string): EditorBuffer {
	const {line, column} = buffer.cursor;
	const old = lineAt(buffer, line);
	const inserted = `${old.slice(0, column)}${text}`.split('\n');
	const last = inserted.length - 1;
	const lastLine = inserted[last] ?? '';
	inserted[last] = lastLine + old.slice(column);
	const lines = [...buffer.lines.slice(0, line), ...inserted, ...buffer.lines.slice(line + 1)];
	return moveTo({...buffer, lines}, {line: line + last, column: lastLine.length});
}

function inOrder(first: Position, second: Position): readonly [Position, Position] {
	const isInOrder =
		first.line === second.line ? first.column <= second.column : first.line < second.line;
	return isInOrder ? [first, second] : [second, first];
}

function cleanText(text: string): string {
	return text
		.replace(/\r\n?/g, '\n')
		.replace(/(?![\n\t])\p{Cc}/gu, '')
		.replace(/\p{Surrogate}/gu, '\ufffd');
}

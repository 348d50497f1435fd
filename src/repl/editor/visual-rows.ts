/**
 * The lines of a buffer as rows of a screen: one line may be many rows, broken after spaces. A row never
 * fills more than `width` cells, and spaces at its end that have no room are not shown; the cursor after
 * a full row stands in the next cell, which must exist.
 */
import {
	graphemes,
	type LineRow,
	type MeasureGrapheme,
	measureGrapheme,
	nextBoundary,
	textWidth,
	truncateToWidth,
	wrapWords,
} from '../../terminal/width.ts';
import {type EditorBuffer, lineAt, type Position} from './buffer.ts';
import {type Chip, chipOf} from './chip.ts';

/** A part of a row as it is shown. */
export type RowPiece = {readonly text: string; readonly isChip: boolean};

/** The rows of one line; at least one. */
export function rowsOfLine(buffer: EditorBuffer, line: number, width: number): readonly LineRow[] {
	return wrapWords(lineAt(buffer, line), width, measureIn(buffer.chips, width));
}

/** The index of the row that shows a column; where two rows meet it is the second. */
export function rowIndexOf(rows: readonly LineRow[], column: number): number {
	return Math.max(
		0,
		rows.findLastIndex((row) => row.start <= column),
	);
}

/** The cells before a position in its row, which starts at the column `rowStart`. */
export function cellOf(
	buffer: EditorBuffer,
	{line, column}: Position,
	rowStart: number,
	width: number,
): number {
	const text = lineAt(buffer, line).slice(rowStart, column);
	return Math.min(textWidth(text, measureIn(buffer.chips, width)), width);
}

/** The column of a row that is nearest to a cell without lying right of it. */
export function columnAt(
	buffer: EditorBuffer,
	line: number,
	row: LineRow,
	{cell, width, isLast}: {readonly cell: number; readonly width: number; readonly isLast: boolean},
): number {
	const text = lineAt(buffer, line);
	const measure = measureIn(buffer.chips, width);
	let column = row.start;
	let used = 0;
	while (column < row.end) {
		const next = nextBoundary(text, column);
		used += measure(text.slice(column, next), used);
		// The end of a wrapped row is the start of the one below.
		if (Math.min(used, width) > cell || (next === row.end && !isLast)) break;
		column = next;
	}
	return column;
}

/** What a row shows: tabs as spaces, chips by their labels. Neighbours are never both text. */
export function piecesOf(
	buffer: EditorBuffer,
	line: number,
	row: LineRow,
	width: number,
): readonly RowPiece[] {
	const pieces: RowPiece[] = [];
	const measure = measureIn(buffer.chips, width);
	let text = '';
	let cell = 0;
	for (const grapheme of graphemes(lineAt(buffer, line).slice(row.start, row.end))) {
		const cells = measure(grapheme, cell);
		const chip = chipOf(grapheme, buffer.chips);
		cell += cells;
		if (chip === undefined) {
			text += grapheme === '\t' ? ' '.repeat(cells) : grapheme;
			continue;
		}
		if (text !== '') pieces.push({text, isChip: false});
		pieces.push({text: truncateToWidth(chip.label, width), isChip: true});
		text = '';
	}
	// Spaces that hang over the edge.
	if (cell > width) text = text.slice(0, width - cell);
	if (text !== '') pieces.push({text, isChip: false});
	return pieces;
}

/**
 * A tab or a chip is cut to the width, so that it fits into a row of its own. The widths found are
 * remembered, because a text has few different graphemes and each is dear to measure.
 */
function measureIn(chips: readonly Chip[], width: number): MeasureGrapheme {
	const known = new Map<string, number>();
	return (grapheme, column) => {
		if (grapheme === '\t') return Math.min(measureGrapheme(grapheme, column), width);
		const found = known.get(grapheme);
		if (found !== undefined) return found;
		const chip = chipOf(grapheme, chips);
		const cells =
			chip === undefined
				? measureGrapheme(grapheme, column)
				: Math.min(textWidth(chip.label), width);
		known.set(grapheme, cells);
		return cells;
	};
}

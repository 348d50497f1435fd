/**
 * The screen rows showing a buffer. A line may take many rows, broken after spaces. A row fills at
 * most `width` cells, not counting trailing spaces that do not fit; the cursor after a full row is
 * in the next cell, which must exist.
 */
import {
	graphemes,
	type MeasureGrapheme,
	measureGrapheme,
	nextBoundary,
	textWidth,
	truncateToWidth,
} from '../../terminal/width.ts';
import {type LineRow, wrapWords} from '../../terminal/wrap-line.ts';
import {type EditorBuffer, lineAt} from './buffer.ts';
import {type PastePlaceholder, pasteOf} from './paste-placeholder.ts';
import {characterOf} from './signs.ts';

export type EditorLayout = {
	/** The visible rows, 1 to `maxRows`. */
	readonly rows: ReadonlyArray<readonly RowPiece[]>;
	/** The cursor among them: `x` in cells, 0 to `width`, `y` in rows. */
	readonly cursor: {readonly x: number; readonly y: number};
	readonly hasMoreAbove: boolean;
	readonly hasMoreBelow: boolean;
};

export type PlacedRow = LineRow & {readonly line: number};

/**
 * Lays out at most `maxRows` rows with at most `width` cells (each at least 1), centering the
 * cursor if the text does not fit. Only these are computed, so a long text costs no more than a
 * short one. The cursor after a full row is in the next cell: leave one column free at the right.
 */
export function layoutEditor(buffer: EditorBuffer, width: number, maxRows: number): EditorLayout {
	const rowWidth = Math.max(1, width);
	const rowLimit = Math.max(1, maxRows);
	const {cursor, lines} = buffer;
	const own = rowsOfLine(buffer, cursor.line, rowWidth);
	const ownIndex = rowIndexOf(own, cursor.column);
	const above = own.slice(0, ownIndex);
	for (let line = cursor.line - 1; line >= 0 && above.length < rowLimit; line -= 1) {
		above.unshift(...rowsOfLine(buffer, line, rowWidth).slice(-rowLimit));
	}
	const below = own.slice(ownIndex);
	for (let line = cursor.line + 1; line < lines.length && below.length <= rowLimit; line += 1) {
		below.push(...rowsOfLine(buffer, line, rowWidth).slice(0, rowLimit));
	}
	const all = [...above, ...below];
	const centred = above.length - Math.floor((rowLimit - 1) / 2);
	const top = Math.max(0, Math.min(centred, all.length - rowLimit));
	const visible = all.slice(top, top + rowLimit);
	return {
		rows: visible.map((row) => piecesOf(buffer, row, rowWidth)),
		cursor: {
			x: cellOfCursor(buffer, own[ownIndex], rowWidth),
			y: above.length - top,
		},
		hasMoreAbove: top > 0,
		hasMoreBelow: all.length > top + rowLimit,
	};
}

/** A row segment, as shown; `isLive` for pastes and signs, which are more than text. */
type RowPiece = {readonly text: string; readonly isLive: boolean};

/** Returns a line's rows; at least one. */
export function rowsOfLine(
	buffer: EditorBuffer,
	line: number,
	width: number,
): readonly PlacedRow[] {
	const rows = wrapWords(lineAt(buffer, line), width, {measure: measureIn(buffer.pastes, width)});
	return rows.map((row) => ({...row, line}));
}

/** Returns the index of the row showing a column; where two rows meet, the second. */
export function rowIndexOf(rows: readonly LineRow[], column: number): number {
	return Math.max(
		0,
		rows.findLastIndex((row) => row.start <= column),
	);
}

/** Returns the cells before the cursor in its row. */
export function cellOfCursor(
	buffer: EditorBuffer,
	row: PlacedRow | undefined,
	width: number,
): number {
	const {line, column} = buffer.cursor;
	const text = lineAt(buffer, line).slice(row?.start, column);
	return Math.min(textWidth(text, measureIn(buffer.pastes, width)), width);
}

/** Returns a row's column nearest to a cell, but not right of it. */
export function columnAt(
	buffer: EditorBuffer,
	row: PlacedRow,
	{cell, width, isLast}: {readonly cell: number; readonly width: number; readonly isLast: boolean},
): number {
	const text = lineAt(buffer, row.line);
	const measure = measureIn(buffer.pastes, width);
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

/** Returns a row's pieces: tabs as spaces, pastes by their labels, adjacent text joined. */
function piecesOf(buffer: EditorBuffer, row: PlacedRow, width: number): readonly RowPiece[] {
	const pieces: RowPiece[] = [];
	const measure = measureIn(buffer.pastes, width);
	let text = '';
	let cell = 0;
	for (const grapheme of graphemes(lineAt(buffer, row.line).slice(row.start, row.end))) {
		const cells = measure(grapheme, cell);
		const label = pasteOf(grapheme, buffer.pastes)?.label ?? characterOf(grapheme);
		cell += cells;
		if (label === undefined) {
			text += grapheme === '\t' ? ' '.repeat(cells) : grapheme;
			continue;
		}
		if (text !== '') pieces.push({text, isLive: false});
		pieces.push({text: truncateToWidth(label, width), isLive: true});
		text = '';
	}
	// Spaces past the edge.
	if (cell > width) text = text.slice(0, width - cell);
	if (text !== '') pieces.push({text, isLive: false});
	return pieces;
}

/**
 * Returns a measure cutting a tab or a paste to the width, so that it fits into its own row. Widths
 * are cached: a text has few different graphemes, and measuring one is expensive.
 */
function measureIn(pastes: readonly PastePlaceholder[], width: number): MeasureGrapheme {
	const known = new Map<string, number>();
	return (grapheme, column) => {
		if (grapheme === '\t') return Math.min(measureGrapheme(grapheme, column), width);
		const found = known.get(grapheme);
		if (found !== undefined) return found;
		const paste = pasteOf(grapheme, pastes);
		const cells =
			paste === undefined
				? measureGrapheme(characterOf(grapheme) ?? grapheme, column)
				: Math.min(textWidth(paste.label), width);
		known.set(grapheme, cells);
		return cells;
	};
}

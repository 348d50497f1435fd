/**
 * The visible part of a buffer: as many rows around the cursor as there is room for. Only these are
 * computed, so that a long text costs the same as a short one.
 */

import type {LineRow} from '../../terminal/wrap-line.ts';
import type {EditorBuffer} from './buffer.ts';
import {cellOf, piecesOf, type RowPiece, rowIndexOf, rowsOfLine} from './visual-rows.ts';

export type EditorLayout = {
	/** The visible rows, 1 to `maxRows`. */
	readonly rows: ReadonlyArray<readonly RowPiece[]>;
	/** The cursor among them: `x` in cells, 0 to `width`, `y` in rows. */
	readonly cursor: {readonly x: number; readonly y: number};
	readonly hasMoreAbove: boolean;
	readonly hasMoreBelow: boolean;
};

type PlacedRow = {readonly line: number; readonly row: LineRow};

/**
 * Lays out at most `maxRows` rows of at most `width` cells (each at least 1), with the cursor in the
 * middle if the text does not fit. The cursor after a full row is in the next cell: leave one column
 * free at the right.
 */
export function layoutEditor(buffer: EditorBuffer, width: number, maxRows: number): EditorLayout {
	const rowWidth = Math.max(1, width);
	const rowLimit = Math.max(1, maxRows);
	const {cursor, lines} = buffer;
	const own = placeRows(buffer, cursor.line, rowWidth);
	const ownIndex = rowIndexOf(
		own.map(({row}) => row),
		cursor.column,
	);
	const above = own.slice(0, ownIndex);
	for (let line = cursor.line - 1; line >= 0 && above.length < rowLimit; line -= 1) {
		above.unshift(...placeRows(buffer, line, rowWidth).slice(-rowLimit));
	}
	const below = own.slice(ownIndex);
	for (let line = cursor.line + 1; line < lines.length && below.length <= rowLimit; line += 1) {
		below.push(...placeRows(buffer, line, rowWidth).slice(0, rowLimit));
	}
	const all = [...above, ...below];
	const centred = above.length - Math.floor((rowLimit - 1) / 2);
	const top = Math.max(0, Math.min(centred, all.length - rowLimit));
	const visible = all.slice(top, top + rowLimit);
	return {
		rows: visible.map(({line, row}) => piecesOf(buffer, line, row, rowWidth)),
		cursor: {
			x: cellOf(buffer, cursor, own[ownIndex]?.row.start ?? 0, rowWidth),
			y: above.length - top,
		},
		hasMoreAbove: top > 0,
		hasMoreBelow: all.length > top + rowLimit,
	};
}

function placeRows(buffer: EditorBuffer, line: number, width: number): PlacedRow[] {
	return rowsOfLine(buffer, line, width).map((row) => ({line, row}));
}

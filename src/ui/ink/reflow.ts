/**
 * Handles a window that gets narrower: most terminals rewrap the rows of the frame, so erasing as
 * many rows as were drawn would leave some behind.
 */
import {type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import {truncateToWidth} from '../../terminal/width.ts';
import {wrapCells} from '../../terminal/wrap-line.ts';
import type {Frame} from './frame-input.ts';

const eraseBelow = '\u001b[J';
const eraseRow = '\u001b[2K';
const up = '\u001b[A';

/** Fits a row into the columns; a row that is cut loses its styles. */
export function fitRow(row: SafeText, columns: number): string {
	const text = stripUnsafe(row);
	const shown = truncateToWidth(text, columns);
	return shown === text ? row : shown;
}

/**
 * Returns what erases a frame after its window got narrower, and puts the cursor where it would be in
 * an unwrapped frame; empty if no row was wrapped.
 *
 * Erases row by row, because the frame may start at the top of the window: erasing from there on,
 * tmux moves the rows into the scrollback (its `scroll-on-clear`).
 */
export function eraseWrapped(
	{frame: {rows, cursor}, columns}: {readonly frame: Frame; readonly columns: number},
	newColumns: number,
): string {
	const rowsAbove = cursor?.y ?? rows.length;
	let wrapped = 0;
	for (const row of rows.slice(0, rowsAbove)) {
		wrapped += wrapCells(stripUnsafe(fitRow(row, columns)), newColumns).length;
	}
	if (wrapped === rowsAbove) return '';
	const above = `${up}${eraseRow}`.repeat(wrapped);
	return `${eraseBelow}${eraseRow}${above}\r${'\n'.repeat(rowsAbove)}`;
}

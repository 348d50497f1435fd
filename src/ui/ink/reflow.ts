/**
 * What a window that gets narrower does to the frame in it: most terminals wrap its rows anew, and
 * whoever erases as many rows as were drawn leaves some of them behind.
 */
import {type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import {truncateToWidth} from '../../terminal/width.ts';
import {wrapCells} from '../../terminal/wrap-line.ts';
import type {Frame} from './frame-input.ts';

const eraseBelow = '\u001b[J';
const eraseRow = '\u001b[2K';
const up = '\u001b[A';

/** A row in a window of so many columns; without its styles if it is too wide and has to be cut. */
export function fitRow(row: SafeText, columns: number): string {
	const text = stripUnsafe(row);
	const shown = truncateToWidth(text, columns);
	return shown === text ? row : shown;
}

/**
 * Erases a frame that was drawn in a window of so many columns and now stands in one of fewer. Puts
 * the cursor where it would be in a frame that had not been wrapped. Empty if nothing was.
 *
 * Row by row, because the frame may begin where the window does: what tmux is told to erase from
 * there on, it puts into the scrollback (its `scroll-on-clear`).
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

/**
 * What a window that gets narrower does to the frame in it: most terminals wrap its rows anew, and
 * whoever erases as many rows as were drawn leaves some of them behind.
 */
import {type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import {truncateToWidth, wrapToWidth} from '../../terminal/width.ts';
import type {Frame} from './frame.ts';

const eraseBelow = '\u001b[J';

/** A row in a window of so many columns; without its styles if it is too wide and has to be cut. */
export function fitRow(row: SafeText, columns: number): string {
	const text = stripUnsafe(row);
	const shown = truncateToWidth(text, columns);
	return shown === text ? row : shown;
}

/**
 * Erases a frame that was drawn in a window of so many columns and now stands in one of fewer. Puts
 * the cursor where it would be in a frame that had not been wrapped. Empty if nothing was.
 */
export function eraseWrapped(
	{frame: {rows, cursor}, columns}: {readonly frame: Frame; readonly columns: number},
	newColumns: number,
): string {
	const rowsAbove = cursor?.y ?? rows.length;
	let wrapped = 0;
	for (const row of rows.slice(0, rowsAbove)) {
		wrapped += wrapToWidth(stripUnsafe(fitRow(row, columns)), newColumns).length;
	}
	if (wrapped === rowsAbove) return '';
	return `\u001b[${wrapped}A\r${eraseBelow}${'\n'.repeat(rowsAbove)}`;
}

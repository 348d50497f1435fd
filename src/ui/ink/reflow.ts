/**
 * Erases the frame when the window gets another size. Most terminals rewrap its rows in a narrower
 * one, and drop the rows below the cursor in a lower one, so that Ink would erase too few or too many.
 */
import {wrapCells} from '../../terminal/wrap-line.ts';
import type {Cursor} from './frame-input.ts';
import {eraseBelowByTwo} from './ink-output.ts';

const eraseRow = '\u001b[2K';
const up = '\u001b[A';

/** The rows of a frame as they were drawn, without styles. */
export type DrawnRows = {readonly rows: readonly string[]; readonly cursor: Cursor | undefined};

/**
 * Returns what erases a frame, wrapped at the width of its window, and then puts the cursor where Ink
 * expects it in an empty frame of the same height.
 *
 * Erases row by row, because the frame may start at the top of the window: erasing from there on,
 * tmux moves the rows into the scrollback (its `scroll-on-clear`).
 */
export function eraseFrame({rows, cursor}: DrawnRows, columns: number): string {
	const above = cursor?.y ?? rows.length;
	const wrapped = rows
		.slice(0, above)
		.reduce((count, row) => count + wrapCells(row, columns).length, 0);
	// The row of the cursor is wrapped too, and the cursor is in one of its parts.
	const climb = wrapped + Math.floor((cursor?.x ?? 0) / columns);
	const below = rows.length - above;
	const erasing = `${eraseBelowByTwo}${eraseRow}${`${up}${eraseRow}`.repeat(climb)}`;
	return `${erasing}\r${'\n'.repeat(rows.length)}${up.repeat(below)}`;
}

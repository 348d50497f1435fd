/**
 * Erases the frame on a window resize. Most terminals rewrap its rows in a narrower window, and
 * drop the rows below the cursor in a lower one, so Ink would erase too few or too many.
 */
import type {Size} from '../../../repl/geometry.ts';
import type {Reflow} from '../../../terminal/capabilities.ts';
import {wrapCells} from '../../../terminal/wrap-line.ts';
import type {Cursor} from '../live/frame-input.ts';

const eraseBelow = '\u001b[J';
const eraseRow = '\u001b[2K';
const up = '\u001b[A';

/** The frame's rows as drawn, without styles. */
export type DrawnRows = {
	readonly rows: readonly string[];
	readonly cursor: Cursor | undefined;
	/** The window size. */
	readonly size: Size;
};

/** A terminal's cursor, counted from 0, and the window size at that moment. */
export type CursorReport = {readonly cursor: Cursor; readonly size: Size};

/**
 * Returns the sequence removing a frame after a resize. The terminal may have had another size in
 * between, unknown to the program or not yet known: its own report then decides what to erase. A
 * cursor no single resize could explain means the frame's rows may be anywhere. They stay, since
 * erasing could hit an answer.
 */
export function clearFrame(
	drawn: DrawnRows,
	place: CursorReport | undefined,
	size: Size,
	reflow: Reflow,
): string {
	if (place === undefined) return eraseFrame(drawn, size, reflow);
	return isPlausible(drawn, place) ? eraseFrame(drawn, place.size, reflow) : skipFrame(drawn);
}

function isPlausible({rows, cursor}: DrawnRows, place: CursorReport): boolean {
	const {x, y} = cursor ?? {x: 0, y: rows.length};
	const {columns} = place.size;
	const isColumn = [Math.min(x, columns - 1), x % columns].includes(place.cursor.x);
	return isColumn && place.cursor.y >= Math.min(y, place.size.rows - 1);
}

/** Leaves the frame, and puts the cursor below the window as `eraseFrame` does. */
function skipFrame({rows, cursor}: DrawnRows): string {
	const below = rows.length - (cursor?.y ?? rows.length);
	return `\u001b[${maxRows}B\r${'\n'.repeat(rows.length + 1)}${up.repeat(below)}`;
}

/** More rows than a window has. */
const maxRows = 9999;

/**
 * Returns the sequence erasing a frame, wrapped at its window's width, and then placing the cursor
 * where Ink expects it in an empty frame of the same height. Erases row by row, because the frame
 * may start at the window's top: when erasing from there, tmux moves the rows into the scrollback
 * (its `scroll-on-clear`).
 */
export function eraseFrame(drawn: DrawnRows, size: Size, reflow: Reflow): string {
	const {rows, cursor} = drawn;
	const above = cursor?.y ?? rows.length;
	const climb = above + addedRows[reflow](drawn, size);
	const below = rows.length - above;
	const erasing = `${eraseBelow}${eraseRow}${`${up}${eraseRow}`.repeat(climb)}`;
	return `${erasing}\r${'\n'.repeat(rows.length)}${up.repeat(below)}`;
}

/** Rows added between the frame's top and the cursor. */
const addedRows: Readonly<Record<Reflow, (drawn: DrawnRows, size: Size) => number>> = {
	none: () => 0,
	above({rows, cursor}, {columns}) {
		return rows.slice(0, cursor?.y).reduce((sum, row) => sum + addedTo(row, columns), 0);
	},
	/** The cursor's row wraps too, and the cursor is inside one of its parts. */
	all(drawn, size) {
		return addedRows.above(drawn, size) + Math.floor((drawn.cursor?.x ?? 0) / size.columns);
	},
	/**
	 * xterm.js rewraps from the last row up, except the cursor's row, and moves the cursor down for each
	 * row added. A lower window first drops rows below the cursor, starting with Ink's trailing empty row.
	 */
	'xterm.js'({rows, cursor, size}, {columns, rows: height}) {
		const start = cursor?.y ?? rows.length;
		const dropped = Math.max(0, size.rows - height - 1);
		let place = start;
		for (let y = Math.max(start, rows.length - 1 - dropped); y >= 0; y -= 1) {
			if (y !== place) place += addedTo(rows[y] ?? '', columns);
		}
		return place - start;
	},
};

function addedTo(row: string, columns: number): number {
	return wrapCells(row, columns).length - 1;
}

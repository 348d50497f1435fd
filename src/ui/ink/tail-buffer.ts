/**
 * Holds the end of a growing plain text as rows. Full rows never change and are not wrapped again,
 * nor is text that has scrolled away.
 */
import {createStreamSanitizer, type SafeText} from '../../terminal/safe-text.ts';
import {boundaryFrom} from '../../terminal/width.ts';
import {wrapWords} from '../../terminal/wrap-line.ts';
import {cutRow, replaceTabs, trimRows} from './wrap-text.ts';

export interface TailBuffer {
	push(text: string): void;
	/** Returns the last rows, at most 100, each of at most `width` cells; none for an empty text. */
	rows(width: number, maxRows: number): readonly SafeText[];
}

/** UTF-16 units kept for another width; far more than a pane can show. */
const keptLength = 16 * 1024;
const keptRows = 100;

export function createTailBuffer(): TailBuffer {
	const sanitizer = createStreamSanitizer();
	let kept = '';
	let rowWidth = 0;
	let fullRows: SafeText[] = [];
	/** The start of the open row in `kept`. */
	let openFrom = 0;

	const forgetRows = () => {
		fullRows = [];
		openFrom = 0;
	};
	const shorten = () => {
		const cut = findCut(kept);
		kept = kept.slice(cut);
		openFrom -= cut;
		if (openFrom < 0) forgetRows();
	};
	/** Stores the rows that became full and returns the open one. */
	const wrapOpen = (end: number): SafeText => {
		const lines = kept.slice(openFrom, end).split('\n');
		const last = lines.pop() ?? '';
		for (const line of lines) {
			for (const row of wrapWords(line, rowWidth)) fullRows.push(cutRow(line, row));
		}
		const rows = wrapWords(last, rowWidth);
		const open = rows.at(-1) ?? {start: 0, end: 0};
		for (const row of rows.slice(0, -1)) fullRows.push(cutRow(last, row));
		openFrom = end - last.length + open.start;
		fullRows = fullRows.slice(-keptRows);
		return cutRow(last, open);
	};

	return {
		push(text) {
			kept += replaceTabs(sanitizer.push(text));
			if (kept.length > 2 * keptLength) shorten();
		},
		rows(width, maxRows) {
			if (width !== rowWidth) forgetRows();
			rowWidth = width;
			const end = endOfText(kept);
			if (end === 0 || maxRows < 1) return [];
			const open = wrapOpen(end);
			return lastRows(trimRows([...fullRows, open]), maxRows);
		},
	};
}

/** Returns the last rows; those above replace empty ones at the top, to keep the height. */
function lastRows(rows: readonly SafeText[], maxRows: number): readonly SafeText[] {
	const start = Math.max(0, rows.length - maxRows);
	const shown = rows.slice(start);
	const empty = Math.max(
		0,
		shown.findIndex((row) => row !== ''),
	);
	const above = rows.slice(0, start).filter((row) => row !== '');
	return [...above.slice(Math.max(0, above.length - empty)), ...shown.slice(empty)];
}

/** Finds a cut at a line, if there is one, so that the rows after it stay as they were. */
function findCut(text: string): number {
	const place = text.length - keptLength;
	return text.indexOf('\n', place) + 1 || boundaryFrom(text, place);
}

/** Returns the length without final line ends, which may be the end of the text. */
function endOfText(text: string): number {
	let end = text.length;
	while (end > 0 && text[end - 1] === '\n') end -= 1;
	return end;
}

/** Plain untrusted text as rows of the screen: made safe, and broken or cut to a width. */
import {type SafeText, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {truncateToWidth} from '../../terminal/width.ts';
import {type LineRow, wrapWords} from '../../terminal/wrap-line.ts';

/** The rows of a text of many lines, each at most `width` cells; an empty line has one too. */
export function wrapText(text: string, width: number): readonly SafeText[] {
	return expandTabs(stripUnsafe(text))
		.split('\n')
		.flatMap((line) => wrapWords(line, width).map((row) => cutRow(line, row)));
}

/** Without the empty rows at the beginning and the end. */
export function trimRows(rows: readonly SafeText[]): readonly SafeText[] {
	const end = rows.findLastIndex((row) => row !== '') + 1;
	return rows.slice(
		rows.findIndex((row) => row !== ''),
		end,
	);
}

/** The text as one row of at most `width` cells, with `…` where it is cut. */
export function fitLine(text: string, width: number): SafeText {
	const line = stripToLine(text).replace(/\s+/g, ' ');
	return stripUnsafe(truncateToWidth(line, Math.max(1, width)));
}

/** A part of a row as wide as it was measured: what the sanitizer takes for a line end is a space. */
export function fitCells(text: string): SafeText {
	return stripUnsafe(text.replace(/[\u2028\u2029]/g, ' '));
}

export function expandTabs(text: string): string {
	return text.replaceAll('\t', '    ');
}

/** What a row shows: spaces at its end are not. */
export function cutRow(line: string, {start, end}: LineRow): SafeText {
	return stripUnsafe(line.slice(start, end).trimEnd());
}

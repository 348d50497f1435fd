/** Turns untrusted plain text into safe rows, wrapped or cut to a width. */
import {type SafeText, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {truncateToWidth} from '../../terminal/width.ts';
import {type LineRow, wrapWords} from '../../terminal/wrap-line.ts';

/** Wraps a text into rows of at most `width` cells; an empty line is a row too. */
export function wrapText(text: string, width: number): readonly SafeText[] {
	return replaceTabs(stripUnsafe(text))
		.split('\n')
		.flatMap((line) => wrapWords(line, width).map((row) => cutRow(line, row)));
}

/** Removes empty rows at the start and the end. */
export function trimRows(rows: readonly SafeText[]): readonly SafeText[] {
	const end = rows.findLastIndex((row) => row !== '') + 1;
	return rows.slice(
		rows.findIndex((row) => row !== ''),
		end,
	);
}

/** Cuts text to one row of at most `width` cells, with a final `…`. */
export function fitLine(text: string, width: number): SafeText {
	const line = stripToLine(text).replace(/\s+/g, ' ');
	return stripUnsafe(truncateToWidth(line, Math.max(1, width)));
}

/** Makes part of a row safe without changing its width: the sanitizer would break it at U+2028. */
export function fitCells(text: string): SafeText {
	return stripUnsafe(text.replace(/[\u2028\u2029]/g, ' '));
}

/** Works on text in pieces too, where the column of a tab is unknown. */
export function replaceTabs(text: string): string {
	return text.replaceAll('\t', '    ');
}

/** Returns a row without its final spaces. */
export function cutRow(line: string, {start, end}: LineRow): SafeText {
	return stripUnsafe(line.slice(start, end).trimEnd());
}

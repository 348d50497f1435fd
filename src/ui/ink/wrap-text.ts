/** Turns untrusted plain text into safe rows, wrapped or cut to a width. */
import {type SafeText, safe, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {textWidth, truncateToWidth} from '../../terminal/width.ts';
import {type LineRow, wrapWords} from '../../terminal/wrap-line.ts';

/** Wraps a text into rows, each at most `width` cells; an empty line is a row too. */
export function wrapText(text: string, width: number): readonly SafeText[] {
	return stripUnsafe(text)
		.replaceAll('\t', '    ')
		.split('\n')
		.flatMap((line) => wrapWords(line, width).map((row) => cutRow(line, row)));
}

/** Returns at most `maxRows` rows. The last one counts those left out, unless it would be alone. */
export function cutRows<Row>(
	rows: readonly Row[],
	maxRows: number,
	describeRest: (count: number) => Row,
): readonly Row[] {
	if (rows.length <= maxRows || maxRows < 2) return rows.slice(0, Math.max(0, maxRows));
	const shown = rows.slice(0, maxRows - 1);
	return [...shown, describeRest(rows.length - shown.length)];
}

/** Removes empty rows at the start and the end. */
export function trimRows(rows: readonly SafeText[]): readonly SafeText[] {
	const end = rows.findLastIndex((row) => row !== '') + 1;
	return rows.slice(
		rows.findIndex((row) => row !== ''),
		end,
	);
}

/** Cuts text to one row, at most `width` cells, with a final `…`. */
export function fitLine(text: string, width: number): SafeText {
	const line = stripToLine(text).replace(/\s+/g, ' ');
	return stripUnsafe(truncateToWidth(line, Math.max(1, width)));
}

/** Returns the first text fitting a row, from long to short; otherwise the last one, cut. */
export function firstFitting(texts: readonly string[], width: number): SafeText {
	return fitLine(texts.find((text) => textWidth(text) <= width) ?? texts.at(-1) ?? '', width);
}

/** Joins the first parts fitting a row. A wider first one is cut, and loses its styles. */
export function joinFitting(parts: readonly SafeText[], width: number, gap = safe`   `): SafeText {
	const widthOf = (part: SafeText) => textWidth(stripUnsafe(part));
	const [first = safe``, ...others] = parts;
	let row = first;
	let left = width - widthOf(first);
	if (left < 0) return fitLine(stripUnsafe(first), width);
	for (const part of others) {
		left -= widthOf(gap) + widthOf(part);
		if (left < 0) break;
		row = safe`${row}${gap}${part}`;
	}
	return row;
}

/** Puts the keys after a title, if there is room for them in the row. */
export function fitTitle(title: string, keys: string | undefined, width: number): SafeText {
	return joinFitting([title, ...(keys === undefined ? [] : [keys])].map(stripToLine), width);
}

/** Makes part of a row safe without changing its width: the sanitizer would break it at U+2028. */
export function fitCells(text: string): SafeText {
	return stripUnsafe(text.replace(/[\u2028\u2029]/g, ' '));
}

/** Returns a row without its final spaces. */
function cutRow(line: string, {start, end}: LineRow): SafeText {
	return stripUnsafe(line.slice(start, end).trimEnd());
}

/** Plain untrusted text as rows of the screen: made safe, and broken or cut to a width. */
import {type SafeText, stripToLine, stripUnsafe} from '../../terminal/safe-text.ts';
import {measureGraphemes, truncateToWidth} from '../../terminal/width.ts';

/** The rows of a text of many lines, each at most `width` cells; an empty line has one too. */
export function wrapText(text: string, width: number): readonly SafeText[] {
	return expandTabs(stripUnsafe(text))
		.split('\n')
		.flatMap((line) => findRows(line, width).map((row) => cutRow(line, row)));
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

/** A row of a line: what stands from `start` up to `end`, but for spaces at its end. */
export type LineRow = {readonly start: number; readonly end: number};

export function cutRow(line: string, {start, end}: LineRow): SafeText {
	return stripUnsafe(line.slice(start, end).trimEnd());
}

/**
 * The rows of one line without tabs, at least one, broken at spaces where there are some. All but
 * the last stay as they are when the line grows. Takes time linear in the line.
 */
export function findRows(line: string, width: number): readonly LineRow[] {
	const rows: LineRow[] = [];
	let start = 0;
	let cells = 0;
	/** Where the last word of the row begins, and the cells before it. */
	let word = {start: 0, cells: 0};
	let isIndent = true;
	let index = 0;
	for (const grapheme of measureGraphemes(line)) {
		const isSpace = grapheme.text === ' ';
		// Spaces may hang over the edge: they are not shown there.
		if (!isSpace && index > start && cells + grapheme.width > width) {
			if (word.start === start) word = {start: index, cells};
			rows.push({start, end: word.start});
			start = word.start;
			cells -= word.cells;
			word = {start, cells: 0};
		}
		index += grapheme.text.length;
		cells += grapheme.width;
		isIndent &&= isSpace;
		if (isSpace && !isIndent) word = {start: index, cells};
	}
	rows.push({start, end: line.length});
	return rows;
}

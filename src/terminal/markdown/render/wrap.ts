/**
 * Breaks styled text into rows. Prose breaks between words and drops the spaces at both ends of a
 * row; code breaks at the edge and keeps every character. A `
 * ` ends a row.
 */
import {isAsciiWithin} from '../../width.ts';
import {type LineRow, wrapCells, wrapWords} from '../../wrap-line.ts';
import {type Row, type Span, textOf} from './span.ts';

/** Breaks prose into rows, each at most `width` cells; a wider character gets its own. */
export function wrap(
	spans: readonly Span[],
	width: number,
	keepsAddresses = false,
): readonly Row[] {
	const text = textOf(spans);
	const places = findRows(text, width, keepsAddresses).map((place) => trimRow(text, place));
	const last = places.at(-1);
	return cutSpans(spans, last?.start === last?.end ? places.slice(0, -1) : places);
}

type Place = {readonly width: number; readonly hasLongRows?: boolean | undefined};

/** Longer rows are scanned rather than read. */
const maxProseWidth = 100;

/** Breaks a paragraph at most 100 cells wide; where rows may be long, addresses stay whole. */
export function layProse(spans: readonly Span[], {width, hasLongRows}: Place): readonly Row[] {
	return wrap(spans, Math.min(width, maxProseWidth), hasLongRows);
}

/** Returns the full rows, which more text cannot change, and the last one, which may grow. */
export function layOpenProse(
	spans: readonly Span[],
	{width, hasLongRows}: Place,
): {readonly rows: readonly Row[]; readonly open: Row} {
	const text = textOf(spans);
	const places = findRows(text, Math.min(width, maxProseWidth), hasLongRows);
	const full = places.slice(0, -1).map((place) => trimRow(text, place));
	const rows = cutSpans(spans, [...full, ...places.slice(-1)]);
	return {rows: rows.slice(0, -1), open: rows.at(-1) ?? []};
}

/** Finds the rows, at least one. */
function findRows(text: string, width: number, keepsAddresses = false): readonly LineRow[] {
	if (isAsciiWithin(text, width)) {
		return [{start: text.length - text.trimStart().length, end: text.length}];
	}
	let offset = 0;
	return text.split('\n').flatMap((line) => {
		const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
		const from = offset + indent;
		offset += line.length + 1;
		const rows = wrapWords(line.slice(indent), width, {keepsAddresses});
		return rows.map(({start, end}) => ({start: from + start, end: from + end}));
	});
}

function trimRow(text: string, {start, end}: LineRow): LineRow {
	let last = end;
	while (last > start && (text[last - 1] === ' ' || text[last - 1] === '\t')) last -= 1;
	return {start, end: last};
}

/** Breaks a code line, unless it is to stay whole. */
export function layCode(
	line: readonly Span[],
	{width, hasLongRows}: {readonly width: number; readonly hasLongRows?: boolean | undefined},
): readonly Row[] {
	return hasLongRows === true ? [line] : wrapCode(line, width);
}

/** Breaks a code line. */
export function wrapCode(line: readonly Span[], width: number): readonly Row[] {
	return cutSpans(line, wrapCells(textOf(line), width));
}

/** Cuts spans into rows, which are given in order. */
function cutSpans(spans: readonly Span[], places: readonly LineRow[]): readonly Row[] {
	let index = 0;
	/** The start of the span at `index`. */
	let offset = 0;
	return places.map(({start, end}) => {
		const row: Span[] = [];
		for (let span = spans[index]; span !== undefined; span = spans[index]) {
			const text = span.text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
			if (text !== '') row.push({...span, text: text.replaceAll('\t', ' ')});
			if (offset + span.text.length > end) break;
			offset += span.text.length;
			index += 1;
		}
		return row;
	});
}

/**
 * Renders a question's lines: with nothing hidden and, lacking room for all, the first and the
 * last. Invariant: a frame reads only as much of a long text as fits the window.
 */
import type {ApprovalLine} from '../../../chat/tool.ts';
import {cellsOfText, labelWidth, numberOf} from '../../../repl/question/layout.ts';
import {revealText, safe, stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {wrapCells} from '../../../terminal/wrap-line.ts';
import type {Rows} from '../live/frame-input.ts';
import {fitLine} from '../wrap-text.ts';

/** Returns all rows, whole. */
export function renderLines(lines: readonly ApprovalLine[], width: number, style: Styler): Rows {
	return lines.flatMap((line) => {
		const {label, number} = line;
		const indent = number === undefined ? '' : indentation(line.text);
		const shown = indent + revealText(line.text.slice(indent.length));
		const before = number === undefined ? '' : numberOf(number);
		return wrapCells(shown, cellsOfText(line, width)).map(({start, end}, index) => {
			const isFirst = index === 0;
			const name = (isFirst ? label : '').padEnd(labelWidth);
			const margin = stripUnsafe(name + (isFirst ? before : ' '.repeat(before.length)));
			return safe`${style(margin, 'quiet')}${stripUnsafe(shown.slice(start, end))}`;
		});
	});
}

/** Returns the spaces before a line of text, its number telling how many there are if many. */
function indentation(text: string): string {
	return /^ {1,24}(?! )(?=.)/.exec(text)?.[0] ?? '';
}

/** @param cut the text shown in place of the omitted part */
export function cutMiddle(
	lines: readonly ApprovalLine[],
	room: number,
	width: number,
	style: Styler,
	cut = '… cut here · v shows all …',
): Rows {
	if (room < 1) return [];
	// Every line takes a row, and every character a cell, except marks.
	const length = room * (width + 1);
	if (lines.length <= room && lines.every(({text}) => text.length <= length)) {
		const rows = renderLines(lines, width, style);
		if (rows.length <= room) return rows;
	}
	const above = Math.ceil((room - 1) / 2);
	const below = room - 1 - above;
	const cutMark = style(fitLine(cut, width), 'bold');
	const first = lines.slice(0, room).map((line) => ({...line, text: cutEnd(line.text, length)}));
	const last = lines
		.slice(-room)
		.map((line) =>
			line.text.length > length ? {label: '', text: cutStart(line.text, length)} : line,
		);
	return [
		...renderLines(first, width, style).slice(0, above),
		cutMark,
		...(below === 0 ? [] : renderLines(last, width, style).slice(-below)),
	];
}

/** Cuts a text's end, but not inside a run of spaces, which is shown as a number. */
function cutEnd(text: string, length: number): string {
	if (text.length <= length) return text;
	let end = length;
	while (text[end] === ' ') end += 1;
	return text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}

/** Cuts a text's start, likewise. */
function cutStart(text: string, length: number): string {
	if (text.length <= length) return text;
	let start = text.length - length;
	while (text[start - 1] === ' ') start -= 1;
	return text.slice(start).replace(/^[\udc00-\udfff]/, '');
}

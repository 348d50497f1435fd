/**
 * Renders code blocks between two rules, the lines without frame, indentation or padding, for clean
 * copying. The terminal wraps finished lines exceeding the window; anywhere else they are cut at
 * the edge.
 */
import {stripToLine, stripUnsafe} from '../../safe-text.ts';
import {textWidth} from '../../width.ts';
import {wrapCells} from '../../wrap-line.ts';
import {type Fence, languageOf} from '../stream/fence.ts';
import type {Notes} from '../stream/notes.ts';
import type {Highlight, LineHighlighter} from './highlight.ts';
import {plain, quiet, type Row} from './span.ts';
import {layCode} from './wrap.ts';

const tabWidth = 4;
const maxRuleWidth = 72;
const maxInfoWidth = 40;

export type CodeOptions = {
	/** Cells per row. */
	readonly width: number;
	readonly highlight?: Highlight | undefined;
	/** The text before a code block's number; without it numbers are not shown. */
	readonly codeLabel?: string | undefined;
	/**
	 * Whether finished code lines and addresses may be wider: the terminal wraps and copies them
	 * whole.
	 */
	readonly hasLongRows?: boolean | undefined;
	readonly notes: Notes;
};

/** Numbers a block; returns a rule with the language at its left and the number at its right. */
export function renderOpening(
	{info}: Fence,
	{notes, width, codeLabel}: CodeOptions,
): readonly Row[] {
	const number = notes.numberCode();
	const end = codeLabel === undefined ? '' : ` ${codeLabel}${number}`;
	const room = Math.min(width, maxRuleWidth) - end.length;
	if (room < 1) return renderClosing(width);
	const label = cutCells(expandTabs(stripToLine(info)), Math.min(maxInfoWidth, room - 2));
	const start = label === '' ? '' : `${label} `;
	return [[plain(start), quiet('─'.repeat(room - textWidth(start))), plain(end)]];
}

function cutCells(text: string, cells: number): string {
	return text.slice(0, cells < 1 ? 0 : wrapCells(text, cells)[0]?.end);
}

export function renderClosing(width: number): readonly Row[] {
	return [[quiet('─'.repeat(Math.min(width, maxRuleWidth)))]];
}

/** Returns the highlighter for a fence's language, if known. */
export function openHighlighter(fence: Fence, highlight?: Highlight): LineHighlighter | undefined {
	const language = languageOf(fence);
	return language === '' ? undefined : highlight?.(language);
}

/** Returns a code line, without its newline, as safe text with spaces for tabs. */
export function showCodeLine(line: string): string {
	return expandTabs(stripUnsafe(line));
}

/** @param fence undefined for indented code, which has no number */
export function renderCode(
	code: string,
	fence: Fence | undefined,
	options: CodeOptions,
): readonly Row[] {
	const {width, highlight} = options;
	const highlighter = fence && openHighlighter(fence, highlight);
	const opening = fence === undefined ? renderClosing(width) : renderOpening(fence, options);
	const lines = code === '' ? [] : code.replace(/\n$/, '').split('\n');
	const rows = lines.flatMap((line) => {
		const text = showCodeLine(line);
		return layCode(highlighter?.next(text) ?? [plain(text)], options);
	});
	return [...opening, ...rows, ...renderClosing(width)];
}

function expandTabs(text: string): string {
	if (!text.includes('\t')) return text;
	let column = 0;
	const parts = text.split('\t').map((part, index) => {
		const spaces = index === 0 ? 0 : tabWidth - (column % tabWidth);
		column += spaces + textWidth(part);
		return ' '.repeat(spaces) + part;
	});
	return parts.join('');
}

/**
 * Renders code blocks: the fences as typed, the lines without frame, indentation or padding, so
 * that they copy cleanly. Lines wider than the screen are cut at the edge.
 */
import {stripUnsafe} from '../safe-text.ts';
import {textWidth} from '../width.ts';
import {languageOf} from './code-blocks.ts';
import type {Highlight, LineHighlighter} from './highlight.ts';
import {dim, plain, type Row} from './span.ts';
import {wrapCode} from './wrap.ts';

const tabWidth = 4;

export type Fence = {
	/** The backticks or tildes. */
	readonly marks: string;
	/** The text after them. */
	readonly info: string;
	/** The spaces before them, also removed from each line. */
	readonly indent: number;
};

const openingFence = /^( {0,3})(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)/;

/** Reads the fence that the first line of a source opens. */
export function readFence(source: string): Fence | undefined {
	const match = openingFence.exec(source);
	if (match === null) return undefined;
	const [, spaces = '', marks = '', info = ''] = match;
	// `marked` removes the indentation for backticks only.
	return {marks, info: info.trim(), indent: marks.startsWith('`') ? spaces.length : 0};
}

/** Returns a fence for code without one: longer than any in the code. */
export function fenceAround(code: string): Fence {
	const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
	return {marks: '`'.repeat(longest + 1), info: '', indent: 0};
}

/** Whether a line, without its newline, closes the fence. */
export function closesFence(line: string, fence: Fence): boolean {
	const closing = /^ {0,3}(`+|~+) *$/.exec(line)?.[1];
	return closing?.startsWith(fence.marks) ?? false;
}

export function renderOpening({marks, info}: Fence, width: number): readonly Row[] {
	return wrapCode([dim(marks + expandTabs(stripUnsafe(info).replaceAll('\n', ' ')))], width);
}

export function renderClosing({marks}: Fence, width: number): readonly Row[] {
	return wrapCode([dim(marks)], width);
}

/** Returns the highlighter for the language of a fence, if it is known. */
export function openHighlighter(fence: Fence, highlight?: Highlight): LineHighlighter | undefined {
	const language = languageOf(fence.info);
	return language === '' ? undefined : highlight?.(language);
}

/** Returns a line of code, without its newline, as safe text with spaces for tabs. */
export function showCodeLine(line: string, indent: number): string {
	const safe = stripUnsafe(line);
	const blanks = safe.length - safe.trimStart().length;
	return expandTabs(blanks >= indent ? safe.slice(indent) : safe);
}

export function renderCode(
	code: string,
	fence: Fence,
	{width, highlight}: {readonly width: number; readonly highlight?: Highlight | undefined},
): readonly Row[] {
	const highlighter = openHighlighter(fence, highlight);
	const lines = code === '' ? [] : code.replace(/\n$/, '').split('\n');
	const rows = lines.flatMap((line) => {
		const text = showCodeLine(line, 0);
		return wrapCode(highlighter?.next(text) ?? [plain(text)], width);
	});
	return [...renderOpening(fence, width), ...rows, ...renderClosing(fence, width)];
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

/**
 * Parses a fenced code block while it arrives: each finished line is final at once, and costs the
 * same however many came before.
 */

import {
	closesFence,
	type Fence,
	openHighlighter,
	renderClosing,
	showCodeLine,
} from '../render/code.ts';
import {plain, type Row, textOf} from '../render/span.ts';
import {layCode, wrapCode} from '../render/wrap.ts';
import type {BlockParser, ParseStep, Stream} from './block-parser.ts';

/** Longer lines have no colours, and are emitted in parts unless the terminal wraps them. */
const maxHeldLine = 1_024;

/** Longer lines are emitted in parts, even where the terminal wraps them. */
const maxWholeLine = 16_384;

/** UTF-16 units of a line that a preview shows; more than a window has. */
const previewLength = 4_096;

export function createOpenCode(fence: Fence, stream: Stream): BlockParser {
	const highlighter = openHighlighter(fence, stream.options.highlight);
	/** The part of the line not emitted yet. */
	let held = '';
	let isContinued = false;

	const renderLine = (line: string, color: 'next' | 'peek'): readonly Row[] => {
		const text = isContinued ? line : showCodeLine(line, fence.indent);
		const isPlain = isContinued || text.length > maxHeldLine;
		const spans = (isPlain ? undefined : highlighter?.[color](text)) ?? [plain(text)];
		if (color === 'next') return layCode(spans, stream.options);
		return wrapCode(spans, stream.options.width);
	};
	const endLine = (line: string): ParseStep => {
		if (!isContinued && closesFence(line, fence)) {
			return {rows: renderClosing(stream.options.width), rest: ''};
		}
		const rows = renderLine(line, 'next');
		held = '';
		isContinued = false;
		return {rows};
	};
	/** Emits what is held, which the terminal wraps. */
	const takeLong = (): readonly Row[] => {
		const part = held.replace(/[\ud800-\udbff]$/, '');
		const rows = renderLine(part, 'next');
		held = held.slice(part.length);
		return rows;
	};
	/** Emits the full rows of what is held. */
	const takeFull = (): readonly Row[] => {
		const rows = renderLine(held, 'peek');
		const last = textOf(rows.at(-1) ?? []);
		// A row of characters without width may never be full.
		const isEndless = last.length >= maxHeldLine;
		held = isEndless ? '' : last;
		return isEndless ? rows : rows.slice(0, -1);
	};

	return {
		add(piece) {
			held += piece;
			if (held.endsWith('\n')) return endLine(held.slice(0, -1));
			const {hasLongRows} = stream.options;
			if (held.length < (hasLongRows ? maxWholeLine : maxHeldLine)) return {rows: []};
			const rows = hasLongRows ? takeLong() : takeFull();
			isContinued = true;
			return {rows};
		},
		end() {
			const rows = held === '' ? [] : renderLine(held, 'next');
			return {rows: [...rows, ...renderClosing(stream.options.width)], rest: ''};
		},
		preview(partial) {
			const line = held + partial;
			if (line === '') return [];
			if (closesFence(line, fence)) return renderClosing(stream.options.width);
			return renderLine(line.slice(-previewLength), 'peek');
		},
	};
}

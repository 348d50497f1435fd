/**
 * Parses a fenced code block while it arrives: each finished line is final at once, and costs the
 * same however many came before.
 */
import type {BlockParser, Stream} from './block-parser.ts';
import {closesFence, type Fence, openHighlighter, renderClosing, showCodeLine} from './code.ts';
import {plain, type Row, textOf} from './span.ts';
import {layCode, wrapCode} from './wrap.ts';

/** Longer lines are emitted in parts, without colours. */
const maxHeldLine = 1_024;

export function createOpenCode(fence: Fence, stream: Stream): BlockParser {
	const highlighter = openHighlighter(fence, stream.options.highlight);
	/** The part of the line not emitted yet. */
	let held = '';
	let isContinued = false;

	const renderLine = (line: string, color: 'next' | 'peek'): readonly Row[] => {
		const text = isContinued ? line : showCodeLine(line, fence.indent);
		const spans = (isContinued ? undefined : highlighter?.[color](text)) ?? [plain(text)];
		if (color === 'next' && !isContinued) return layCode(spans, stream.options);
		return wrapCode(spans, stream.options.width);
	};
	const addLine = (line: string) => {
		const rows = renderLine(line, 'next');
		held = '';
		isContinued = false;
		return rows;
	};

	return {
		add(piece) {
			held += piece;
			if (held.endsWith('\n')) {
				const line = held.slice(0, -1);
				const isClosing = !isContinued && closesFence(line, fence);
				if (!isClosing) return {rows: addLine(line)};
				return {rows: renderClosing(stream.options.width), rest: ''};
			}
			if (held.length < maxHeldLine) return {rows: []};
			const rows = renderLine(held, 'peek');
			const last = textOf(rows.at(-1) ?? []);
			// A row of characters without width may never be full.
			const isEndless = last.length >= maxHeldLine;
			held = isEndless ? '' : last;
			isContinued = true;
			return {rows: isEndless ? rows : rows.slice(0, -1)};
		},
		end() {
			const rows = held === '' ? [] : renderLine(held, 'next');
			return {rows: [...rows, ...renderClosing(stream.options.width)], rest: ''};
		},
		preview(partial) {
			const line = held + partial;
			if (line === '') return [];
			if (closesFence(line, fence)) return renderClosing(stream.options.width);
			return renderLine(line, 'peek');
		},
	};
}

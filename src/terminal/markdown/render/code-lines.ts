/**
 * Renders the lines of a fenced code block while they arrive: a finished line is final at once, and
 * costs the same however many came before.
 */
import {closesFence, type Fence} from '../stream/fence.ts';
import {type CodeOptions, openHighlighter, renderClosing, showCodeLine} from './code.ts';
import {plain, type Row, textOf} from './span.ts';
import {layCode, wrapCode} from './wrap.ts';

/** Longer lines have no colours, and are emitted in parts unless the terminal wraps them. */
const maxHeldLine = 1_024;

/** Longer lines are emitted in parts, even where the terminal wraps them. */
const maxWholeLine = 16_384;

/** UTF-16 units of a line that a preview shows; more than a window has. */
const previewLength = 4_096;

export interface CodeLines {
	/** Adds a line with its newline, or a piece of one; returns the final rows. */
	add(piece: string, options: CodeOptions): readonly Row[];
	/** Returns the rest. */
	end(options: CodeOptions): readonly Row[];
	/** Returns the rows of the open line, which ends with `partial`. */
	preview(partial: string, options: CodeOptions): readonly Row[];
}

export function createCodeLines(fence: Fence, {highlight}: CodeOptions): CodeLines {
	const highlighter = openHighlighter(fence, highlight);
	/** The part of the line not emitted yet. */
	let held = '';
	let isContinued = false;

	const renderLine = (line: string, color: 'next' | 'peek', options: CodeOptions) => {
		const text = isContinued ? line : showCodeLine(line, fence.indent);
		const isPlain = isContinued || text.length > maxHeldLine;
		const spans = (isPlain ? undefined : highlighter?.[color](text)) ?? [plain(text)];
		return color === 'next' ? layCode(spans, options) : wrapCode(spans, options.width);
	};
	/** Emits what is held, which the terminal wraps. */
	const takeLong = (options: CodeOptions): readonly Row[] => {
		const part = held.replace(/[\ud800-\udbff]$/, '');
		const rows = renderLine(part, 'next', options);
		held = held.slice(part.length);
		return rows;
	};
	/** Emits the full rows of what is held. */
	const takeFull = (options: CodeOptions): readonly Row[] => {
		const rows = renderLine(held, 'peek', options);
		const last = textOf(rows.at(-1) ?? []);
		// A row of characters without width may never be full.
		const isEndless = last.length >= maxHeldLine;
		held = isEndless ? '' : last;
		return isEndless ? rows : rows.slice(0, -1);
	};

	return {
		add(piece, options) {
			held += piece;
			if (held.endsWith('\n')) {
				const rows = renderLine(held.slice(0, -1), 'next', options);
				held = '';
				isContinued = false;
				return rows;
			}
			const {hasLongRows} = options;
			if (held.length < (hasLongRows ? maxWholeLine : maxHeldLine)) return [];
			const rows = hasLongRows ? takeLong(options) : takeFull(options);
			isContinued = true;
			return rows;
		},
		end: (options) => (held === '' ? [] : renderLine(held, 'next', options)),
		preview(partial, options) {
			const line = held + partial;
			if (line === '') return [];
			if (closesFence(line, fence)) return renderClosing(options.width);
			return renderLine(line.slice(-previewLength), 'peek', options);
		},
	};
}

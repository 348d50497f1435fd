/**
 * Markdown for the terminal, while it streams. Rows that are given out are final and never change;
 * the unfinished rest can be looked at any time, at a cost that has a limit.
 *
 * The rows depend on the source alone, not on how it was cut when it came.
 */
import {createStreamSanitizer, type SafeText} from '../safe-text.ts';
import {type BlockParser, type ParseStep, pieceLength, type Stream} from './block-parser.ts';
import type {BlockOptions} from './blocks.ts';
import {createDefinitions} from './lexer.ts';
import {createOpenBlocks} from './open-blocks.ts';
import {createRowWriter, type Row} from './span.ts';

export interface MarkdownStreamer {
	/** Takes more of the source; gives the rows that are final now, each once and in order. */
	push(delta: string): readonly SafeText[];
	/** The rest as it would look if the source ended here, but its last `maxRows` rows only. */
	tail(maxRows: number): readonly SafeText[];
	/** The rest, as final rows. The streamer is done then. */
	end(): readonly SafeText[];
	/** Another width for what is not final, or a highlighter for the code blocks to come. */
	update(changes: {readonly width?: number; readonly highlight?: BlockOptions['highlight']}): void;
}

export type MarkdownOptions = BlockOptions;

/** The least width that rows are kept to. */
const minWidth = 2;

/** Rows of at most `width` cells; what `createMarkdownStreamer` would give for the whole. */
export function renderMarkdown(source: string, options: MarkdownOptions): readonly SafeText[] {
	const streamer = createMarkdownStreamer(options);
	return [...streamer.push(source), ...streamer.end()];
}

export function createMarkdownStreamer(options: MarkdownOptions): MarkdownStreamer {
	const stream: Stream = {
		options: withWidth(options, options.width),
		definitions: createDefinitions(),
	};
	const sanitizer = createStreamSanitizer();
	const write = createRowWriter(options.hasColor);
	const blocks = createOpenBlocks(stream);
	let section = blocks;
	/** What came in behind the last whole piece. */
	let partial = '';
	let isDone = false;

	const follow = ({rows, opened, rest}: ParseStep): readonly Row[] => {
		if (opened !== undefined) section = opened;
		else if (rest !== undefined) section = blocks;
		return rest === undefined ? rows : [...rows, ...feed(rest)];
	};
	const feed = (text: string): readonly Row[] => {
		const rows: Row[] = [];
		for (let start = 0; start < text.length; ) {
			const limit = start + pieceLength - partial.length;
			const newline = text.indexOf('\n', start);
			const end = newline >= 0 && newline < limit ? newline + 1 : Math.min(limit, text.length);
			const isWhole = end === limit || newline === end - 1;
			partial += text.slice(start, end);
			start = end;
			if (!isWhole) break;
			const piece = partial;
			partial = '';
			rows.push(...follow(section.add(piece)));
		}
		return rows;
	};
	const endSections = (): readonly Row[] => {
		const rows: Row[] = [];
		for (;;) {
			const current: BlockParser = section;
			if (partial !== '') rows.push(...feed('\n'));
			if (current !== section) continue;
			rows.push(...follow(current.end()));
			if (current === blocks) return rows;
		}
	};

	return {
		push(delta) {
			return feed(sanitizer.push(delta)).map(write);
		},
		tail(maxRows) {
			if (isDone || maxRows <= 0) return [];
			return section.preview(partial, maxRows).slice(-maxRows).map(write);
		},
		end() {
			if (isDone) return [];
			const rows = [...feed(sanitizer.end()), ...endSections()];
			isDone = true;
			return rows.map(write);
		},
		update(changes) {
			stream.options = withWidth({...stream.options, ...changes}, changes.width);
		},
	};
}

function withWidth(options: BlockOptions, width = options.width): BlockOptions {
	return {...options, width: Math.max(minWidth, Math.floor(width))};
}

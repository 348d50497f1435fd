/**
 * Renders streaming Markdown for the terminal. Emitted rows are final, and depend on the source
 * alone; the unfinished rest can be rendered at any time, at a bounded cost.
 */
import {createStreamSanitizer, type SafeText} from '../../safe-text.ts';
import type {BlockOptions} from '../render/blocks.ts';
import {createRowWriter, plain, type Row, type RowOptions} from '../render/span.ts';
import {wrap} from '../render/wrap.ts';
import {type BlockParser, type ParseStep, pieceLength, type Stream} from './block-parser.ts';
import {createDefinitions} from './lexer.ts';
import {createNotes, type Notes} from './notes.ts';
import {createOpenBlocks} from './open-blocks.ts';

export interface MarkdownStreamer {
	/** Adds source and returns the rows that became final, each once and in order. */
	push(delta: string): readonly SafeText[];
	/**
	 * Returns the last `maxRows` rows of the rest, as if the source ended here.
	 *
	 * @param width for a place narrower than that of the final rows
	 */
	tail(maxRows: number, width?: number): readonly SafeText[];
	/** Ends the source and returns the rest. */
	end(): readonly SafeText[];
	/** Changes the width of unfinished rows, or the highlighter of later code blocks. */
	update(changes: {readonly width?: number; readonly highlight?: BlockOptions['highlight']}): void;
}

export type MarkdownOptions = Omit<BlockOptions, 'outerWidth' | 'notes'> &
	RowOptions & {
		/** Those of the answer whose text this is a part of. */
		readonly notes?: Notes | undefined;
	};

const minWidth = 2;

/** Renders a whole source as rows of at most `width` cells. */
export function renderMarkdown(source: string, options: MarkdownOptions): readonly SafeText[] {
	const streamer = createMarkdownStreamer(options);
	return [...streamer.push(source), ...streamer.end()];
}

export function createMarkdownStreamer(options: MarkdownOptions): MarkdownStreamer {
	const stream: Stream = {
		options: withWidth({...options, notes: options.notes ?? createNotes()}),
		definitions: createDefinitions(),
	};
	const sanitizer = createStreamSanitizer();
	const write = createRowWriter(options);
	const blocks = createOpenBlocks(stream);
	let parser = blocks;
	/** The source after the last whole piece. */
	let partial = '';
	let isDone = false;

	const advance = ({rows, opened, rest}: ParseStep): readonly Row[] => {
		if (opened !== undefined) parser = opened;
		else if (rest !== undefined) parser = blocks;
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
			rows.push(...advance(parser.add(piece)));
		}
		return rows;
	};
	const endParsers = (): readonly Row[] => {
		const rows: Row[] = [];
		for (;;) {
			const current: BlockParser = parser;
			if (partial !== '') rows.push(...feed('\n'));
			if (current !== parser) continue;
			rows.push(...advance(current.end()));
			if (current === blocks) return rows;
		}
	};

	return {
		push(delta) {
			return feed(sanitizer.push(delta)).map(write);
		},
		tail(maxRows, width) {
			if (isDone || maxRows <= 0) return [];
			const {options: finalOptions} = stream;
			stream.options = withWidth(finalOptions, width);
			const rows = parser.preview(partial, maxRows);
			stream.options = finalOptions;
			return rows.slice(-maxRows).map(write);
		},
		end() {
			if (isDone) return [];
			const rows = [...feed(sanitizer.end()), ...endParsers()];
			isDone = true;
			return [...rows, ...listAddresses(stream.options)].map(write);
		},
		update(changes) {
			stream.options = withWidth({...stream.options, ...changes}, changes.width);
		},
	};
}

function withWidth(options: BlockOptions, width = options.width): BlockOptions {
	return {...options, width: Math.max(minWidth, Math.floor(width))};
}

/** Returns the addresses that the text above has numbers for. */
function listAddresses({notes, width, hasLongRows}: BlockOptions): readonly Row[] {
	const rows = notes.takeAddresses().flatMap(([address, number]) => {
		const row = [plain(`[${number}] ${address}`)];
		return hasLongRows === true ? [row] : wrap(row, width);
	});
	return rows.length === 0 ? [] : [[], ...rows];
}

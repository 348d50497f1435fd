/**
 * Renders streaming Markdown for the terminal. Emitted rows are final, and depend on the source
 * alone; the unfinished rest can be rendered at any time, at a bounded cost.
 */
import type {SafeText} from '../../safe-text.ts';
import type {BlockOptions} from '../render/blocks.ts';
import {addressMark} from '../render/inline.ts';
import {createPartRenderer} from '../render/part-rows.ts';
import {createRowWriter, plain, type Row, type RowOptions} from '../render/span.ts';
import {wrap} from '../render/wrap.ts';
import {createNotes, type Notes} from './notes.ts';
import {createBlockSplitter} from './split-blocks.ts';

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
		/** The notes of the answer whose text this is a part of. */
		readonly notes?: Notes | undefined;
	};

const minWidth = 2;

/** Renders a whole source as rows of at most `width` cells. */
export function renderMarkdown(source: string, options: MarkdownOptions): readonly SafeText[] {
	const streamer = createMarkdownStreamer(options);
	return [...streamer.push(source), ...streamer.end()];
}

export function createMarkdownStreamer(options: MarkdownOptions): MarkdownStreamer {
	let current = withWidth({...options, notes: options.notes ?? createNotes()});
	const renderer = createPartRenderer();
	const splitter = createBlockSplitter((part) => renderer.add(part, current));
	const write = createRowWriter(options);
	let isDone = false;
	return {
		push: (delta) => splitter.push(delta).map(write),
		tail(maxRows, width) {
			if (isDone || maxRows <= 0) return [];
			const place = withWidth(current, width);
			return renderer.preview(splitter.preview(), place, maxRows).slice(-maxRows).map(write);
		},
		end() {
			if (isDone) return [];
			isDone = true;
			return [...splitter.end(), ...listAddresses(current)].map(write);
		},
		update(changes) {
			current = withWidth({...current, ...changes}, changes.width);
		},
	};
}

function withWidth(options: BlockOptions, width = options.width): BlockOptions {
	return {...options, width: Math.max(minWidth, Math.floor(width))};
}

/** Returns the addresses that the text above has numbers for. */
function listAddresses({notes, width, hasLongRows}: BlockOptions): readonly Row[] {
	const rows = notes.takeAddresses().flatMap(([address, number]) => {
		const row = [plain(`${addressMark}${number} ${address}`)];
		return hasLongRows === true ? [row] : wrap(row, width);
	});
	return rows.length === 0 ? [] : [[], ...rows];
}

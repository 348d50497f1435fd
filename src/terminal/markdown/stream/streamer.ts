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
	/** Adds source and returns the newly final rows, each once and in order. */
	push(delta: string): readonly SafeText[];
	/**
	 * Returns the rest's last `maxRows` rows, as if the source ended here.
	 *
	 * @param width for a place narrower than the final rows
	 */
	tail(maxRows: number, width?: number): readonly SafeText[];
	/** Ends the source and returns the rest. */
	end(): readonly SafeText[];
	/** Changes the width for unfinished rows, or the highlighter for later code blocks. */
	update(changes: {readonly width?: number; readonly highlight?: BlockOptions['highlight']}): void;
}

export type MarkdownOptions = Omit<BlockOptions, 'outerWidth' | 'notes'> &
	RowOptions & {
		/** The notes of the answer containing this text. */
		readonly notes?: Notes | undefined;
	};

const minWidth = 2;

/** Renders a whole source as rows, each at most `width` cells. */
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

/** Returns the addresses numbered in the text above. */
function listAddresses({notes, width, hasLongRows}: BlockOptions): readonly Row[] {
	const rows = notes.takeAddresses().flatMap(([address, number]) => {
		const row = [plain(`${addressMark}${number} ${address}`)];
		return hasLongRows === true ? [row] : wrap(row, width);
	});
	return rows.length === 0 ? [] : [[], ...rows];
}

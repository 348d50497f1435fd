/**
 * Holds the end of growing reasoning as dim Markdown rows. Renders only while shown, and each part
 * once unless the width changes.
 */
import {
	createMarkdownStreamer,
	type MarkdownOptions,
	type MarkdownStreamer,
} from '../../../terminal/markdown/stream/streamer.ts';
import type {SafeText} from '../../../terminal/safe-text.ts';
import {trimRows} from '../wrap-text.ts';

export interface ReasoningTail {
	push(text: string): void;
	/** Returns the last rows, at most 200, each at most `width` cells; none for an empty text. */
	rows(width: number, maxRows: number): readonly SafeText[];
}

/** UTF-16 units kept for another width; far more than a pane can show. */
const keptLength = 16 * 1024;
const keptRows = 200;

export function createReasoningTail(options: MarkdownOptions): ReasoningTail {
	let kept = '';
	/** The length of the unrendered end of `kept`. */
	let unread = 0;
	let rowWidth = 0;
	let streamer: MarkdownStreamer | undefined;
	let finalRows: SafeText[] = [];

	const shorten = () => {
		const cut = findCut(kept);
		kept = kept.slice(cut);
		if (unread > kept.length) streamer = undefined;
	};
	const read = (width: number): MarkdownStreamer => {
		if (streamer === undefined || width !== rowWidth) {
			// Colours, and numbers for copying, are for an answer's code.
			const plain = {highlight: undefined, codeLabel: undefined};
			streamer = createMarkdownStreamer({...options, ...plain, width, styles: ['quiet']});
			rowWidth = width;
			finalRows = [];
			unread = kept.length;
		}
		const rows = streamer.push(kept.slice(kept.length - unread));
		unread = 0;
		if (rows.length > 0) finalRows = [...finalRows, ...rows].slice(-keptRows);
		return streamer;
	};

	return {
		push(text) {
			if (kept === '' && text.trim() === '') return;
			kept += text;
			unread += text.length;
			if (kept.length > 2 * keptLength) shorten();
		},
		rows(width, maxRows) {
			if (kept === '' || maxRows < 1) return [];
			const rest = read(width).tail(maxRows);
			return lastRows(trimRows([...finalRows, ...rest]), maxRows);
		},
	};
}

/** Returns the last rows; those above replace empty ones at the top, keeping the height. */
function lastRows(rows: readonly SafeText[], maxRows: number): readonly SafeText[] {
	const start = Math.max(0, rows.length - maxRows);
	const shown = rows.slice(start);
	const empty = Math.max(
		0,
		shown.findIndex((row) => row !== ''),
	);
	const above = rows.slice(0, start).filter((row) => row !== '');
	return [...above.slice(Math.max(0, above.length - empty)), ...shown.slice(empty)];
}

/** Finds a cut between two blocks or lines, preserving the following text's meaning. */
function findCut(text: string): number {
	const place = text.length - keptLength;
	const block = text.indexOf('\n\n', place);
	if (block !== -1 && block < text.length - keptLength / 2) return block + 2;
	return text.indexOf('\n', place) + 1 || place;
}

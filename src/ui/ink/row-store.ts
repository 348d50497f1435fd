/** Holds the rows of the scrollback and the frame below them, outside of React. */
import {isDeepStrictEqual} from 'node:util';
import {type Block, isApart} from '../../repl/rhythm.ts';
import {type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Frame} from './frame-input.ts';

/** Rows written once and never drawn again. */
export type StaticItem = {readonly id: number; readonly rows: readonly SafeText[]};

export type ScreenSnapshot = {readonly items: readonly StaticItem[]; readonly frame: Frame};

/** The part of a store that React reads. */
export interface ScreenSource {
	subscribe(listener: () => void): () => void;
	getSnapshot(): ScreenSnapshot;
}

export interface RowStore extends ScreenSource {
	/** Adds rows to the scrollback, drawn with the next frame. */
	commit(block: Block, rows: readonly SafeText[]): void;
	/** The last block of the scrollback. */
	lastBlock(): Block | undefined;
	draw(frame: Frame): void;
}

/** Ink takes more time for a character of a longer text. */
const partRows = 16;

export function createRowStore(frame: Frame): RowStore {
	const listeners = new Set<() => void>();
	let items: readonly StaticItem[] = [];
	let last: Block | undefined;
	let snapshot: ScreenSnapshot = {items, frame};
	return {
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		getSnapshot: () => snapshot,
		commit(block, rows) {
			if (rows.length === 0) return;
			const all = isApart(last, block) ? [stripUnsafe(''), ...rows] : rows;
			last = block;
			const parts = Array.from({length: Math.ceil(all.length / partRows)}, (_, index) => ({
				id: items.length + index,
				rows: all.slice(index * partRows, (index + 1) * partRows),
			}));
			items = [...items, ...parts];
		},
		lastBlock: () => last,
		draw(next) {
			snapshot = {items, frame: keepParts(snapshot.frame, next)};
			for (const listener of listeners) listener();
		},
	};
}

/** Keeps the parts that look as before, so that only components with new rows render. */
function keepParts(before: Frame, after: Frame): Frame {
	return {
		...after,
		turn: keepEqual(before.turn, after.turn),
		question: keepEqual(before.question, after.question),
		notices: keepEqual(before.notices, after.notices),
		prompt: keepEqual(before.prompt, after.prompt),
		popup: keepEqual(before.popup, after.popup),
		menu: keepEqual(before.menu, after.menu),
		status: keepEqual(before.status, after.status),
	};
}

function keepEqual<Part>(before: Part, after: Part): Part {
	return isDeepStrictEqual(before, after) ? before : after;
}

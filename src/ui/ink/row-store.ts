/** Holds the rows of the scrollback and the frame below them, outside of React. */
import {isDeepStrictEqual} from 'node:util';
import {type Block, isApart} from '../../repl/rhythm.ts';
import {type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Frame} from './frame-input.ts';

/** Rows written once and never drawn again. */
export type StaticItem = {readonly id: number; readonly rows: readonly SafeText[]};

export type ScreenSnapshot = {
	/** The newest items: all that the terminal does not have, or else the last that it got. */
	readonly items: readonly StaticItem[];
	readonly frame: Frame;
};

/** The part of a store that React reads. */
export interface ScreenSource {
	subscribe(listener: () => void): () => void;
	getSnapshot(): ScreenSnapshot;
	/** Forgets items, which the terminal has now. */
	releaseItems(written: readonly StaticItem[]): void;
	/** The id of the first item that the terminal does not have. */
	firstWaiting(): number;
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
	/** Items that the terminal does not have. */
	let waiting: StaticItem[] = [];
	/** A copy for React, made when it is asked for. */
	let items: readonly StaticItem[] | undefined = [];
	let nextId = 0;
	let last: Block | undefined;
	let drawn = frame;
	let snapshot: ScreenSnapshot | undefined;
	return {
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		getSnapshot() {
			items ??= [...waiting];
			snapshot ??= {items, frame: drawn};
			return snapshot;
		},
		releaseItems(written) {
			const last = written.at(-1)?.id ?? -1;
			waiting = waiting.filter(({id}) => id > last);
		},
		firstWaiting: () => nextId - waiting.length,
		commit(block, rows) {
			if (rows.length === 0) return;
			const all = isApart(last, block) ? [stripUnsafe(''), ...rows] : rows;
			last = block;
			for (let from = 0; from < all.length; from += partRows) {
				waiting.push({id: nextId, rows: all.slice(from, from + partRows)});
				nextId += 1;
			}
			items = undefined;
		},
		lastBlock: () => last,
		draw(next) {
			drawn = keepParts(drawn, next);
			snapshot = undefined;
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

/** Holds the rows of the scrollback and the frame below them, outside of React. */
import type {SafeText} from '../../terminal/safe-text.ts';
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
	commit(rows: readonly SafeText[]): void;
	draw(frame: Frame): void;
}

export function createRowStore(frame: Frame): RowStore {
	const listeners = new Set<() => void>();
	let items: readonly StaticItem[] = [];
	let snapshot: ScreenSnapshot = {items, frame};
	return {
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		getSnapshot: () => snapshot,
		commit(rows) {
			if (rows.length > 0) items = [...items, {id: items.length, rows}];
		},
		draw(next) {
			snapshot = {items, frame: next};
			for (const listener of listeners) listener();
		},
	};
}

/** Asks a terminal for its cursor position and current window size. */
import type {Cursor} from '../live/frame-input.ts';
import type {CursorReport} from './reflow.ts';

/** Reports the cursor, then the last cell; the cursor stays. */
const question = '\u001b[6n\u001b7\u001b[9999;9999H\u001b[6n\u001b8';

/** An answer over a slow line may take this long; a later one is lost. */
const lostAfterMs = 5000;

export interface Locator {
	/** Receives the terminal's answers. */
	readonly onPosition: (position: Cursor) => void;
	/**
	 * Stays pending if the terminal never answers, and while an earlier question lacks its answer,
	 * since both answers look alike.
	 */
	readonly locate: () => Promise<CursorReport>;
}

export function createLocator(write: (text: string) => void, now: () => number): Locator {
	let positions: readonly Cursor[] = [];
	let askedAt: number | undefined;
	let answer = (_place: CursorReport) => {};
	return {
		onPosition(position) {
			if (askedAt === undefined) return;
			positions = [...positions, position];
			const [cursor, last] = positions;
			if (cursor === undefined || last === undefined) return;
			askedAt = undefined;
			answer({cursor, size: {columns: last.x + 1, rows: last.y + 1}});
		},
		locate() {
			const isOwed = askedAt !== undefined && now() - askedAt < lostAfterMs;
			return new Promise((resolve) => {
				answer = isOwed ? () => {} : resolve;
				if (isOwed) return;
				positions = [];
				askedAt = now();
				write(question);
			});
		},
	};
}

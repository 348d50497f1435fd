/** Asks a terminal where its cursor is, and for the size of its window at that moment. */
import type {Cursor} from '../live/frame-input.ts';
import type {CursorReport} from './reflow.ts';

/** The position of the cursor, and that of the last cell; the cursor stays. */
const question = '\u001b[6n\u001b7\u001b[9999;9999H\u001b[6n\u001b8';

/** Until then, an answer may still come over a slow line; later, it is lost. */
const lostAfterMs = 5000;

export interface Locator {
	/** Receives the answers of the terminal. */
	readonly onPosition: (position: Cursor) => void;
	/**
	 * Stays pending if the terminal does not answer, and while it owes the answer to an earlier question,
	 * which cannot be told from this one.
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

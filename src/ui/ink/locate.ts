/** Asks a terminal where its cursor is, and for the size of its window at that moment. */
import type {Cursor} from './frame-input.ts';
import type {Place} from './reflow.ts';

/** The position of the cursor, and that of the last cell; the cursor stays. */
const question = '\u001b[6n\u001b7\u001b[9999;9999H\u001b[6n\u001b8';

export interface Locator {
	/** Receives the answers of the terminal. */
	readonly onPosition: (position: Cursor) => void;
	/** Stays pending if the terminal does not answer. */
	readonly locate: () => Promise<Place>;
}

export function createLocator(write: (text: string) => void): Locator {
	let positions: readonly Cursor[] = [];
	let answer = (_place: Place) => {};
	return {
		onPosition(position) {
			positions = [...positions, position];
			const [cursor, last] = positions;
			if (cursor === undefined || last === undefined) return;
			answer({cursor, size: {columns: last.x + 1, rows: last.y + 1}});
		},
		locate() {
			positions = [];
			write(question);
			return new Promise((resolve) => {
				answer = resolve;
			});
		},
	};
}

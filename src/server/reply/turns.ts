/** Turns of work that takes a while, so that other requests are heard between any two of them. */
import {setImmediate} from 'node:timers/promises';

/** Waits for the turn of its caller, one at a time. */
export type TakeTurn = () => Promise<void>;

export function createTurns(): TakeTurn {
	let last = Promise.resolve();
	return () => {
		last = last.then(async () => await setImmediate());
		return last;
	};
}

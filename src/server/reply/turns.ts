/** Takes turns at long work, so that other requests are read between any two turns. */
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

/** Puts the questions of calls that run side by side in a row: a screen shows one at a time. */
import {untilAborted} from '../abort.ts';
import type {Elicit} from './elicitation.ts';

/** Returns a function with which each question waits for those before it. */
export function oneAtATime(elicit: Elicit): Elicit {
	let last: Promise<unknown> = Promise.resolve();
	return (request, signal) => {
		const before = last;
		const asked = untilAborted(() => before, signal).then(() => elicit(request, signal));
		last = Promise.allSettled([before, asked]);
		return asked;
	};
}

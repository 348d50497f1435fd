/** Queues questions from a turn for a screen that shows one at a time. */
import {untilAborted} from '../abort.ts';
import type {Elicit} from './elicitation.ts';
import type {Questions} from './tool.ts';

/** Puts questions from parallel calls in a queue. */
export function oneAtATime(elicit: Elicit): Elicit {
	let last: Promise<unknown> = Promise.resolve();
	return (request, signal) => {
		const before = last;
		const asked = untilAborted(() => before, signal).then(() => elicit(request, signal));
		last = Promise.allSettled([before, asked]);
		return asked;
	};
}

/** Returns questions that announce themselves to the listener. */
export function askAfter(
	{approve, elicit}: Questions,
	listener: (type: 'question' | 'elicitation') => void,
): Questions {
	return {
		approve(request, signal) {
			listener('question');
			return approve(request, signal);
		},
		elicit(request, signal) {
			listener('elicitation');
			return elicit(request, signal);
		},
	};
}

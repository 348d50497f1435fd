/** Lets a signal end a command's work. */
import type {Environment} from '../../environment.ts';
import {type InterruptSignal, interruptedBy} from '../../errors.ts';

/**
 * @param work gets a signal, whose reason becomes its error, and a function ending the work like a
 * system signal
 */
export async function untilInterrupted<Result>(
	environment: Environment,
	work: (signal: AbortSignal, interrupt: (name: InterruptSignal) => void) => Promise<Result>,
): Promise<Result> {
	const ending = new AbortController();
	const interrupt = (name: InterruptSignal) => ending.abort(interruptedBy(name));
	const stopListening = environment.onInterrupt(interrupt);
	try {
		return await work(ending.signal, interrupt);
	} finally {
		stopListening();
	}
}

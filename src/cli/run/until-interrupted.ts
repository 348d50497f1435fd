/** Lets a signal end the work of a command. */
import type {Environment} from '../../environment.ts';
import {type InterruptSignal, interruptedBy} from '../../errors.ts';

/**
 * @param work gets a signal whose reason is the error that it should fail with, and a function that
 * ends the work as a signal of the system does
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

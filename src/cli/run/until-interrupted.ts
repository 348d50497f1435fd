/** Lets a signal end the work of a command that has nothing to write about it. */
import type {Environment} from '../../environment.ts';
import {interruptedBy} from '../../errors.ts';

/** @param work gets a signal whose reason is the error that it should fail with */
export async function untilInterrupted<Result>(
	environment: Environment,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const interrupt = new AbortController();
	const stopListening = environment.onInterrupt((signal) => interrupt.abort(interruptedBy(signal)));
	try {
		return await work(interrupt.signal);
	} finally {
		stopListening();
	}
}

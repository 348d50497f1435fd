/** Lets a signal end the work of a command that has nothing to write about it. */
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';

/** @param work gets a signal whose reason is the error that it should fail with */
export async function untilInterrupted<Result>(
	environment: Environment,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const interrupt = new AbortController();
	const stopListening = environment.onInterrupt((signal) =>
		interrupt.abort(new ChatError('interrupted', `interrupted (${signal})`, {signal})),
	);
	try {
		return await work(interrupt.signal);
	} finally {
		stopListening();
	}
}

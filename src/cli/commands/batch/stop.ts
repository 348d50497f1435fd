/** How a batch is stopped: the first Ctrl-C lets what runs finish, anything else ends it. */
import {setMaxListeners} from 'node:events';
import type {Environment} from '../../../environment.ts';
import {type InterruptSignal, interruptedBy} from '../../../errors.ts';

export type Stop = {
	/** Aborted when running answers are to end. */
	readonly signal: AbortSignal;
	/** Whether no further answer may start. */
	isStopping(): boolean;
	/** Lets the first Ctrl-C only stop the start of answers from now on, and calls back. */
	finishFirst(onStopping: () => void): void;
	/** Ends running answers after a failure, which is thrown again. */
	fail(error: unknown): never;
	/** Stops listening for signals. */
	end(): void;
};

export function listenForStop(environment: Environment): Stop {
	const ending = new AbortController();
	// Every running answer listens.
	setMaxListeners(0, ending.signal);
	let isStopping = false;
	let onStopping: (() => void) | undefined;
	let stopListening = () => {};
	const hear = (name: InterruptSignal) => {
		if (name !== 'SIGINT' || isStopping || onStopping === undefined) {
			ending.abort(interruptedBy(name));
			return;
		}
		isStopping = true;
		onStopping();
		// A listener hears one signal.
		stopListening = environment.onInterrupt(hear);
	};
	stopListening = environment.onInterrupt(hear);
	return {
		signal: ending.signal,
		isStopping: () => isStopping || ending.signal.aborted,
		finishFirst(callback) {
			onStopping = callback;
		},
		fail(error) {
			ending.abort(error);
			throw error;
		},
		end: () => stopListening(),
	};
}

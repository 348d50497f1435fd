/** A time limit that restarts cheaply, as often as bytes arrive. */
export interface Deadline {
	restart(): void;
	/** Starts the limit unless it is running. */
	start(): void;
	stop(): void;
}

/** Node's maximum timer delay; a longer limit is not set. */
const maxDelayMs = 2 ** 31 - 1;

/** @param limitMs milliseconds; 0 means no limit */
export function createDeadline(limitMs: number, onExpire: () => void): Deadline {
	let timer: NodeJS.Timeout | undefined;
	let expiry: NodeJS.Immediate | undefined;
	const isLimited = limitMs > 0 && limitMs <= maxDelayMs;
	// After a suspended process resumes (Ctrl-Z), timers run before pending input is read.
	const onTimeout = () => {
		expiry = setImmediate(onExpire);
	};
	const start = () => {
		if (isLimited && timer === undefined) timer = setTimeout(onTimeout, limitMs);
	};
	return {
		start,
		restart() {
			clearImmediate(expiry);
			if (timer === undefined) start();
			else timer.refresh();
		},
		stop() {
			clearImmediate(expiry);
			clearTimeout(timer);
			timer = undefined;
		},
	};
}

/** A time limit that can be pushed out cheaply, as often as bytes arrive. */
export interface Deadline {
	/** Starts the limit, or starts it over. */
	restart(): void;
	/** Starts the limit unless it runs already. */
	start(): void;
	stop(): void;
}

/** The longest delay that Node's timers take; a longer limit is no limit. */
const maxDelayMs = 2 ** 31 - 1;

/** @param limitMs milliseconds; 0 means no limit */
export function createDeadline(limitMs: number, onExpire: () => void): Deadline {
	let timer: NodeJS.Timeout | undefined;
	let expiry: NodeJS.Immediate | undefined;
	const isLimited = limitMs > 0 && limitMs <= maxDelayMs;
	// After a stop of the process (Ctrl-Z), what arrived meanwhile is read only after the timers.
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

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
	const isLimited = limitMs > 0 && limitMs <= maxDelayMs;
	const start = () => {
		if (isLimited && timer === undefined) timer = setTimeout(onExpire, limitMs);
	};
	return {
		start,
		restart() {
			if (timer === undefined) start();
			else timer.refresh();
		},
		stop() {
			clearTimeout(timer);
			timer = undefined;
		},
	};
}

/** The time limits of a call. The SDK has them too, but cannot stop its clock during a question. */

export interface CallLimit {
	/** Aborts when the time is over; the reason is that time, as a part of a sentence. */
	readonly signal: AbortSignal;
	/** The server has shown that it works on the call. */
	restart(): void;
	/** The user is asked: nothing counts until `resume` was called as often. */
	pause(): void;
	resume(): void;
	/** Ends the limit, whose timer would keep the process alive. */
	clear(): void;
}

/** Total time of a call in milliseconds, however often it reports progress. */
const maxCallMs = 10 * 60_000;

/**
 * @param timeLimitMs without progress; 0: no limit
 * @param now milliseconds on a clock that never goes back
 */
export function startCallLimit(timeLimitMs: number, now: () => number): CallLimit {
	const controller = new AbortController();
	let left = maxCallMs;
	/** The number of reasons why the clock stands. */
	let stops = 1;
	let since = 0;
	let timer: NodeJS.Timeout | undefined;
	const pause = () => {
		if (stops++ > 0) return;
		clearTimeout(timer);
		left -= now() - since;
	};
	const resume = () => {
		if (--stops > 0) return;
		since = now();
		const isLast = timeLimitMs === 0 || timeLimitMs >= left;
		timer = setTimeout(
			() => controller.abort(`${(isLast ? maxCallMs : timeLimitMs) / 1000} s`),
			Math.max(0, isLast ? left : timeLimitMs),
		);
	};
	resume();
	return {
		signal: controller.signal,
		restart() {
			pause();
			resume();
		},
		pause,
		resume,
		clear: pause,
	};
}

/** Time limits for a call. The SDK has them too, but cannot stop its clock during a question. */

export interface CallLimit {
	/** Aborts when time runs out; the reason is the limit as a phrase. */
	readonly signal: AbortSignal;
	/** Call it when the server reports progress. */
	restart(): void;
	/** The user is asked: nothing counts until `resume` was called as often. */
	pause(): void;
	resume(): void;
	/** Ends the limit, whose timer would keep the process alive. */
	clear(): void;
}

/** Total milliseconds for a call, however often it reports progress. */
const maxCallMs = 10 * 60_000;

/**
 * @param timeLimitMs limit without progress; 0: no limit
 * @param now milliseconds on a monotonic clock
 */
export function startCallLimit(timeLimitMs: number, now: () => number): CallLimit {
	const controller = new AbortController();
	let left = maxCallMs;
	/** Number of pauses in effect. */
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

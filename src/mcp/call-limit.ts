/** The time limits of a call. */

export interface CallLimit {
	/** Aborts when the time is over. */
	readonly signal: AbortSignal;
	/** The server has shown that it works on the call. */
	restart(): void;
	/** Runs while the user is asked: nothing counts meanwhile. */
	pauseFor<Result>(work: () => Promise<Result>): Promise<Result>;
	/** The time that is over, as a part of a sentence; undefined before. */
	end(): string | undefined;
	/** Ends the limit: nothing sets its timer again, which would keep the process alive. */
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
	let since = now();
	let paused = 0;
	let isCleared = false;
	let ended: string | undefined;
	let timer: NodeJS.Timeout | undefined;
	const count = () => {
		const time = now();
		left -= time - since;
		since = time;
	};
	const schedule = () => {
		clearTimeout(timer);
		if (paused > 0 || isCleared || ended !== undefined) return;
		const isLast = timeLimitMs === 0 || timeLimitMs >= left;
		timer = setTimeout(
			() => {
				ended = `${(isLast ? maxCallMs : timeLimitMs) / 1000} s`;
				controller.abort(ended);
			},
			Math.max(0, isLast ? left : timeLimitMs),
		);
	};
	schedule();
	return {
		signal: controller.signal,
		restart() {
			if (paused === 0) count();
			schedule();
		},
		async pauseFor(work) {
			if (paused === 0) count();
			paused++;
			schedule();
			try {
				return await work();
			} finally {
				paused--;
				if (paused === 0) since = now();
				schedule();
			}
		},
		end: () => ended,
		clear() {
			isCleared = true;
			clearTimeout(timer);
		},
	};
}

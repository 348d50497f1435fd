/** Notices that input is slow to come. */

/** How long input may be silent before the user is told what the program waits for. */
export const waitingAfterMs = 3000;

/** Calls `onSilence` at most once, when it was neither restarted nor stopped for `afterMs`. */
export function createSilenceTimer(afterMs: number, onSilence: (() => void) | undefined) {
	let hasFired = false;
	const timer = setTimeout(() => {
		hasFired = true;
		onSilence?.();
	}, afterMs);
	return {
		restart() {
			// A timer that has fired would be armed again by this.
			if (!hasFired) timer.refresh();
		},
		stop: () => clearTimeout(timer),
	};
}

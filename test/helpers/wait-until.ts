/** Waits for a condition, and checks it again whenever something has happened. */

/**
 * Resolves when the condition holds. Checks it now, whenever a function in `waiting` is called, and
 * at intervals. Rejects if the condition throws.
 *
 * @param explain describes the actual state for a timeout
 */
export function waitUntil(
	isMet: () => boolean,
	waiting: Set<() => void>,
	timeoutMs: number,
	explain: () => string,
): Promise<void> {
	return new Promise((resolve, reject) => {
		const settle = (done: () => void) => {
			waiting.delete(look);
			clearInterval(interval);
			clearTimeout(timer);
			done();
		};
		const look = () => {
			try {
				if (isMet()) settle(resolve);
			} catch (error) {
				settle(() => reject(error as Error));
			}
		};
		const interval = setInterval(look, 20);
		const timer = setTimeout(() => {
			settle(() => reject(new Error(`not within ${timeoutMs} ms; ${explain()}`)));
		}, timeoutMs);
		waiting.add(look);
		look();
	});
}

/** Waiting for a condition, which is looked at again whenever something has happened. */

/**
 * Resolves when the condition holds. Looks now, whenever a function in `waiting` is called, and now
 * and then; what the condition throws, it throws.
 *
 * @param explain says what there is instead, when it has taken too long
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

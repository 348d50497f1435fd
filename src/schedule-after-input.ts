/**
 * Calls back after a delay, unless the returned function is called before.
 *
 * When a busy process gets to its timers, input may still wait in the terminal; `setImmediate` lets
 * it be read first.
 */
export function scheduleAfterInput(callback: () => void, delayMs: number): () => void {
	let immediate: NodeJS.Immediate | undefined;
	const timer = setTimeout(() => {
		immediate = setImmediate(callback);
	}, delayMs);
	return () => {
		clearTimeout(timer);
		clearImmediate(immediate);
	};
}

/** Resolves when pending input has been read and pending signals have been handled. */
export function readInput(): Promise<void> {
	return new Promise((resolve) => {
		setImmediate(resolve);
	});
}

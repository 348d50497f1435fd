/**
 * Calls back after a delay, unless the result is called before.
 *
 * After a busy spell, what was typed meanwhile may lie unread in the terminal when the timer fires;
 * `setImmediate` lets it be read first.
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

/** Resolves when what lies in the terminal has been read, and signals that came have been heard. */
export function readInput(): Promise<void> {
	return new Promise((resolve) => {
		setImmediate(resolve);
	});
}

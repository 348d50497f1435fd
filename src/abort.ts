/** Work that an abort ends. */

/**
 * Rejects with the reason of `signal` as soon as it aborts, even while `work` hangs in something that
 * nothing can stop.
 */
export function untilAborted<Result>(
	work: () => Promise<Result>,
	signal: AbortSignal,
	onAbort?: () => void,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		const abort = () => {
			reject(signal.reason);
			onAbort?.();
		};
		if (signal.aborted) {
			abort();
			return;
		}
		signal.addEventListener('abort', abort, {once: true});
		const stopListening = () => signal.removeEventListener('abort', abort);
		work().finally(stopListening).then(resolve, reject);
	});
}

/**
 * Returns what the work resolves to, or the value for its failure.
 *
 * @throws the signal's reason when it is aborted
 */
export async function recover<Value, Fallback>(
	work: () => Promise<Value>,
	signal: AbortSignal,
	onFailure: (error: unknown) => Fallback,
): Promise<Value | Fallback> {
	try {
		return await work();
	} catch (error) {
		signal.throwIfAborted();
		return onFailure(error);
	}
}

/** Resolves after the delay in milliseconds; rejects when `signal` aborts. */
export function wait(delayMs: number, signal: AbortSignal): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const work = () =>
		new Promise<void>((resolve) => {
			timer = setTimeout(resolve, delayMs);
		});
	return untilAborted(work, signal, () => clearTimeout(timer));
}

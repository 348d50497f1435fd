/** Why a reply ended. */
export type FinishReason = {
	/**
	 * `stop`: the model is done. `tool-calls`: it waits for the results of its calls. `length` and
	 * `filter`: the stream is complete, but the answer is cut off. `failed`: the service gave up.
	 * `unknown` counts as `stop`, and is reported.
	 */
	readonly kind: 'stop' | 'length' | 'filter' | 'tool-calls' | 'failed' | 'unknown';
	/** The service's own word, to be shown; null without one. */
	readonly raw: string | null;
};

/** Whether the service stopped the answer before the model was done. */
export function isCutReason({kind}: FinishReason): boolean {
	return kind === 'length' || kind === 'filter';
}

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

const commonWords: Partial<Record<FinishReason['kind'], string>> = {
	stop: 'stop',
	'tool-calls': 'tool_calls',
	length: 'length',
};

/** Returns the reason in chat completions' words, for output that is the same over every wire. */
export function withCommonWord(reason: FinishReason = {kind: 'unknown', raw: null}): FinishReason {
	return {...reason, raw: commonWords[reason.kind] ?? reason.raw};
}

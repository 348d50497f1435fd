/** The prompt asking for the rest of a cut answer, which the built-in service understands. */

const order =
	'Your answer was cut off. Continue it. Begin by repeating exactly this end of it, then go on without comment:\n\n';

export function writeContinuationRequest(anchor: string): string {
	return order + anchor;
}

/** Returns the anchor; undefined for another prompt. */
export function readContinuationRequest(prompt: string): string | undefined {
	return prompt.startsWith(order) ? prompt.slice(order.length) : undefined;
}

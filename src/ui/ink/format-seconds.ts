/** Times as a person reads them. */

/** How long something took; what a clock would show as `0.0 s` is a moment. */
export function formatSpan(milliseconds: number): string {
	return milliseconds < 50 ? 'a moment' : formatSeconds(milliseconds);
}

/** `0.4 s` below ten seconds, `12 s` from there on. */
export function formatSeconds(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

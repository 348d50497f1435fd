/** Times as a person reads them. */

/** `0.4 s` below ten seconds, `12 s` from there on. */
export function formatSeconds(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

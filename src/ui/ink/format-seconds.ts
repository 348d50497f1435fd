/** Formats a duration; `a moment` where a clock would show `0.0 s`. */
export function formatSpan(milliseconds: number): string {
	return milliseconds < 50 ? 'a moment' : formatSeconds(milliseconds);
}

/** Formats seconds as `0.4 s`, or as `12 s` from ten on. */
export function formatSeconds(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

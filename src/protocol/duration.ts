/** Formats a duration for a message, rounded up: `20 ms`, `0.8 s`, `90 s`, `10 min`, `2 h`. */
export function formatDuration(milliseconds: number): string {
	if (milliseconds < 100) return `${Math.ceil(milliseconds)} ms`;
	const seconds = Math.ceil(milliseconds / 100) / 10;
	if (seconds < 10) return `${seconds} s`;
	if (seconds < 120) return `${Math.ceil(seconds)} s`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 60 ? `${minutes} min` : `${Math.ceil(minutes / 6) / 10} h`;
}

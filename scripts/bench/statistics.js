/** Statistics over many runs. */

export function median(values) {
	return percentile(values, 0.5);
}

/** @param share from 0 to 1; interpolates between two values */
export function percentile(values, share) {
	const sorted = values.toSorted((one, other) => one - other);
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? Number.NaN;
	return below + (above - below) * (place - Math.floor(place));
}

/** Returns the median of the ratios of paired runs. */
export function ratio(values, baselines) {
	return median(values.map((value, round) => value / baselines[round]));
}

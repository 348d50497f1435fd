/** Statistics over many runs, and how the benchmark prints them. */

export function median(values) {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = sorted.length / 2;
	return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** Returns the median ratio over paired runs. */
export function ratio(values, baselines) {
	return median(values.map((value, round) => value / baselines[round]));
}

export function printHeading(text) {
	console.log(`\n## ${text}\n`);
}

/** @param rows texts, the header first; all columns but the first are aligned right */
export function printTable(rows) {
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	const [header, ...others] = rows;
	const rule = widths.map((width) => '-'.repeat(width));
	for (const row of [header, rule, ...others]) {
		const cells = row.map((cell, column) =>
			column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
		);
		console.log(`  ${cells.join('  ')}`.trimEnd());
	}
}

/** @param goals a label, the measured ratio, and its upper limit each */
export function printGoals(goals) {
	console.log();
	printTable([
		['goal', 'measured', 'at most', ''],
		...goals.map(([what, value, limit]) => [
			what,
			`${value.toFixed(2)}x`,
			`${limit.toFixed(2)}x`,
			value <= limit ? 'met' : 'not met',
		]),
	]);
}

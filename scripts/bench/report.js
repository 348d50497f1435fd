/** The output of the benchmark. A missed goal is reported, but does not fail the run. */

import {cpus, loadavg, release, type} from 'node:os';

export function printMachine(version) {
	const [processor] = cpus();
	const load = loadavg()[0].toFixed(1);
	console.log(`Node ${version} on ${type()} ${release()}, load ${load}`);
	console.log(`${cpus().length} cores, ${processor?.model ?? 'unknown'}`);
	console.log('Medians of interleaved runs; a ratio is the median of the ratios of the pairs.');
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

/** One line of goals: a label, the figure, its upper limit, and their format. */
export function goal(what, value, limit, show = showRatio) {
	return {what, value, limit, show};
}

export function printGoals(goals) {
	console.log();
	printTable([
		['goal', 'measured', 'at most', ''],
		...goals.map(({what, value, limit, show}) => [
			what,
			show(value),
			show(limit),
			value <= limit ? 'met' : 'not met',
		]),
	]);
}

export function showRatio(value) {
	return `${value.toFixed(2)}x`;
}

export function showMs(value) {
	return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

export function showPercent(value) {
	return `${(100 * value).toFixed(1)} %`;
}

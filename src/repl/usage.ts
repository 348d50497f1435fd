/** Tokens and times of the turns, as a table. Sums are for the reader only. */
import type {TurnRecord} from './state.ts';

export function describeUsage(turns: readonly TurnRecord[]): string {
	if (turns.length === 0) return 'there is no turn yet';
	const rows = turns.map(({usage, totalMs}, index) => [
		`turn ${index + 1}`,
		countOf(usage?.promptTokens),
		countOf(usage?.completionTokens),
		`${(totalMs / 1000).toFixed(1)} s`,
	]);
	const sums = [
		'total',
		countOf(sum(turns.map(({usage}) => usage?.promptTokens))),
		countOf(sum(turns.map(({usage}) => usage?.completionTokens))),
		`${(turns.reduce((total, {totalMs}) => total + totalMs, 0) / 1000).toFixed(1)} s`,
	];
	const table = [
		['', 'tokens in', 'tokens out', 'time'],
		...rows,
		...(turns.length > 1 ? [sums] : []),
	];
	return table.map(formatRow).join('\n');
}

const widths = [8, 10, 11, 9];

function formatRow(cells: readonly string[]): string {
	return cells
		.map((cell, index) =>
			index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0),
		)
		.join('');
}

function countOf(count: number | undefined): string {
	return count === undefined ? '–' : String(count);
}

/** Undefined if nobody reported anything. */
function sum(counts: ReadonlyArray<number | undefined>): number | undefined {
	const known = counts.filter((count) => count !== undefined);
	return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0);
}

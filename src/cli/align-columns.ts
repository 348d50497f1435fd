/**
 * Returns the rows as lines whose columns begin at the same place; an empty column takes no room.
 *
 * @param numbers the columns that end at the same place
 */
export function alignColumns(
	rows: ReadonlyArray<readonly string[]>,
	numbers: readonly number[] = [],
): string {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	const lines = rows.map((row) => {
		const cells = widths.map((width, column) => {
			const cell = row[column] ?? '';
			return numbers.includes(column) ? cell.padStart(width) : cell.padEnd(width);
		});
		return cells
			.filter((cell) => cell !== '')
			.join('  ')
			.trimEnd();
	});
	return lines.map((line) => `${line}\n`).join('');
}

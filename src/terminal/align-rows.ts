/** The one column aligner. Counts cells. */
export type Alignment = {
	/** Columns ending at the same place. */
	readonly numbers?: readonly number[];
	/** The widest column, in cells. A wider text only moves the rest of its own row. */
	readonly maxWidth?: number;
};

/**
 * Returns the rows as lines with aligned columns; an empty column takes no room.
 *
 * @param textWidth returns a text's cells
 */
export function alignRows(
	rows: ReadonlyArray<readonly string[]>,
	textWidth: (text: string) => number,
	{numbers = [], maxWidth = Number.POSITIVE_INFINITY}: Alignment = {},
): readonly string[] {
	const last = (rows[0]?.length ?? 0) - 1;
	const widths = (rows[0] ?? []).map((_, column) => {
		// The last column needs no padding, and a title is slow to measure.
		if (column === last && !numbers.includes(column)) return 0;
		const used = rows.map((row) => textWidth(row[column] ?? ''));
		return Math.max(0, ...used.filter((width) => width <= maxWidth));
	});
	return rows.map((row) => {
		const cells = widths.map((width, column) => {
			const cell = row[column] ?? '';
			const padding = width === 0 ? '' : ' '.repeat(Math.max(0, width - textWidth(cell)));
			return numbers.includes(column) ? padding + cell : cell + padding;
		});
		return cells
			.filter((cell) => cell !== '')
			.join('  ')
			.trimEnd();
	});
}

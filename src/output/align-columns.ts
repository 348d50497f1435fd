type Alignment = {
	/** The columns that end at the same place. */
	readonly numbers?: readonly number[];
	/** The cells of the widest column. A wider text moves what follows it in its row alone. */
	readonly maxWidth?: number;
};

/** Returns the rows as lines whose columns begin at the same place; an empty column takes no room. */
export async function alignColumns(
	rows: ReadonlyArray<readonly string[]>,
	{numbers = [], maxWidth = Number.POSITIVE_INFINITY}: Alignment = {},
): Promise<string> {
	const textWidth = await loadMeasure(rows);
	const last = (rows[0]?.length ?? 0) - 1;
	const widths = (rows[0] ?? []).map((_, column) => {
		// Nothing follows it, and a title is slow to measure.
		if (column === last && !numbers.includes(column)) return 0;
		const used = rows.map((row) => textWidth(row[column] ?? ''));
		return Math.max(0, ...used.filter((width) => width <= maxWidth));
	});
	const lines = rows.map((row) => {
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
	return lines.map((line) => `${line}\n`).join('');
}

/** Measuring other characters than ASCII takes 20 ms to load, which most lists do without. */
async function loadMeasure(
	rows: ReadonlyArray<readonly string[]>,
): Promise<(text: string) => number> {
	const isPlain = rows.every((row) => row.every((cell) => /^[ -~]*$/.test(cell)));
	return isPlain ? ({length}) => length : (await import('../terminal/width.ts')).textWidth;
}

import {type Alignment, alignRows} from '../terminal/align-rows.ts';

/** Returns the rows as a text of aligned columns. */
export async function alignColumns(
	rows: ReadonlyArray<readonly string[]>,
	alignment?: Alignment,
): Promise<string> {
	const lines = alignRows(rows, await loadMeasure(rows), alignment);
	return lines.map((line) => `${line}\n`).join('');
}

/** Measuring other characters than ASCII takes 20 ms to load, which most lists do without. */
async function loadMeasure(
	rows: ReadonlyArray<readonly string[]>,
): Promise<(text: string) => number> {
	const isPlain = rows.every((row) => row.every((cell) => /^[ -~]*$/.test(cell)));
	return isPlain ? ({length}) => length : (await import('../terminal/width.ts')).textWidth;
}

/** Times and rates that differ from run to run, and what pictures show instead, as wide. */
const masks = [
	[/\d\.\d s\b/g, '2.4 s'],
	[/~\d\d tokens\/s/g, '~60 tokens/s'],
];

/** Replaces texts in the cells of a window, which keep their looks. */
export function maskTimes({cells, cursor}) {
	return {cells: cells.map(maskRow), cursor};
}

function maskRow(row) {
	const text = row.map((cell) => cell.text || '\u0000').join('');
	const masked = masks.reduce((current, [pattern, shown]) => current.replace(pattern, shown), text);
	// Some characters of the pictures have more than one unit of text, but none stands in a time.
	if (masked === text) return row;
	return [...masked].map((character, x) => ({
		...row[x],
		text: character === '\u0000' ? '' : character,
	}));
}

/** Texts that differ from run to run, and what pictures show instead. */
const masks = [
	[/\d\.\d s\b/g, '2.4 s'],
	[
		/^[•·] (?:answering|nothing)[^·]*( · ~\d+ tokens\/s)?(?= {2,})/,
		'• answering 2 s · ~60 tokens/s',
	],
	[/^[•·] thinking( \d+ s)?(?= {2,})/, '• thinking 2 s'],
	[/\S*\/chat-picture-\w{6}(?=\S*)/, '/home/ada'],
	[/^[0-9a-v]{8}(?= · \d)/, 'k3v81m0q'],
];

/** Replaces texts in the cells of a window, which keep their looks. */
export function maskTimes({cells, cursor}) {
	return {cells: cells.map(maskRow), cursor};
}

function maskRow(row) {
	const text = row.map((cell) => cell.text || '\u0000').join('');
	const masked = masks.reduce(maskText, text);
	if (masked === text) return row;
	return [...masked.padEnd(row.length)].slice(0, row.length).map((character, x) => ({
		...row[x],
		text: character === '\u0000' ? '' : character,
	}));
}

/** The blanks after a word give way, so that what follows them stays in its column. */
function maskText(text, [pattern, shown]) {
	const word = new RegExp(`(?:${pattern.source})(\\S*)( {2,})?`, pattern.flags);
	return text.replace(word, (whole, ...groups) => {
		const [rest = '', gap] = groups.slice(-4, -2);
		return gap === undefined ? shown + rest : (shown + rest).padEnd(whole.length);
	});
}

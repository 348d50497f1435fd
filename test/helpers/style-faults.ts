/** Finds styles that cannot be read on a white background. */

/** Returns a line for each place that is bold and coloured at once, or yellow or cyan. */
export function faultsOfStyle(row: string): readonly string[] {
	let isBold = false;
	let color = '39';
	const faults: string[] = [];
	// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences.
	for (const [, code = ''] of row.matchAll(/\u001b\[(\d*)m/g)) {
		if (/^0?$/.test(code)) [isBold, color] = [false, '39'];
		else if (code === '1' || code === '22') isBold = code === '1';
		else if (/^(?:[39]\d)$/.test(code)) color = code;
		if (isBold && color !== '39') faults.push(`bold and the colour ${color}: ${row}`);
		if (/^[39][36]$/.test(color)) faults.push(`the colour ${color}: ${row}`);
	}
	return faults;
}

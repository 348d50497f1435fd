/**
 * Takes the edge off lines that are made to cost much: containers nested by the hundred, tables
 * of hundreds of columns. Such a line is read as text from there on.
 */

const maxNesting = 16;
const maxColumns = 32;

const deepNesting = new RegExp(
	`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${maxNesting + 1}}`,
);
const rule = /^[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*$/;
const delimiterRow = /^[\s>]*[|:\-\s]+$/;

/** For the beginning of a line. */
export function limitNesting(line: string): string {
	const end = deepNesting.exec(line)?.[0].length;
	if (end === undefined || rule.test(line)) return line;
	return `${line.slice(0, end - 1)}\\${line.slice(end - 1)}`;
}

/** For a whole line. */
export function limitColumns(line: string): string {
	if (line.length <= maxColumns || !delimiterRow.test(line)) return line;
	const columns = line.split('|').length;
	return columns > maxColumns ? `\\${line}` : line;
}

/**
 * Bounds the cost of reading Markdown: lines made to be expensive are read as text, and unfinished
 * source is lexed again only as often as a budget allows.
 */

/** A longer block is cut and goes on as a new one. */
export const maxBlockLength = 16_384;

const maxNesting = 16;
const maxColumns = 32;

const deepNesting = new RegExp(
	`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${maxNesting + 1}}`,
);
const rule = /^[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*$/;
const delimiterRow = /^[\s>]*[|:\-\s]+$/;

/** Escapes nesting that is too deep, at the start of a line. */
export function limitNesting(line: string): string {
	const end = deepNesting.exec(line)?.[0].length;
	if (end === undefined || rule.test(line)) return line;
	return `${line.slice(0, end - 1)}\\${line.slice(end - 1)}`;
}

/** Escapes a delimiter row with too many columns. */
export function limitColumns(line: string): string {
	if (line.length <= maxColumns || !delimiterRow.test(line)) return line;
	const columns = line.split('|').length;
	return columns > maxColumns ? `\\${line}` : line;
}

/** Characters that may be lexed for each one received. */
const lexingRate = 8;
/** Characters that may be lexed in advance. */
const advance = 4_000;

export function createLexingBudget() {
	let balance = advance;
	return {
		earn(characters: number) {
			balance += characters * lexingRate;
		},
		covers: (characters: number) => balance >= characters,
		/** May overdraw the budget. */
		spend(characters: number) {
			balance -= characters;
		},
	};
}

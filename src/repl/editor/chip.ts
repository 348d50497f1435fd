/**
 * Long pastes folded to a chip, `[Pasted 240 lines #1]`. In a line a chip is one mark, a control
 * character that no other text of the editor can hold: so it is one grapheme, whatever is beside it.
 */

export type Chip = {
	/** What the screen shows. */
	readonly label: string;
	/** What is sent. */
	readonly text: string;
};

const maximumLines = 10;
const maximumCharacters = 2000;

// The C1 controls. There are 32 of them; a thirty-third long paste is inserted as text.
const firstMark = 0x80;
const maximumChips = 32;

const marks = /[\u0080-\u009f]/gu;

const numberFormat = new Intl.NumberFormat('en-US');

/** The chip for a paste, or `undefined` where it is short, or no mark is left. */
export function createChip(text: string, chips: readonly Chip[]): Chip | undefined {
	if (chips.length >= maximumChips) return undefined;
	const lineCount = countLines(text);
	if (lineCount <= maximumLines && text.length <= maximumCharacters) return undefined;
	const size =
		lineCount > 1
			? `${numberFormat.format(lineCount)} lines`
			: `${numberFormat.format(countCharacters(text))} characters`;
	return {label: `[Pasted ${size} #${chips.length + 1}]`, text};
}

/** The mark of the chip with an index. */
export function markOf(index: number): string {
	return String.fromCharCode(firstMark + index);
}

/** The chip that a grapheme is the mark of. */
export function chipOf(grapheme: string, chips: readonly Chip[]): Chip | undefined {
	const code = grapheme.charCodeAt(0);
	return code >= firstMark && code < firstMark + maximumChips ? chips[code - firstMark] : undefined;
}

export function expandChips(text: string, chips: readonly Chip[]): string {
	return text.replace(marks, (mark) => chipOf(mark, chips)?.text ?? '');
}

export function labelChips(text: string, chips: readonly Chip[]): string {
	return text.replace(marks, (mark) => chipOf(mark, chips)?.label ?? '');
}

/** The text between the chips, and the chips. */
export function splitAtChips(text: string, chips: readonly Chip[]): ReadonlyArray<string | Chip> {
	return text.split(/([\u0080-\u009f])/u).map((piece) => chipOf(piece, chips) ?? piece);
}

/** A line end at the very end begins no further line. */
function countLines(text: string): number {
	let count = text.endsWith('\n') ? 0 : 1;
	for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
		count += 1;
	}
	return count;
}

function countCharacters(text: string): number {
	let count = 0;
	for (const _ of text) count += 1;
	return count;
}

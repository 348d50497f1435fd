/**
 * Text roles, and the only colour table. Limited to the 16 colours, so the user's own theme
 * applies, and without yellow and cyan, unreadable on white.
 */

/** SGR codes starting and ending a style; undefined for plain text. */
type SgrCodes = readonly [begin: number, end: number] | undefined;

const plain = undefined;
const dim: SgrCodes = [2, 22];
const red: SgrCodes = [31, 39];
const green: SgrCodes = [32, 39];
/** Bright: many terminals have a blue unreadable on black. */
const blue: SgrCodes = [94, 39];
const magenta: SgrCodes = [35, 39];

export const theme = {
	// Weights, which also stay without colour.
	bold: [1, 22],
	italic: [3, 23],
	underline: [4, 24],
	reverse: [7, 27],
	strike: [9, 29],
	/** A name standing out from the text around it: an attachment, a tool, a code span. */
	accent: magenta,
	error: red,
	warning: magenta,
	success: green,
	/** Keys, notices and next steps, which have to be read: no other style is sure to be readable. */
	hint: plain,
	/**
	 * Text that may be overlooked, or does not count yet: on Solarized and other soft palettes it
	 * is hard to read.
	 */
	quiet: dim,
	keyword: magenta,
	identifier: blue,
	// Green is the lightest colour on white, so it goes to the shortest words.
	literal: green,
	string: red,
} as const satisfies Record<string, SgrCodes>;

/** A role or a weight. */
export type Style = keyof typeof theme;

const firstColor = 30;

export function isColor(style: Style): boolean {
	const [begin = 0] = theme[style] ?? [];
	return begin >= firstColor;
}

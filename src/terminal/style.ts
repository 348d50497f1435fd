/**
 * Colours and weights as a terminal takes them (SGR). The 16-colour palette only, so that the
 * user's own theme decides what a colour looks like.
 */
import {type SafeText, safe} from './safe-text.ts';

/** Style names with the SGR codes that begin and end them. */
const sgrCodes = {
	bold: [1, 22],
	dim: [2, 22],
	italic: [3, 23],
	underline: [4, 24],
	strike: [9, 29],
	red: [31, 39],
	green: [32, 39],
	yellow: [33, 39],
	blue: [34, 39],
	magenta: [35, 39],
	cyan: [36, 39],
} as const satisfies Record<string, readonly [begin: number, end: number]>;

export type Style = keyof typeof sgrCodes;

/** Text of one row in these styles; what it opens it closes. */
export type Styler = (text: SafeText, ...styles: readonly Style[]) => SafeText;

const firstColor = 30;

/** Without colour there are still weights: https://no-color.org is about colour alone. */
export function createStyler({hasColor}: {readonly hasColor: boolean}): Styler {
	const isShown = (style: Style) => hasColor || sgrCodes[style][0] < firstColor;
	return (text, ...styles) => {
		if (text === '') return text;
		return styles.filter(isShown).reduceRight((inner, style) => {
			const [begin, end] = sgrCodes[style];
			return safe`\x1b[${begin}m${inner}\x1b[${end}m`;
		}, text);
	};
}

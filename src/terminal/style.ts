/** Colours and weights as SGR codes. Only 16 colours, so that the user's own theme applies. */
import {type SafeText, safe} from './safe-text.ts';

/** The SGR codes that start and end each style. */
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

/** Styles text of one row, and closes every style it opens. */
export type Styler = (text: SafeText, ...styles: readonly Style[]) => SafeText;

const firstColor = 30;

/** Without colour the weights stay: https://no-color.org is about colour alone. */
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

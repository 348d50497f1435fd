/**
 * Colours and weights as SGR codes. Only 16 colours, so that the user's own theme applies, and neither
 * yellow nor cyan, which cannot be read on white.
 */
import {type SafeText, safe} from './safe-text.ts';

/** The SGR codes that start and end each style. */
const sgrCodes = {
	bold: [1, 22],
	/**
	 * Only for what may be overlooked, or does not count yet: on Solarized and other soft palettes it is
	 * hard to read.
	 */
	dim: [2, 22],
	/** Keys, notices and next steps, which have to be read: plain, since no other style is sure to be. */
	hint: undefined,
	italic: [3, 23],
	underline: [4, 24],
	reverse: [7, 27],
	strike: [9, 29],
	red: [31, 39],
	green: [32, 39],
	blue: [34, 39],
	magenta: [35, 39],
} as const satisfies Record<string, readonly [begin: number, end: number] | undefined>;

export type Style = keyof typeof sgrCodes;

/** Styles text of one row, and closes every style it opens. */
export type Styler = (text: SafeText, ...styles: readonly Style[]) => SafeText;

const firstColor = 30;

/**
 * Without colour the weights stay: https://no-color.org is about colour alone. A colour takes the place
 * of bold: many terminals draw bold colours bright, which cannot be read on white.
 */
export function createStyler({hasColor}: {readonly hasColor: boolean}): Styler {
	return (text, ...styles) => {
		if (text === '') return text;
		const isColored = hasColor && styles.some(isColor);
		return styles.reduceRight((inner, style) => {
			const [begin, end] = sgrCodes[style] ?? [];
			const isLeftOut = isColor(style) ? !hasColor : style === 'bold' && isColored;
			return begin === undefined || isLeftOut ? inner : safe`\x1b[${begin}m${inner}\x1b[${end}m`;
		}, text);
	};
}

function isColor(style: Style): boolean {
	const [begin = 0] = sgrCodes[style] ?? [];
	return begin >= firstColor;
}

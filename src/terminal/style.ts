/** Styles text with SGR codes. */
import {type SafeText, safe} from './safe-text.ts';
import {isColor, type Style, theme} from './theme.ts';

/** Styles text within one row, and closes every style it opens. */
export type Styler = (text: SafeText, ...styles: readonly Style[]) => SafeText;

/**
 * Without colour the weights stay: https://no-color.org is about colour alone. A colour replaces
 * bold: many terminals draw bold colours bright, unreadable on white.
 */
export function createStyler({hasColor}: {readonly hasColor: boolean}): Styler {
	return (text, ...styles) => {
		if (text === '') return text;
		const isColored = hasColor && styles.some(isColor);
		return styles.reduceRight((inner, style) => {
			const codes = theme[style];
			const isLeftOut = isColor(style) ? !hasColor : style === 'bold' && isColored;
			if (codes === undefined || isLeftOut) return inner;
			return safe`\x1b[${codes[0]}m${inner}\x1b[${codes[1]}m`;
		}, text);
	};
}

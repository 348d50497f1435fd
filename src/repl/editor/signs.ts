/**
 * Signs: at signs attaching files, and the slash calling a command. In a line, a typed sign is a
 * control character no other editor text can contain. So pasted or recalled text attaches nothing
 * and runs nothing.
 */

export const atSign = '\u0001';
export const slashSign = '\u0002';

const characters: Readonly<Record<string, string>> = {[atSign]: '@', [slashSign]: '/'};

/** Matches every sign in a text. */
export const signs = new RegExp(`[${atSign}${slashSign}]`, 'g');

/** Returns a sign's visible character; undefined for any other grapheme. */
export function characterOf(grapheme: string): string | undefined {
	return characters[grapheme];
}

/** Returns a text with the same length, with signs as their visible characters. */
export function showSigns(text: string): string {
	return text.replace(signs, (sign) => characterOf(sign) ?? '');
}

/** Returns the offsets of characters that would become signs if typed. */
export function findSigns(text: string): readonly number[] {
	return [...typeSigns(text.replace(signs, ' '), '', true).matchAll(signs)].map(({index}) => index);
}

/** Turns the characters at these offsets into signs, where they can be. */
export function placeSigns(text: string, offsets: readonly number[]): string {
	const units = text.replace(signs, '\0').split('');
	for (const offset of offsets) {
		if (units[offset] === '@') units[offset] = atSign;
		if (units[offset] === '/') units[offset] = slashSign;
	}
	return units.join('');
}

/**
 * Turns typed characters into signs: an at sign at the start of a word, maybe after a backslash,
 * and a slash at the start of the text.
 *
 * @param before the line up to the typed text
 */
export function typeSigns(typed: string, before: string, isFirstLine: boolean): string {
	const start = before.slice(-2);
	const marked = `${start}${typed}`.replace(/(?<=(?:^|\s)\\?)@/gm, atSign).slice(start.length);
	return isFirstLine && !/\S/.test(before) ? marked.replace(/^(\s*)\//, `$1${slashSign}`) : marked;
}

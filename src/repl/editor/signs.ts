/**
 * Signs: the at signs that attach files, and the slash that calls a command. In a line, one that the
 * user typed is a control character, which other text in the editor cannot contain. So a text that was
 * pasted or that comes back attaches nothing and runs nothing.
 */

export const atSign = '\u0001';
export const slashSign = '\u0002';

const characters: Readonly<Record<string, string>> = {[atSign]: '@', [slashSign]: '/'};

/** Matches every sign of a text. */
export const signs = new RegExp(`[${atSign}${slashSign}]`, 'g');

/** Returns the character that a sign is shown as; undefined for any other grapheme. */
export function characterOf(grapheme: string): string | undefined {
	return characters[grapheme];
}

/** Returns a text of the same length, with signs as the characters that they are shown as. */
export function showSigns(text: string): string {
	return text.replace(signs, (sign) => characterOf(sign) ?? '');
}

/** Returns the offsets of the characters that would be signs if somebody typed the text. */
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
 * Turns into signs what the user types: an at sign at the start of a word, maybe after a backslash, and a
 * slash at the start of the text.
 *
 * @param before the line up to the typed text
 */
export function typeSigns(typed: string, before: string, isFirstLine: boolean): string {
	const start = before.slice(-2);
	const marked = `${start}${typed}`.replace(/(?<=(?:^|\s)\\?)@/gm, atSign).slice(start.length);
	return isFirstLine && !/\S/.test(before) ? marked.replace(/^(\s*)\//, `$1${slashSign}`) : marked;
}

/** Checks the output of the program to a terminal against the sequences that it may write. */
import {stripUnsafe} from '../../src/terminal/safe-text.ts';

/** Allowed sequences, without their `ESC [`. */
const allowedSequences: readonly RegExp[] = [
	// Styles of the 16-colour palette, and their resets.
	/^(?:0|1|2|3|4|7|9|22|23|24|27|29|3[0-79]|9[0-7])?m$/,
	// Cursor up, down, to the next line, to a column.
	/^\d*[ABEG]$/,
	// Erase to the end of the line, a line, and below.
	/^0?K$/,
	/^2K$/,
	/^0?J$/,
	// Cursor visibility, bracketed paste, synchronized output.
	/^\?(?:25|2004|2026)[hl]$/,
	// Kitty's keyboard flags: push and pop.
	/^>5u$/,
	/^<u$/,
	// xterm's modifyOtherKeys, on and back.
	/^>4(?:;1)?m$/,
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them.
const sequences = /\x1b\[([\x20-\x3f]*[\x40-\x7e])/g;
// Ink ends them with BEL.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them.
const links = /\x1b\]8;;((?:https?:\/\/|mailto:)[\x21-\x7e]*)?\x07/g;

/** Finds output that the program must never write, each once; empty if there is none. */
export function findForbidden(raw: string): readonly string[] {
	const found = new Set<string>();
	const withoutSequences = raw.replace(links, '\n').replace(sequences, (sequence, body: string) => {
		if (!allowedSequences.some((allowed) => allowed.test(body))) found.add(quote(sequence));
		return '\n';
	});
	// Only text and line ends are left; the terminal driver puts CR before each LF.
	const lines = withoutSequences.replaceAll(/\r*\n/g, '\n').split('\n');
	for (const line of lines) {
		const rest = line.replaceAll(/\r$/g, '');
		if (stripUnsafe(rest) !== rest) found.add(quote(rest));
	}
	return [...found];
}

function quote(text: string): string {
	return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/gu, (character) => {
		return `\\u{${character.codePointAt(0)?.toString(16)}}`;
	});
}

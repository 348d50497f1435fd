/** Splits and quotes command lines like a shell. */
import {quoteWord} from '../../wording.ts';

const word = /(?:[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S])+/g;
const quoted = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g;

/** On Windows, a backslash is part of a path, and so is a single quote. */
const windowsWord = /(?:[^\s"]+|"[^"]*")+/g;

/**
 * Splits a command, or dropped paths, into words as a shell does. Nothing is expanded. Returns
 * undefined if a quote does not end.
 */
export function splitShellWords(text: string, platform: string): readonly string[] | undefined {
	const isWindows = platform === 'win32';
	const pattern = isWindows ? windowsWord : word;
	if (text.replace(pattern, '').trim() !== '') return undefined;
	const words = text.match(pattern) ?? [];
	return words.map((raw) => (isWindows ? raw.replaceAll('"', '') : raw.replace(quoted, unquote)));
}

/** Splits arguments like a shell, but at white space if a quote does not end, as in `don't`. */
export function splitArguments(text: string, platform: string): readonly string[] {
	return splitShellWords(text, platform) ?? text.match(/\S+/g) ?? [];
}

/** Quotes an argument for `splitArguments`. */
export function quoteArgument(text: string, platform: string): string {
	if (!/[\s"'\\]/.test(text)) return text;
	return platform === 'win32' || /^[^"\\]*$/.test(text) ? `"${text}"` : quoteWord(text);
}

/** A word segment; quotes keep several words together. */
const part = `(?:[^\\s"']|"[^"]*"|'[^']*')`;
const firstWord = new RegExp(`^(?:${part}+|\\S+)\\s*`);
/** A word with an equals sign, going before the others. */
const pair = new RegExp(`^([^\\s"'=]+)=(${part}*|\\S*)(?:\\s+|$)`);

/** Returns the first argument as written, including trailing white space. */
export function findFirstWord(text: string): string {
	return firstWord.exec(text)?.[0] ?? '';
}

/** Reads `language=German the rest`, taking pairs with known names. */
export function readPairs(
	text: string,
	isKnown: (name: string) => boolean,
	platform: string,
): {readonly values: Readonly<Record<string, string>>; readonly rest: string} {
	const values: Record<string, string> = {};
	let rest = text;
	for (;;) {
		const [whole = '', name = '', value = ''] = pair.exec(rest) ?? [];
		if (name === '' || !isKnown(name)) return {values, rest};
		values[name] = splitArguments(value, platform).join(' ');
		rest = rest.slice(whole.length);
	}
}

function unquote(_: string, single?: string, double?: string, escaped?: string): string {
	return single ?? double?.replace(/\\([$`"\\\n])/g, '$1') ?? escaped ?? '';
}

/** An unfinished command line's words, as handed over by each shell. Nothing is expanded. */
import {splitShellWords} from '../../run/shell-words.ts';

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/** The quote still open at the word's end. */
export type Quote = '' | "'" | '"';

export type LastWord = {
	/** The word as typed, up to the cursor. */
	readonly raw: string;
	/** The word without its quotes. */
	readonly text: string;
	readonly quote: Quote;
	/** Whether the word is a redirection target. */
	readonly isRedirection: boolean;
};

export type TypedWords = {
	readonly shell: Shell;
	/** The words between the program and the last one, without their quotes. */
	readonly words: readonly string[];
	readonly last: LastWord;
	/** The part of the last word bash replaces: it also splits at colons and equals signs. */
	readonly replaced: string;
	/** Whether bash only shows the candidates. */
	readonly isList: boolean;
};

/** @param given the arguments passed on by the shell script */
export const readTypedWords: Readonly<
	Record<Shell, (given: readonly string[]) => Omit<TypedWords, 'shell'>>
> = {
	bash([type, replaced = '', line = '', ...pieces]) {
		const words = joinPieces(line, pieces);
		const isRedirection = /^[<>]/.test(words.at(-2) ?? '');
		const plain = words.slice(1, -1).map((word) => readWord(word).text);
		const last = {...readWord(words.at(-1) ?? ''), isRedirection};
		return {words: plain, last, replaced, isList: type === listType};
	},
	zsh: readPlainWords,
	fish: readPlainWords,
	// Windows PowerShell loses quotes and empty texts in program arguments.
	powershell: ([encoded = '']) => {
		const words = Buffer.from(encoded, 'base64').toString().split('\0');
		const raw = words.at(-1) ?? '';
		const text = raw.replace(/^(['"])(.*?)\1?$/s, '$2');
		const last = {raw, text, quote: '', isRedirection: false} as const;
		return {words: words.slice(1, -1), last, replaced: '', isList: false};
	},
};

/** COMP_TYPE while bash shows the list after a second Tab. */
const listType = '63';

/** Reads words already unquoted by the shell, except for the last one. */
function readPlainWords(given: readonly string[]): Omit<TypedWords, 'shell'> {
	const last = {...readWord(given.at(-1) ?? ''), isRedirection: false};
	return {words: given.slice(1, -1), last, replaced: '', isList: false};
}

/** Joins what bash has split at colons, equals signs and at signs, up to the cursor. */
function joinPieces(line: string, pieces: readonly string[]): readonly string[] {
	const words: string[] = [];
	let end = 0;
	for (const piece of pieces) {
		const [gap = ''] = /^\s*/.exec(line.slice(end)) ?? [];
		const text = line.slice(end + gap.length, end + gap.length + piece.length);
		end += gap.length + piece.length;
		const previous = words.at(-1);
		const isApart = gap !== '' || /^[<>]/.test(text) || /^[<>]/.test(previous ?? '');
		if (previous === undefined || isApart) words.push(text);
		else words[words.length - 1] = previous + text;
	}
	return words;
}

function readWord(raw: string): Pick<LastWord, 'raw' | 'text' | 'quote'> {
	for (const quote of ['', "'", '"'] as const) {
		const words = splitShellWords(raw + quote, 'linux');
		if (words !== undefined) return {raw, text: words.join(' '), quote};
	}
	return {raw, text: raw, quote: ''};
}

const special = /[^\p{L}\p{N}_%+=:,./@^-]/gu;

/** Quotes a word's remainder for bash, within the open quote. */
const restWriters: Readonly<Record<Quote, (rest: string) => string>> = {
	'': (rest) => rest.replace(special, '\\$&'),
	"'": (rest) => rest.replaceAll("'", "'\\''"),
	// Within double quotes, bash keeps a backslash before an exclamation mark.
	'"': (rest) => rest.replace(/[$`"\\]/g, '\\$&').replaceAll('!', '"\\!"'),
};

export function quoteRest(rest: string, quote: Quote): string {
	return restWriters[quote](rest);
}

/** Doubles typographic quotes too, which end a word in PowerShell as straight ones do. */
export function quoteForPowerShell(text: string): string {
	return /^[\w./:+=-]+$/.test(text) ? text : `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
}

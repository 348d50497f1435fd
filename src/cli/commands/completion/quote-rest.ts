/** Writes the rest of a word so that a shell reads it as it is. */
import type {Quote} from './split-line.ts';

const special = /[^\p{L}\p{N}_%+=:,./@^-]/gu;

const writers: Readonly<Record<Quote, (rest: string) => string>> = {
	'': (rest) => rest.replace(special, '\\$&'),
	"'": (rest) => rest.replaceAll("'", "'\\''"),
	// A backslash before an exclamation mark would stay.
	'"': (rest) => rest.replace(/[$`"\\]/g, '\\$&').replaceAll('!', '"\\!"'),
	"$'": (rest) => rest.replace(/['\\]/g, '\\$&'),
	escape: () => '',
};

/** @param quote the one that is open, of bash */
export function quoteRest(rest: string, quote: Quote): string {
	return writers[quote](rest);
}

/** Typographic quotes end a word in PowerShell as straight ones do. */
export function quoteForPowerShell(text: string): string {
	return /^[\w./:+=-]+$/.test(text) ? text : `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
}

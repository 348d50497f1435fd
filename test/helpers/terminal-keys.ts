/** Keys as terminals encode them. */

const named: Readonly<Record<string, string>> = {
	enter: '\r',
	escape: '\x1b',
	tab: '\t',
	space: ' ',
	backspace: '\x7f',
	delete: '\x1b[3~',
	up: '\x1b[A',
	down: '\x1b[B',
	right: '\x1b[C',
	left: '\x1b[D',
	home: '\x1b[H',
	end: '\x1b[F',
};

/** Returns the bytes of a chord such as `enter`, `ctrl+c` or `alt+enter`, without any keyboard protocol. */
export function bytesOf(chord: string): string {
	const [, modifier, key = chord] = /^(ctrl|alt)\+(.+)$/.exec(chord) ?? [];
	const bytes = named[key] ?? key;
	if (modifier === 'alt') return `\x1b${bytes}`;
	if (modifier === 'ctrl') return String.fromCharCode(bytes.toLowerCase().charCodeAt(0) & 0x1f);
	if (named[key] === undefined && key.length > 1) throw new Error(`unknown key ${chord}`);
	return bytes;
}

/** Returns a paste as a terminal sends it in bracketed-paste mode. */
export function pasteOf(text: string): string {
	return `\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`;
}

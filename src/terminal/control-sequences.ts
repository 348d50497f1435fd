/** Removes escape sequences and invisible characters from text that arrives in pieces. */

/** Longest sequence; the characters after that are text again. */
const limit = '{0,4096}';

/** The characters of a string: everything but line ends, ESC, C1 introducers and what ends a string. */
const content = `[^\\n\\r\\u2028\\u2029\\x07\\x18\\x1a\\x1b\\x90\\x98\\x9b-\\x9f]${limit}`;
const parameters = `[ -?]${limit}`;
const intermediates = `[ -/]${limit}`;
/** The characters that start DCS, SOS, OSC, PM and APC, after ESC and as one of C1. */
const opener = '[PX\\]^_]';
const c1Opener = '[\\x90\\x98\\x9d-\\x9f]';

/** The sequences of ECMA-48. A broken or unfinished one hides no text after it. */
const sequence =
	`\\x1b(?:\\[${parameters}[@-~]?|${opener}${content}|${intermediates}[0-~]?)` +
	`|\\x9b${parameters}[@-~]?|${c1Opener}${content}`;

/** The start of a sequence, a CRLF or a surrogate pair, at the end of a text. */
const unfinished = new RegExp(
	`(?:\\x1b(?:\\[${parameters}|${opener}${content}|${intermediates})` +
		`|\\x9b${parameters}|${c1Opener}${content}|\\r|[\\ud800-\\udbff])$`,
	'u',
);

/**
 * Everything that is filtered or replaced: controls except tab and LF, line separators, lone
 * surrogates, and all characters without a shape (bidi controls, zero-width characters, fillers, tags,
 * variation selectors 17 to 256, annotation marks). ZWNJ, ZWJ and the first 16 variation selectors
 * stay: scripts and emoji need them.
 */
const special =
	/(?!\t|\n|\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
/** The quick test of ordinary text. */
const beyondAscii = /[^\t\n -~]/;
const unsafe = new RegExp(`\\r\\n?|${sequence}|${special.source}`, 'gu');

/** Returns a text of the user: line ends as LF, no other control character except tab. */
export function dropControls(text: string): string {
	return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '');
}

/** Line ends become LF, lone surrogates U+FFFD. */
export function filterControls(text: string): string {
	if (!beyondAscii.test(text) || !special.test(text)) return text;
	return text.replace(unsafe, (match) => {
		if (/^[\r\u2028\u2029]/.test(match)) return '\n';
		return /^\p{Cs}/u.test(match) ? '\ufffd' : '';
	});
}

/** Splits off the end of a text that more text may complete. */
export function splitUnfinished(text: string): readonly [finished: string, rest: string] {
	const end = unfinished.exec(text)?.index ?? text.length;
	return [text.slice(0, end), text.slice(end)];
}

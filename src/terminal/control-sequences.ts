/** Removes escape sequences and invisible characters from text arriving in pieces. */

/** Longest sequence; characters beyond it are text again. */
const limit = '{0,4096}';

/** String characters: everything but line ends, ESC, C1 introducers and string terminators. */
const content = `[^\\n\\r\\u2028\\u2029\\x07\\x18\\x1a\\x1b\\x90\\x98\\x9b-\\x9f]${limit}`;
const parameters = `[ -?]${limit}`;
const intermediates = `[ -/]${limit}`;
/** Characters starting DCS, SOS, OSC, PM and APC, after ESC and as C1. */
const opener = '[PX\\]^_]';
const c1Opener = '[\\x90\\x98\\x9d-\\x9f]';

/** ECMA-48 sequences. A broken or unfinished one hides no text after it. */
const sequence =
	`\\x1b(?:\\[${parameters}[@-~]?|${opener}${content}|${intermediates}[0-~]?)` +
	`|\\x9b${parameters}[@-~]?|${c1Opener}${content}`;

/** A sequence's start, a CRLF or a surrogate pair, at a text's end. */
const unfinished = new RegExp(
	`(?:\\x1b(?:\\[${parameters}|${opener}${content}|${intermediates})` +
		`|\\x9b${parameters}|${c1Opener}${content}|\\r|[\\ud800-\\udbff])$`,
	'u',
);

/**
 * Everything filtered or replaced: controls except tab and LF, line separators, lone surrogates,
 * and all characters without a shape (bidi controls, zero-width characters, fillers, tags,
 * variation selectors 17 to 256, annotation marks). ZWNJ, ZWJ and the first 16 variation selectors
 * stay: scripts and emoji need them.
 */
const special =
	/(?!\t|\n|\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
/** The quick test for ordinary text. */
const beyondAscii = /[^\t\n -~]/;
const unsafe = new RegExp(`\\r\\n?|${sequence}|${special.source}`, 'gu');

/** Returns user text with line ends as LF and no control character except tab. */
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

/** Splits off a text's end, if more text may complete it. */
export function splitUnfinished(text: string): readonly [finished: string, rest: string] {
	const end = unfinished.exec(text)?.index ?? text.length;
	return [text.slice(0, end), text.slice(end)];
}

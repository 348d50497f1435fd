/**
 * The words of the Markdown format. A heading begins a message; a comment holds, as JSON, anything
 * Markdown cannot show, and begins a part. Text lines resembling either get a backslash.
 */
import {type JsonObject, type JsonValue, parseJsonObject, toJsonLine} from '../../json.ts';

/** How a part looks after its comment. */
export const partForms = {
	/** Data of a turn, an answer, a result and a compaction. */
	turn: 'nothing',
	message: 'nothing',
	result: 'nothing',
	compact: 'nothing',
	text: 'text',
	refusal: 'text',
	/** Folded, unless it is empty. */
	reasoning: 'details',
	/** The pages cited by an answer, numbered for people. */
	sources: 'text',
	/** An answer's checked quotations, a line each for people. */
	quotations: 'text',
	file: 'fence',
	call: 'fence',
	output: 'fence',
	json: 'fence',
	image: 'link',
	document: 'link',
	audio: 'link',
	/** All links' addresses, where the file ends. */
	media: 'definitions',
} as const satisfies Record<
	string,
	'nothing' | 'text' | 'details' | 'fence' | 'link' | 'definitions'
>;

export type PartKind = keyof typeof partForms;

export const detailsStart = '<details><summary>Reasoning</summary>';
export const detailsStartLine = /^<details><summary>Reasoning<\/summary>\s*$/;
export const detailsEnd = '</details>';
export const detailsEndLine = /^<\/details>[ \t]*$/;

/** Many answers have a heading "Summary": only one naming turns has a meaning. */
export const headingLine =
	/^## (System|User|Assistant|Tool|Summary(?= \(turn))(?: \((interrupted|incomplete|failed|turns? \d+(?:–\d+)?)\))?[ \t]*$/;
const commentStart = '<!-- chat ';
const commentLine = /^<!-- chat ([a-z]+)(?: (\{.*\}))? -->[ \t]*$/;
export const definitionLine = /^\[media-(\d+)\]: <(.*)>$/;

const ownLine = new RegExp(
	`^\\\\*(?:${headingLine.source.slice(1)}|${commentStart}|\\[media-\\d+\\]:)`,
);

/** In reasoning, the closing line has a meaning too. */
const ownLineOfDetails = new RegExp(`${ownLine.source}|^\\\\*${detailsEndLine.source.slice(1)}`);

function isOwnLine(line: string, kind: PartKind): boolean {
	return (partForms[kind] === 'details' ? ownLineOfDetails : ownLine).test(line);
}

export function isBlank(line: string): boolean {
	return /^[ \t]*$/.test(line);
}

export function isComment(line: string): boolean {
	return line.startsWith(commentStart);
}

/** Returns undefined for a comment other than `writeComment` makes. */
export function readComment(
	line: string,
): {readonly kind: PartKind; readonly fields: JsonObject} | undefined {
	const [, kind = '', json = '{}'] = commentLine.exec(line) ?? [];
	const fields = parseJsonObject(json);
	return isPartKind(kind) && fields !== undefined ? {kind, fields} : undefined;
}

function isPartKind(word: string): word is PartKind {
	return Object.hasOwn(partForms, word);
}

type Fields = Readonly<Record<string, JsonValue | object | undefined>>;

/** Whether there is anything to write. */
export function hasFields(fields: Fields): boolean {
	return Object.values(fields).some((value) => value !== undefined);
}

export function writeComment(kind: PartKind, fields: Fields = {}): string {
	if (!hasFields(fields)) return `${commentStart}${kind} -->`;
	const json = toJsonLine(fields).trimEnd();
	// Nothing in it may end the comment.
	const inert = json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
	return `${commentStart}${kind} ${inert} -->`;
}

/** A text as Markdown shows it, and the characters lost there. */
type PackedText = {
	readonly shown: string;
	readonly fields: {
		/** White space around the text. */
		readonly before?: string | undefined;
		readonly after?: string | undefined;
		/** Set if all lines end in CRLF. */
		readonly crlf?: true | undefined;
		/** The characters behind each U+FFFD, in order. */
		readonly odd?: readonly string[] | undefined;
	};
};

/** Controls and lone surrogates, which editors and UTF-8 change. */
const odd = /(?![\t\n])[\p{Cc}\p{Cs}]/u;
const shownOdd = /(?![\t\n])[\p{Cc}\p{Cs}\ufffd]/gu;
const standIn = '\ufffd';

/** A fence shows text exactly: its lines need no backslashes. */
export function packText(text: string, kind: PartKind): PackedText {
	const isCrlf = text.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(text);
	const plain = isCrlf ? text.replaceAll('\r\n', '\n') : text;
	const isOdd = odd.test(plain);
	const shown = isOdd ? plain.replace(shownOdd, standIn) : plain;
	const fields = {
		crlf: isCrlf || undefined,
		odd: isOdd ? (plain.match(shownOdd) ?? []) : undefined,
	};
	if (partForms[kind] === 'fence') return {shown, fields};
	const start = lengthOfBlankLines(shown);
	const end = Math.max(start, lengthWithoutBlanks(shown));
	const lines = shown.slice(start, end).split('\n');
	return {
		shown: lines.map((line) => (isOwnLine(line, kind) ? `\\${line}` : line)).join('\n'),
		fields: {
			before: shown.slice(0, start) || undefined,
			after: shown.slice(end) || undefined,
			...fields,
		},
	};
}

/** A regular expression would overflow the stack. */
function lengthOfBlankLines(text: string): number {
	let start = 0;
	for (let index = 0; index < text.length && ' \t\n'.includes(text.charAt(index)); index++) {
		if (text.charAt(index) === '\n') start = index + 1;
	}
	return start;
}

/** A regular expression would need quadratic time. */
function lengthWithoutBlanks(text: string): number {
	let end = text.length;
	while (end > 0 && ' \t\n'.includes(text.charAt(end - 1))) end -= 1;
	return end;
}

/** @param lines as they are in the file, with blank lines around them unless they are in a fence */
export function unpackText(lines: readonly string[], fields: JsonObject, kind: PartKind): string {
	const {before = '', after = '', crlf, odd: characters} = fields;
	const isExact = partForms[kind] === 'fence';
	const shown = isExact ? lines.join('\n') : `${before}${unescapeLines(lines, kind)}${after}`;
	const list = Array.isArray(characters) ? characters : [];
	let index = 0;
	const plain =
		list.length === 0 ? shown : shown.replaceAll(standIn, () => String(list[index++] ?? standIn));
	return crlf === true ? plain.replaceAll('\n', '\r\n') : plain;
}

function unescapeLines(lines: readonly string[], kind: PartKind): string {
	const shown = lines.join('\n');
	return shown
		.slice(lengthOfBlankLines(shown), lengthWithoutBlanks(shown))
		.split('\n')
		.map((line) => (line.startsWith('\\') && isOwnLine(line, kind) ? line.slice(1) : line))
		.join('\n');
}

/**
 * Text as a terminal shows it: graphemes, and the cells they take. Works on plain text; escape
 * sequences have no meaning here. Every function takes time linear in what it looks at.
 */
import stringWidth from 'string-width';

/** The cells of a grapheme that stands at `column` of its row, counted from 0. */
export type MeasureGrapheme = (grapheme: string, column: number) => number;

/** Cells between two tab stops. */
const tabSize = 4;

const segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});

// A segmenter of Node 20 copies its whole input at every step, so it only ever sees a window.
const windowLength = 256;

const notPrintableAscii = /[^ -~]/;
const zeroWidthJoiner = '\u200d';
const flagHalf = /\p{Regional_Indicator}/u;
const mark = /[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}]/u;
const letter = /\p{L}/u;

// Characters that neither join the one before them nor the one after: ASCII, and the letters of
// scripts that are written without marks that must be asked about.
const plainRanges = [
	[0x20, 0x7e],
	[0xc0, 0x24f],
	[0x370, 0x482],
	[0x5d0, 0x5ea],
	[0x620, 0x64a],
	[0x0e01, 0x0e30],
	[0x3041, 0x3096],
	[0x30a1, 0x30ff],
	[0x4e00, 0x9fff],
	[0xac00, 0xd7a3],
] as const;

function isPlain(code: number): boolean {
	for (const [first, last] of plainRanges) {
		if (code <= last) return code >= first;
	}
	return false;
}

/** Whether two plain characters meet at `index`: then a boundary is there, whatever is around. */
function isPlainBoundary(text: string, index: number): boolean {
	if (!isPlain(text.charCodeAt(index - 1))) return false;
	return index === text.length || isPlain(text.charCodeAt(index));
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}

/** The ends of the graphemes after `from`, which is a boundary itself. */
function* boundariesAfter(text: string, from: number): Generator<number, undefined> {
	let boundary = from;
	let size = windowLength;
	while (boundary < text.length) {
		if (isPlainBoundary(text, boundary + 1)) {
			boundary += 1;
			yield boundary;
			continue;
		}
		let windowEnd = Math.min(boundary + size, text.length);
		if (isHighSurrogate(text.charCodeAt(windowEnd - 1))) windowEnd += 1;
		const windowStart = boundary;
		for (const {index, segment} of segmenter.segment(text.slice(windowStart, windowEnd))) {
			const end = windowStart + index + segment.length;
			// The last grapheme of a window may go on behind it.
			if (end >= windowEnd && windowEnd < text.length) break;
			boundary = end;
			yield boundary;
		}
		size = boundary === windowStart ? size * 2 : windowLength;
	}
	return undefined;
}

/**
 * Whether the two characters at `index` alone prove that a boundary is there. Three rules look
 * further back, https://www.unicode.org/reports/tr29/: emoji behind a joiner, letters behind the
 * marks of Indic scripts, and flags, whose halves are counted from the first.
 */
function isSureBoundary(text: string, index: number): boolean {
	if (isPlainBoundary(text, index)) return true;
	if (isHighSurrogate(text.charCodeAt(index - 1))) return false;
	const start = isHighSurrogate(text.charCodeAt(index - 2)) ? index - 2 : index - 1;
	const before = text.slice(start, index);
	const after = String.fromCodePoint(text.codePointAt(index) ?? 0);
	if (before === zeroWidthJoiner || flagHalf.test(before)) return false;
	if (mark.test(before) && letter.test(after)) return false;
	const [first] = segmenter.segment(before + after);
	return first?.segment === before;
}

/** The nearest sure boundary at or before `index`. */
function sureBoundary(text: string, index: number): number {
	let boundary = Math.min(index, text.length);
	while (boundary > 0 && !isSureBoundary(text, boundary)) boundary -= 1;
	return boundary;
}

/** The end of the grapheme that starts at `index`; the length of the text at its end. */
export function nextBoundary(text: string, index: number): number {
	return boundariesAfter(text, index).next().value ?? text.length;
}

/** The start of the grapheme that ends at `index`; 0 at the start of the text. */
export function previousBoundary(text: string, index: number): number {
	if (index <= 1) return 0;
	let previous = sureBoundary(text, index - 1);
	for (const boundary of boundariesAfter(text, previous)) {
		if (boundary >= index) break;
		previous = boundary;
	}
	return previous;
}

/** `index` if it is a boundary between graphemes, else the end of the grapheme it lies in. */
export function boundaryFrom(text: string, index: number): number {
	const sure = sureBoundary(text, index);
	if (sure >= index) return sure;
	for (const boundary of boundariesAfter(text, sure)) {
		if (boundary >= index) return boundary;
	}
	return text.length;
}

/** What a person counts as characters: a letter with its marks, a flag, an emoji family. */
export function graphemes(text: string): readonly string[] {
	const found: string[] = [];
	let start = 0;
	for (const end of boundariesAfter(text, 0)) {
		found.push(text.slice(start, end));
		start = end;
	}
	return found;
}

/** A grapheme and the cells it takes. */
export type Grapheme = {readonly text: string; readonly width: number};

// Characters that are one grapheme each when they stand among themselves. The wide ones: kana
// without the combining marks, CJK ideographs and punctuation, Hangul syllables, full-width forms.
const wide =
	'\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60';
// Latin, Greek, Cyrillic, general punctuation, arrows, operators, pictures of controls, box drawing,
// mathematical brackets.
const narrow =
	' -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2200-\u22ff\u2400-\u2421\u2500-\u257f\u27e6-\u27eb';
const simple = new RegExp(`^[${wide}${narrow}]*$`);
const firstWide = 0x3001;

/** The cells of a character of these. */
function simpleWidth(code: number): number {
	return code < firstWide ? 1 : 2;
}

/** Graphemes with their widths; the common scripts are answered by table. A tab counts as nothing. */
export function measureGraphemes(text: string): readonly Grapheme[] {
	if (simple.test(text)) {
		return Array.from(text, (character) => ({
			text: character,
			width: simpleWidth(character.charCodeAt(0)),
		}));
	}
	return graphemes(text).map((grapheme) => ({
		text: grapheme,
		width: stringWidth(grapheme, {countAnsiEscapeCodes: true}),
	}));
}

/** 0, 1 or 2 cells, rarely more; a tab reaches to the next multiple of four. */
export const measureGrapheme: MeasureGrapheme = (grapheme, column) => {
	if (grapheme === '\t') return tabSize - (column % tabSize);
	if (grapheme.length === 1) {
		const code = grapheme.charCodeAt(0);
		if (code >= 0x20 && code <= 0x7e) return 1;
		if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)) return 2;
	}
	return stringWidth(grapheme, {countAnsiEscapeCodes: true});
};

/** The cells of one line of text that starts at a tab stop. */
export function textWidth(text: string, measure: MeasureGrapheme = measureGrapheme): number {
	if (!notPrintableAscii.test(text)) return text.length;
	let width = 0;
	let start = 0;
	for (const end of boundariesAfter(text, 0)) {
		width += measure(text.slice(start, end), width);
		start = end;
	}
	return width;
}

/** The text if it fits, else its start with `…` behind it: never more than `width` cells. */
export function truncateToWidth(text: string, width: number): string {
	if (!notPrintableAscii.test(text) && text.length <= width) return text;
	if (width < 1) return '';
	let column = 0;
	let start = 0;
	let kept = 0;
	for (const end of boundariesAfter(text, 0)) {
		column += measureGrapheme(text.slice(start, end), column);
		if (column > width) return `${text.slice(0, kept)}…`;
		if (column < width) kept = end;
		start = end;
	}
	return text;
}

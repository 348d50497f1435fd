/** Plain text's graphemes, and the cells they take on a terminal, in linear time. */
import stringWidth from 'string-width';

/** Returns a grapheme's cells at `column` of its row, counted from 0. */
export type MeasureGrapheme = (grapheme: string, column: number) => number;

/** Cells between two tab stops. */
const tabSize = 4;

const segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});

// The segmenter of Node 20 copies its whole input at each step, so it gets a window only.
const windowLength = 256;

const notPrintableAscii = /[^ -~]/;
const zeroWidthJoiner = '\u200d';
const flagHalf = /\p{Regional_Indicator}/u;
const mark = /[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}]/u;
const letter = /\p{L}/u;

// Characters that never join their neighbours: ASCII, and letters of scripts that need no marks.
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

/** Whether two plain characters meet at `index`, which is then a boundary in any text. */
function isPlainBoundary(text: string, index: number): boolean {
	if (!isPlain(text.charCodeAt(index - 1))) return false;
	return index === text.length || isPlain(text.charCodeAt(index));
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}

/** Yields where graphemes end after `from`, which must be a boundary. */
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
			// A window's last grapheme may go on after it.
			if (end >= windowEnd && windowEnd < text.length) break;
			boundary = end;
			yield boundary;
		}
		size = boundary === windowStart ? size * 2 : windowLength;
	}
	return undefined;
}

/**
 * Whether the two characters at `index` alone prove a boundary. Three rules look further back,
 * https://www.unicode.org/reports/tr29/: emoji after a joiner, letters after Indic marks, and
 * flags, whose halves are counted from the first.
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

/** Returns the nearest sure boundary at or before `index`. */
function sureBoundary(text: string, index: number): number {
	let boundary = Math.min(index, text.length);
	while (boundary > 0 && !isSureBoundary(text, boundary)) boundary -= 1;
	return boundary;
}

/** Returns where the grapheme starting at `index` ends; at the end, the text's length. */
export function nextBoundary(text: string, index: number): number {
	return boundariesAfter(text, index).next().value ?? text.length;
}

/** Returns where the grapheme ending at `index` starts; 0 at the text's start. */
export function previousBoundary(text: string, index: number): number {
	if (index <= 1) return 0;
	let previous = sureBoundary(text, index - 1);
	for (const boundary of boundariesAfter(text, previous)) {
		if (boundary >= index) break;
		previous = boundary;
	}
	return previous;
}

/** Returns `index` if it is a boundary, otherwise where the grapheme around it ends. */
export function boundaryFrom(text: string, index: number): number {
	const sure = sureBoundary(text, index);
	if (sure >= index) return sure;
	for (const boundary of boundariesAfter(text, sure)) {
		if (boundary >= index) return boundary;
	}
	return text.length;
}

function* eachGrapheme(text: string): Generator<string, undefined> {
	let start = 0;
	for (const end of boundariesAfter(text, 0)) {
		yield text.slice(start, end);
		start = end;
	}
	return undefined;
}

/** Splits text into graphemes: a letter with its marks, a flag, an emoji family. */
export function graphemes(text: string): readonly string[] {
	return simple.test(text) ? text.split('') : [...eachGrapheme(text)];
}

/** A grapheme and its cells. */
export type Grapheme = {readonly text: string; readonly width: number};

// Characters that are one grapheme each in a text of nothing else. The wide ones: kana without
// combining marks, CJK ideographs and punctuation, Hangul syllables, full-width forms.
const wide =
	'\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60';
// Latin, Greek, Cyrillic, general punctuation, arrows, operators, pictures of controls, box drawing,
// mathematical brackets.
const narrow =
	' -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2200-\u22ff\u2400-\u2421\u2500-\u257f\u27e6-\u27eb';
const simple = new RegExp(`^[${wide}${narrow}]*$`);
const firstWide = 0x3001;

function simpleWidth(character: string): number {
	return character.charCodeAt(0) < firstWide ? 1 : 2;
}

function graphemeWidth(grapheme: string): number {
	if (simple.test(grapheme)) return simpleWidth(grapheme);
	return stringWidth(grapheme, {countAnsiEscapeCodes: true});
}

/** Made once, because most answers consist of them. */
const asciiGraphemes = Array.from({length: 0x80}, (_, code): Grapheme => {
	return {text: String.fromCharCode(code), width: 1};
});

function simpleGrapheme(text: string): Grapheme {
	return asciiGraphemes[text.charCodeAt(0)] ?? {text, width: simpleWidth(text)};
}

/** Splits text into graphemes with their widths, quickly for common scripts. A tab has no width. */
export function measureGraphemes(text: string): readonly Grapheme[] {
	if (simple.test(text)) return text.split('').map(simpleGrapheme);
	return graphemes(text).map((grapheme) => ({text: grapheme, width: graphemeWidth(grapheme)}));
}

/** Returns 0, 1 or 2 cells, rarely more; a tab ends at the next multiple of four. */
export const measureGrapheme: MeasureGrapheme = (grapheme, column) => {
	return grapheme === '\t' ? tabSize - (column % tabSize) : graphemeWidth(grapheme);
};

/** Whether a printable ASCII text fits; the quick test for ordinary text. */
export function isAsciiWithin(text: string, width: number): boolean {
	return text.length <= width && !notPrintableAscii.test(text);
}

/** Returns a line's cells, starting at a tab stop. */
export function textWidth(text: string, measure: MeasureGrapheme = measureGrapheme): number {
	if (isAsciiWithin(text, text.length)) return text.length;
	let width = 0;
	for (const grapheme of graphemes(text)) width += measure(grapheme, width);
	return width;
}

/** Returns the text, cut to `width` cells with a final `…` if it is wider. */
export function truncateToWidth(text: string, width: number): string {
	if (isAsciiWithin(text, width)) return text;
	if (width < 1) return '';
	let column = 0;
	let end = 0;
	let kept = 0;
	for (const grapheme of eachGrapheme(text)) {
		column += measureGrapheme(grapheme, column);
		end += grapheme.length;
		if (column > width) return `${text.slice(0, kept)}…`;
		if (column < width) kept = end;
	}
	return text;
}

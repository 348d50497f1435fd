/**
 * Breaks one line of text into rows of at most `width` cells (at least 1). The rows follow each
 * other without a gap; a grapheme wider than `width` gets a row of its own. All rows but the last
 * stay as they are when whole graphemes are added. Takes time linear in the line.
 */
import {type Grapheme, type MeasureGrapheme, measureGraphemes} from './width.ts';

/** One row of a line: `line.slice(start, end)`. */
export type LineRow = {readonly start: number; readonly end: number};

/**
 * UTF-16 units that a cell may hold on average, so that characters without width cannot make a row
 * endless; a family of emoji has 6, a stack of marks some 20.
 */
const unitsPerCell = 32;

// Runs of spaces, of other ASCII and of the rest. An ASCII character next to the rest goes with it:
// they may be one grapheme.
const words =
	/([ \t]+(?![^\t -~]))|([!-~]+(?![^\t -~]))|[\t -~]?[^\t -~]+(?:[\t -~][^\t -~]+)*[\t -~]?/g;
const runs = /([ -~]+(?![^ -~]))|[ -~]?[^ -~]+(?:[ -~][^ -~]+)*[ -~]?/g;

// The least of the line breaking rules of Chinese and Japanese.
const neverFirst =
	/^[、。，．・：；？！）」』】〉》〕］｝〗〙〟’”…‥ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々,.!?;:)\]}%]/;
const neverLast = /[（「『【〈《〔［｛〖〘〝‘“([{]$/;

/** Korean breaks at spaces; its words may end in letters of another script. */
const hangul = /^[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/;

/** Whether a row may end between two graphemes without a space between. */
export function canBreak(before: Grapheme, after: Grapheme): boolean {
	if (before.width < 2 && after.width < 2) return false;
	if (hangul.test(before.text) || hangul.test(after.text)) return false;
	return !neverFirst.test(after.text) && !neverLast.test(before.text);
}

/** Builds the rows of a line from its start. */
function createRows(width: number) {
	const limit = Math.max(1, width);
	const rows: LineRow[] = [];
	/** The start of the open row, and its cells so far. */
	let start = 0;
	let cells = 0;
	let index = 0;
	/** The last place where the open row may end, and the cells before it. */
	let breakIndex = 0;
	let breakCells = 0;

	const allowBreak = () => {
		breakIndex = index;
		breakCells = cells;
	};
	const skip = (length: number, own: number) => {
		index += length;
		cells += own;
	};
	const add = (length: number, own: number) => {
		const isFull = () => cells + own > limit || index - start + length > unitsPerCell * limit;
		while (index > start && isFull()) {
			if (breakIndex === start) allowBreak();
			rows.push({start, end: breakIndex});
			start = breakIndex;
			cells -= breakCells;
			breakCells = 0;
		}
		skip(length, own);
	};
	return {
		allowBreak,
		/** Adds a part that must stay whole. */
		add,
		/** Adds printable ASCII, cut only if it is wider than a row. */
		addAscii(length: number) {
			if (cells + length <= limit) skip(length, length);
			else for (let place = 0; place < length; place += 1) add(1, 1);
		},
		/** Adds a part that may hang over the edge. */
		hang: skip,
		cells: () => cells,
		end: (): readonly LineRow[] => [...rows, {start, end: index}],
	};
}

/**
 * Breaks after spaces and between Chinese or Japanese characters; a word wider than a row is cut
 * at the edge. Spaces at the end of a row may hang over its edge.
 */
export function wrapWords(
	line: string,
	width: number,
	measure?: MeasureGrapheme,
): readonly LineRow[] {
	const rows = createRows(width);
	let isIndent = true;
	/** The previous grapheme of the word. */
	let last: Grapheme | undefined;
	const addSpaces = (text: string) => {
		for (const space of text) rows.hang(1, measure?.(space, rows.cells()) ?? 1);
		if (!isIndent) rows.allowBreak();
		last = undefined;
	};
	const startWord = (grapheme: Grapheme) => {
		isIndent = false;
		if (last !== undefined && canBreak(last, grapheme)) rows.allowBreak();
	};
	const addAscii = (text: string) => {
		startWord({text, width: 1});
		rows.addAscii(text.length);
		last = {text: text.slice(-1), width: 1};
	};
	const addGrapheme = (grapheme: Grapheme) => {
		const {text} = grapheme;
		startWord(grapheme);
		rows.add(text.length, measure?.(text, rows.cells()) ?? grapheme.width);
		last = grapheme;
	};
	for (const [text, spaces, ascii] of line.matchAll(words)) {
		if (spaces !== undefined) addSpaces(text);
		else if (ascii !== undefined) addAscii(text);
		else {
			for (const grapheme of measureGraphemes(text)) {
				if (grapheme.text === ' ' || grapheme.text === '\t') addSpaces(grapheme.text);
				else addGrapheme(grapheme);
			}
		}
	}
	return rows.end();
}

/** Breaks at the edge only, as for code. */
export function wrapCells(line: string, width: number): readonly LineRow[] {
	const rows = createRows(width);
	for (const [text, ascii] of line.matchAll(runs)) {
		if (ascii !== undefined) rows.addAscii(text.length);
		else
			for (const grapheme of measureGraphemes(text)) rows.add(grapheme.text.length, grapheme.width);
	}
	return rows.end();
}

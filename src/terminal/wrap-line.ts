/**
 * Breaks one line of text into rows of at most `width` cells (at least 1). The rows follow each
 * other without a gap; a grapheme wider than `width` gets a row of its own. All rows but the last
 * stay unchanged when whole graphemes are added. Takes time linear in the line.
 */
import {type Grapheme, isAsciiWithin, type MeasureGrapheme, measureGraphemes} from './width.ts';

/** A row of a line: `line.slice(start, end)`. */
export type LineRow = {readonly start: number; readonly end: number};

/**
 * UTF-16 units per cell on average, keeping characters without width from making a row endless; a
 * family emoji has 6, a stack of marks some 20.
 */
const unitsPerCell = 32;

// The least of the line breaking rules of Chinese and Japanese.
const neverFirst =
	/^[、。，．・：；？！）」』】〉》〕］｝〗〙〟’”…‥ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々,.!?;:)\]}%]/;
const neverLast = /[（「『【〈《〔［｛〖〘〝‘“([{]$/;

/** Korean breaks at spaces; its words may end in letters of another script. */
const hangul = /^[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/;

/** Whether a row may end between two graphemes without a space between. */
function canBreak(before: Grapheme, after: Grapheme): boolean {
	if (before.width < 2 && after.width < 2) return false;
	if (hangul.test(before.text) || hangul.test(after.text)) return false;
	return !neverFirst.test(after.text) && !neverLast.test(before.text);
}

/** Builds a line's rows from its start. */
function createRows(width: number) {
	const limit = Math.max(1, width);
	const rows: LineRow[] = [];
	/** Where the open row starts, and its cells so far. */
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
	/** Adds a part that may hang over the edge. */
	const hang = (length: number, own: number) => {
		index += length;
		cells += own;
	};
	/** Adds a part that must stay whole. */
	const add = (length: number, own: number) => {
		const isFull = () => cells + own > limit || index - start + length > unitsPerCell * limit;
		while (index > start && isFull()) {
			if (breakIndex === start) allowBreak();
			rows.push({start, end: breakIndex});
			start = breakIndex;
			cells -= breakCells;
			breakCells = 0;
		}
		hang(length, own);
	};
	/** Ends the open row, if it has any text. */
	const breakHere = () => {
		if (index > start) rows.push({start, end: index});
		start = index;
		cells = 0;
		allowBreak();
	};
	return {
		allowBreak,
		breakHere,
		add,
		hang,
		cells: () => cells,
		end: (): readonly LineRow[] => [...rows, {start, end: index}],
	};
}

type WordOptions = {
	readonly measure?: MeasureGrapheme;
	/** Whether an address wider than a row stays whole. */
	readonly keepsAddresses?: boolean;
};

const word = /[!-~]+/g;
const address = /https?:\/\//;

/** Returns the words with an address wider than a row, as offsets. */
function findWideAddresses(line: string, width: number): readonly LineRow[] {
	if (!address.test(line)) return [];
	return [...line.matchAll(word)].flatMap(({0: found, index}) =>
		found.length > width && address.test(found) ? [{start: index, end: index + found.length}] : [],
	);
}

/**
 * Breaks after spaces and between Chinese or Japanese characters; a word wider than a row is cut at
 * the edge. Spaces at a row's end may hang over its edge.
 */
export function wrapWords(
	line: string,
	width: number,
	{measure, keepsAddresses = false}: WordOptions = {},
): readonly LineRow[] {
	const rows = createRows(width);
	const kept = keepsAddresses ? findWideAddresses(line, width) : [];
	let keptIndex = 0;
	let offset = 0;
	let isIndent = true;
	/** The word's previous grapheme. */
	let last: Grapheme | undefined;
	for (const grapheme of measureGraphemes(line)) {
		const {text} = grapheme;
		const cells = measure?.(text, rows.cells());
		const wide = kept[keptIndex];
		const isKept = wide !== undefined && offset >= wide.start;
		if (wide !== undefined && offset === wide.start) rows.breakHere();
		offset += text.length;
		if (wide !== undefined && offset >= wide.end) keptIndex += 1;
		if (isKept) {
			isIndent = false;
			rows.hang(text.length, cells ?? grapheme.width);
			last = grapheme;
		} else if (text === ' ' || text === '\t') {
			rows.hang(1, cells ?? 1);
			if (!isIndent) rows.allowBreak();
			last = undefined;
		} else {
			isIndent = false;
			if (last !== undefined && canBreak(last, grapheme)) rows.allowBreak();
			rows.add(text.length, cells ?? grapheme.width);
			last = grapheme;
		}
	}
	return rows.end();
}

/** Breaks at the edge only, as for code. */
export function wrapCells(line: string, width: number): readonly LineRow[] {
	if (isAsciiWithin(line, width)) return [{start: 0, end: line.length}];
	const rows = createRows(width);
	for (const {text, width: cells} of measureGraphemes(line)) rows.add(text.length, cells);
	return rows.end();
}

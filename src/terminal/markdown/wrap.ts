/**
 * Breaks styled prose into rows, piece by piece: what was given out never changes by what comes.
 *
 * Lines break at spaces and between Chinese and Japanese characters; Korean has spaces. A word wider than a row gets rows of its own
 * and is cut at the edge. Leading and trailing spaces of a row are dropped, `\n` ends a row.
 *
 * Invariant: what is held is bounded. A row of characters that take no cells is broken off.
 */
import {type Grapheme, measureGraphemes} from '../width.ts';
import type {Row, Span} from './span.ts';

interface Wrapper {
	/** Takes more text and gives the rows that are full. */
	add(spans: readonly Span[]): readonly Row[];
	/** The rest; the wrapper is empty afterwards. */
	end(): readonly Row[];
	/** What came in and did not go out yet, for another wrapper to go on with. */
	held(): readonly Span[];
}

/** UTF-16 units that a cell may hold on average; a family of emoji has 6, a stack of marks some 20. */
const unitsPerCell = 32;

/** Rows of at most `width` cells; a single character wider than that stands alone. */
export function wrap(spans: readonly Span[], width: number): readonly Row[] {
	const wrapper = createWrapper(width);
	return [...wrapper.add(spans), ...wrapper.end()];
}

type State = {
	row: Span[];
	rowWidth: number;
	/** UTF-16 units. */
	rowLength: number;
	/** Spaces behind the row; they count once a word follows in the same row. */
	space: Span | undefined;
	/** The beginning of a word whose end is not known. */
	word: Span[];
	wordWidth: number;
	wordLength: number;
	/** What stands before the next character, if both are in the same line without a space. */
	last: Grapheme | undefined;
};

// A line break, spaces, or a run of characters without either; an ASCII character that others
// combine with goes to them.
const pieces = /(\n)|([ \t]+)|([!-~]+(?![^\t\n -~]))|([!-~]?[^\t\n -~]+)/g;

// The least of the rules by which Chinese and Japanese lines are broken.
const neverFirst =
	/^[、。，．・：；？！）」』】〉》〕］｝〗〙〟’”…‥ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々,.!?;:)\]}%]/;
const neverLast = /[（「『【〈《〔［｛〖〘〝‘“([{]$/;

/** Korean words take more than one character, and may end in letters of another script. */
const hangul = /^[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/;

function canBreak(before: Grapheme | undefined, after: Grapheme): boolean {
	if (before === undefined || (before.width < 2 && after.width < 2)) return false;
	if (hangul.test(before.text) || hangul.test(after.text)) return false;
	return !neverFirst.test(after.text) && !neverLast.test(before.text);
}

function emptyState(): State {
	return {
		row: [],
		rowWidth: 0,
		rowLength: 0,
		space: undefined,
		word: [],
		wordWidth: 0,
		wordLength: 0,
		last: undefined,
	};
}

export function createWrapper(width: number): Wrapper {
	const state = emptyState();
	const maxLength = unitsPerCell * width;
	let full: Row[] = [];

	const breakRow = () => {
		full.push(state.row);
		state.row = [];
		state.rowWidth = 0;
		state.rowLength = 0;
		state.space = undefined;
	};
	const clearWord = () => {
		state.word = [];
		state.wordWidth = 0;
		state.wordLength = 0;
	};
	const endWord = () => {
		if (state.word.length === 0) return;
		const gap = state.space?.text.length ?? 0;
		const isFull =
			state.rowWidth + gap + state.wordWidth > width ||
			state.rowLength + state.wordLength > maxLength;
		if (state.row.length > 0 && isFull) breakRow();
		if (state.space !== undefined) {
			state.row.push(state.space);
			state.rowWidth += gap;
			state.space = undefined;
		}
		state.row.push(...state.word);
		state.rowWidth += state.wordWidth;
		state.rowLength += state.wordLength;
		clearWord();
	};
	const cutWord = () => {
		if (state.row.length > 0) breakRow();
		full.push(state.word);
		clearWord();
	};
	const extendWord = (piece: Grapheme, look: Span) => {
		const isFull =
			(state.wordWidth > 0 && state.wordWidth + piece.width > width) ||
			state.wordLength + piece.text.length > maxLength;
		if (state.word.length > 0 && isFull) cutWord();
		state.word.push({...look, text: piece.text});
		state.wordWidth += piece.width;
		state.wordLength += piece.text.length;
		state.last = piece;
	};
	const addWord = (piece: Grapheme, look: Span) => {
		if (canBreak(state.last, piece)) endWord();
		extendWord(piece, look);
	};
	const addAscii = (text: string, look: Span) => {
		if (canBreak(state.last, {text, width: 1})) endWord();
		for (let rest = text; rest !== ''; ) {
			const room = width - state.wordWidth || width;
			const piece = rest.slice(0, room);
			extendWord({text: piece, width: piece.length}, look);
			rest = rest.slice(room);
		}
		// Not as wide as the run: a break depends on the character alone.
		state.last = {text: text.slice(-1), width: 1};
	};
	const addSpace = (text: string, look: Span) => {
		endWord();
		state.last = undefined;
		if (state.row.length === 0) return;
		state.space = {...look, text: (state.space?.text ?? '') + text.replaceAll('\t', ' ')};
	};
	const endLine = () => {
		endWord();
		breakRow();
		state.last = undefined;
	};
	const addPiece = (piece: RegExpExecArray, look: Span) => {
		const [text, newline, spaces, asciiRun] = piece;
		if (newline !== undefined) endLine();
		else if (spaces !== undefined) addSpace(text, look);
		else if (asciiRun !== undefined) addAscii(text, look);
		else for (const grapheme of measureGraphemes(text)) addWord(grapheme, look);
	};
	const takeFull = () => {
		const rows = full;
		full = [];
		return rows;
	};

	return {
		add(spans) {
			for (const span of spans) {
				for (const piece of span.text.matchAll(pieces)) addPiece(piece, span);
			}
			return takeFull();
		},
		end() {
			endWord();
			if (state.row.length > 0) breakRow();
			state.last = undefined;
			return takeFull();
		},
		held() {
			return [...state.row, ...(state.space === undefined ? [] : [state.space]), ...state.word];
		},
	};
}

/** Breaks a line of code at the edge and nowhere else; every character stays. */
export function wrapCode(line: readonly Span[], width: number): readonly Row[] {
	const rows: Row[] = [];
	let row: Span[] = [];
	let used = 0;
	let length = 0;
	const add = (text: string, cells: number, look: Span) => {
		const isFull =
			(used > 0 && used + cells > width) || length + text.length > unitsPerCell * width;
		if (row.length > 0 && isFull) {
			rows.push(row);
			row = [];
			used = 0;
			length = 0;
		}
		row.push({...look, text});
		used += cells;
		length += text.length;
	};
	for (const span of line) {
		if (!/^[ -~]*$/.test(span.text)) {
			for (const grapheme of measureGraphemes(span.text)) add(grapheme.text, grapheme.width, span);
			continue;
		}
		for (let start = 0; start < span.text.length; ) {
			const text = span.text.slice(start, start + (width - used || width));
			add(text, text.length, span);
			start += text.length;
		}
	}
	return [...rows, row];
}

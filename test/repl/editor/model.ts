/**
 * A simple, slow model of the editor, to check the real one against: one string, one index, and the
 * segmenters over all of it. A folded paste is one character that no text has.
 */
import {measureGrapheme, measureGraphemes, textWidth} from '../../../src/terminal/width.ts';
import {canBreak} from '../../../src/terminal/wrap-line.ts';

export type Model = {
	text: string;
	cursor: number;
	goal: number | undefined;
	pastes: Map<string, {label: string; text: string}>;
};

const graphemeSegmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});
const wordSegmenter = new Intl.Segmenter('en', {granularity: 'word'});

export function createModel(): Model {
	return {text: '', cursor: 0, goal: undefined, pastes: new Map()};
}

export function expandModel({text, pastes}: Model): string {
	return [...text].map((character) => pastes.get(character)?.text ?? character).join('');
}

/** Returns all boundaries between graphemes, including the start and the end. */
export function boundariesOf(text: string): number[] {
	return [...[...graphemeSegmenter.segment(text)].map(({index}) => index), text.length];
}

function goTo(model: Model, index: number): void {
	model.cursor =
		boundariesOf(model.text).find((boundary) => boundary >= index) ?? model.text.length;
	model.goal = undefined;
}

function remove(model: Model, index: number): void {
	const [from, to] = [Math.min(index, model.cursor), Math.max(index, model.cursor)];
	model.text = model.text.slice(0, from) + model.text.slice(to);
	goTo(model, from);
}

export function insert(model: Model, text: string): void {
	const {cursor} = model;
	model.text = model.text.slice(0, cursor) + text + model.text.slice(cursor);
	goTo(model, cursor + text.length);
}

export function insertPlaceholder(model: Model, label: string, text: string): void {
	const mark = String.fromCodePoint(0xe0201 + model.pastes.size);
	model.pastes.set(mark, {label, text});
	insert(model, mark);
}

function left({text, cursor}: Model): number {
	return boundariesOf(text).findLast((boundary) => boundary < cursor) ?? 0;
}

function right({text, cursor}: Model): number {
	return boundariesOf(text).find((boundary) => boundary > cursor) ?? text.length;
}

function lineStart({text, cursor}: Model): number {
	return text.slice(0, cursor).lastIndexOf('\n') + 1;
}

function lineEnd({text, cursor}: Model): number {
	const end = text.indexOf('\n', cursor);
	return end === -1 ? text.length : end;
}

function words(model: Model, text: string): Array<{start: number; end: number}> {
	const found: Array<{start: number; end: number}> = [];
	for (const {segment, index, isWordLike} of wordSegmenter.segment(text)) {
		const [mark = ''] = segment;
		const isPaste = model.pastes.has(mark);
		if (isPaste || isWordLike)
			found.push({start: index, end: index + (isPaste ? mark : segment).length});
	}
	return found;
}

function previousWord(model: Model): number {
	const start = words(model, model.text.slice(0, model.cursor)).at(-1)?.start ?? 0;
	return boundariesOf(model.text).findLast((boundary) => boundary <= start) ?? 0;
}

function nextWord(model: Model): number {
	const [word] = words(model, model.text.slice(model.cursor));
	const end = word === undefined ? model.text.length : model.cursor + word.end;
	return boundariesOf(model.text).find((boundary) => boundary >= end) ?? 0;
}

function previousWhitespaceWord({text, cursor}: Model): number {
	const boundaries = boundariesOf(text);
	let at = boundaries.indexOf(cursor);
	const isSpaceLeftOf = (place: number) => /\s/.test(text.charAt(boundaries[place - 1] ?? 0));
	while (at > 0 && isSpaceLeftOf(at)) at -= 1;
	while (at > 0 && !isSpaceLeftOf(at)) at -= 1;
	return boundaries[at] ?? 0;
}

export const modelCommands: Record<string, (model: Model) => void> = {
	'insert-newline': (model) => insert(model, '\n'),
	'move-left': (model) => goTo(model, left(model)),
	'move-right': (model) => goTo(model, right(model)),
	'move-word-left': (model) => goTo(model, previousWord(model)),
	'move-word-right': (model) => goTo(model, nextWord(model)),
	'move-line-start': (model) => goTo(model, lineStart(model)),
	'move-line-end': (model) => goTo(model, lineEnd(model)),
	'delete-left': (model) => remove(model, left(model)),
	'delete-right': (model) => remove(model, right(model)),
	'delete-word-left': (model) => remove(model, previousWord(model)),
	'delete-word-right': (model) => remove(model, nextWord(model)),
	'delete-whitespace-word-left': (model) => remove(model, previousWhitespaceWord(model)),
	'delete-line-start': (model) => {
		const start = lineStart(model);
		remove(model, start === model.cursor ? left(model) : start);
	},
	'delete-line-end': (model) => {
		const end = lineEnd(model);
		remove(model, end === model.cursor ? right(model) : end);
	},
};

type Cell = {index: number; x: number; y: number};

/** Returns the cells where the cursor can be, in a screen of this width. */
export function cellsOf(model: Model, width: number): Cell[] {
	const cells: Cell[] = [];
	let y = 0;
	let lineStart = 0;
	for (const line of model.text.split('\n')) {
		const pieces = [...graphemeSegmenter.segment(line)].map(({segment}) => segment);
		let index = lineStart;
		for (const row of rowsOf(model, pieces, width)) {
			let x = 0;
			for (const piece of row) {
				cells.push({index, x: Math.min(x, width), y});
				x += measure(model, piece, x, width);
				index += piece.length;
			}
			y += 1;
			// The end of a row is the start of the next one, except for the last.
			if (index === lineStart + line.length) cells.push({index, x: Math.min(x, width), y: y - 1});
		}
		lineStart += line.length + 1;
	}
	return cells;
}

/** Each row as long as it can be: broken after a word or, if there is none, anywhere. */
function rowsOf(model: Model, pieces: string[], width: number): string[][] {
	const fits = (row: string[]) => {
		const end = row.findLastIndex((piece) => !isSpace(piece));
		const used = row.slice(0, end + 1).reduce((x, piece) => x + measure(model, piece, x, width), 0);
		return used <= width;
	};
	if (pieces.length <= 1 || fits(pieces)) return [pieces];
	const lengths = pieces.map((_, length) => length).filter((length) => length > 0);
	const fitting = lengths.filter((length) => fits(pieces.slice(0, length)));
	const isAfterWord = (length: number) => {
		const row = pieces.slice(0, length);
		const [before, after] = measureGraphemes(`${row.at(-1)}${pieces[length] ?? ''}`);
		if (isSpace(row.at(-1))) return !isSpace(pieces[length]) && !row.every(isSpace);
		if (before === undefined || after === undefined || isSpace(after.text)) return false;
		return canBreak(before, after);
	};
	const length = fitting.findLast(isAfterWord) ?? fitting.at(-1) ?? 1;
	return [pieces.slice(0, length), ...rowsOf(model, pieces.slice(length), width)];
}

function isSpace(piece: string | undefined): boolean {
	return piece === ' ' || piece === '\t';
}

function measure(model: Model, grapheme: string, x: number, width: number): number {
	const label = model.pastes.get(grapheme)?.label;
	if (label !== undefined) return Math.min(textWidth(label), width);
	const cells = measureGrapheme(grapheme, x);
	return grapheme === '\t' ? Math.min(cells, width) : cells;
}

export function moveModelRow(model: Model, step: number, width: number): void {
	const cells = cellsOf(model, width);
	const own = cells.find(({index}) => index === model.cursor);
	if (own === undefined) return;
	const goal = model.goal ?? own.x;
	const row = cells.filter(({y}) => y === own.y + step);
	const target = row.findLast(({x}) => x <= goal) ?? row[0];
	if (target === undefined) return;
	model.cursor = target.index;
	model.goal = goal;
}

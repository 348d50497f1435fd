/**
 * A simple, slow model of the editor, to check the real one against: one string, one index, and the
 * segmenters over all of it. A folded paste is one character that no text has.
 */

export type Model = {
	text: string;
	cursor: number;
	/** The texts of pastes, by their characters. */
	pastes: Map<string, string>;
};

const graphemeSegmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});
const wordSegmenter = new Intl.Segmenter('en', {granularity: 'word'});

export function createModel(): Model {
	return {text: '', cursor: 0, pastes: new Map()};
}

export function expandModel({text, pastes}: Model): string {
	return [...text].map((character) => pastes.get(character) ?? character).join('');
}

/** Returns all boundaries between graphemes, including the start and the end. */
export function boundariesOf(text: string): number[] {
	return [...[...graphemeSegmenter.segment(text)].map(({index}) => index), text.length];
}

function goTo(model: Model, index: number): void {
	model.cursor =
		boundariesOf(model.text).find((boundary) => boundary >= index) ?? model.text.length;
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

export function insertPlaceholder(model: Model, text: string): void {
	const mark = String.fromCodePoint(0xe0201 + model.pastes.size);
	model.pastes.set(mark, text);
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

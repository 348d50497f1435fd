/** Reads the end of a written path: lines (`file:10-40`, `file:10-`, `file:10`), or punctuation of the text. */

/** Both ends are included, and counted from 1. */
export type LineRange = {readonly path: string; readonly from: number; readonly to: number};

/** Returns undefined for a path without lines. */
export function findRange(text: string): LineRange | undefined {
	const [, path = '', from = '', dash = '', to = ''] = /^(.+):(\d+)(-?)(\d*)$/.exec(text) ?? [];
	if (path === '') return undefined;
	const end = dash === '' ? from : to;
	return {path, from: Number(from), to: end === '' ? Number.POSITIVE_INFINITY : Number(end)};
}

export function withoutLines(path: string): string {
	return findRange(path)?.path ?? path;
}

/** Returns a word of a text, such as `@notes.txt,`, without the punctuation after it. */
export function withoutPunctuation(word: string): string {
	return word.replace(/[.,;:!?'")\]}>]+$/, '');
}

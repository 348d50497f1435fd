/** The history search. The match is shown in place of the draft, which stays as it is. */
import {type EditorBuffer, emptyBuffer, expand, isEmpty, moveTo, shownText} from './buffer.ts';
import {type Editor, recallEntry} from './history.ts';

export type HistorySearch = {
	readonly query: EditorBuffer;
	/** The matching entry; undefined shows the draft. */
	readonly index: number | undefined;
};

export const emptySearch: HistorySearch = {query: emptyBuffer, index: undefined};

/** Shows a query's newest match; an empty one has none. */
export function searchFor(query: EditorBuffer, editor: Editor): HistorySearch {
	const search = {query, index: undefined};
	return isEmpty(query) ? search : findMatch(search, -1, editor);
}

/** Shows the next older or newer match; returns the same search if there is none. */
export function findMatch(search: HistorySearch, step: -1 | 1, editor: Editor): HistorySearch {
	const {entries} = editor.history;
	const pattern = patternOf(search.query);
	let index = (search.index ?? entries.length) + step;
	for (let entry = entries[index]; entry !== undefined; entry = entries[index]) {
		if (pattern.test(entry.text)) return {...search, index};
		index += step;
	}
	return search;
}

/** Returns the match to show, with the cursor at the first hit, or the draft. */
export function previewOf({query, index}: HistorySearch, editor: Editor): EditorBuffer {
	const buffer = index === undefined ? editor.buffer : recallEntry(editor, index).buffer;
	const hit = index === undefined ? null : patternOf(query).exec(shownText(buffer));
	if (hit === null) return buffer;
	const before = hit.input.slice(0, hit.index).split('\n');
	return moveTo(buffer, {line: before.length - 1, column: before.at(-1)?.length ?? 0});
}

/** Returns a pattern for the query as plain text, in any case. */
export function patternOf(query: EditorBuffer): RegExp {
	return new RegExp(expand(query).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

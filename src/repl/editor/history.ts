/**
 * The prompts of this session, and which of them the editor shows. Changes to one of them, or to the
 * draft, are kept while others are shown.
 */
import {type EditorBuffer, emptyBuffer, expand, moveToEnd} from './buffer.ts';

export type Editor = {
	readonly buffer: EditorBuffer;
	readonly history: EditorHistory;
};

type EditorHistory = {
	/** Oldest first. */
	readonly entries: readonly EditorBuffer[];
	/** The index of the entry shown; `entries.length` is the draft. */
	readonly index: number;
	/** The texts that were changed and then left, by index. */
	readonly edited: ReadonlyMap<number, EditorBuffer>;
};

const maximumEntries = 1000;

export const emptyEditor: Editor = {buffer: emptyBuffer, history: createHistory([])};

/**
 * Empties the editor and adds its text to the history, unless it is blank or repeats the newest
 * entry. A draft that was left for another entry is added before it.
 */
export function clearIntoHistory({buffer, history}: Editor): Editor {
	const {entries, index, edited} = history;
	const draft = index === entries.length ? undefined : edited.get(entries.length);
	const withDraft = draft === undefined ? entries : addEntry(entries, draft);
	return {buffer: emptyBuffer, history: createHistory(addEntry(withDraft, buffer))};
}

function addEntry(entries: readonly EditorBuffer[], buffer: EditorBuffer): readonly EditorBuffer[] {
	const text = expand(buffer);
	const newest = entries.at(-1);
	const isNew = text.trim() !== '' && (newest === undefined || expand(newest) !== text);
	return isNew ? [...entries, buffer].slice(-maximumEntries) : entries;
}

/**
 * Shows the previous entry, with the cursor at its end or where it was left; returns the same editor
 * if there is none.
 */
export function recallOlder(editor: Editor): Editor {
	return show(editor, editor.history.index - 1);
}

/** Shows the next entry, after the last the draft; returns the same editor at the draft. */
export function recallNewer(editor: Editor): Editor {
	return show(editor, editor.history.index + 1);
}

function createHistory(entries: readonly EditorBuffer[]): EditorHistory {
	return {entries, index: entries.length, edited: new Map()};
}

function show(editor: Editor, index: number): Editor {
	const {buffer, history} = editor;
	const entry = history.entries[index];
	const shown = history.edited.get(index) ?? (entry && moveToEnd(entry));
	if (shown === undefined) return editor;
	const edited = new Map(history.edited).set(history.index, buffer);
	return {buffer: shown, history: {...history, index, edited}};
}

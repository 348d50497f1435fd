/**
 * The prompts of this session and before, and which of them the editor shows. What is written in
 * one of them, or in the draft, stays there while others are looked at.
 */
import {type EditorBuffer, emptyBuffer, expand, moveTo} from './buffer.ts';
import {createBuffer} from './edit.ts';
import {moveRow} from './vertical-motion.ts';

export type Editor = {
	readonly buffer: EditorBuffer;
	readonly history: EditorHistory;
};

type EditorHistory = {
	/** Oldest first. */
	readonly entries: readonly EditorBuffer[];
	/** The index of the entry that is shown; their number stands for the draft. */
	readonly index: number;
	/** What was left behind, by index. */
	readonly edited: ReadonlyMap<number, EditorBuffer>;
};

const maximumEntries = 1000;

/** An empty editor; `prompts` are what Up brings back, oldest first. */
export function createEditor(prompts: readonly string[] = []): Editor {
	const entries = prompts.slice(-maximumEntries).map(createBuffer);
	return {buffer: emptyBuffer, history: createHistory(entries)};
}

/**
 * An empty editor whose newest entry is the text it had, unless it was blank or the same again. A
 * draft that was left behind for another entry comes before it.
 */
export function clearIntoHistory({buffer, history}: Editor): Editor {
	const {entries, index, edited} = history;
	const draft = index === entries.length ? undefined : edited.get(entries.length);
	const left = draft === undefined ? entries : addEntry(entries, draft);
	return {buffer: emptyBuffer, history: createHistory(addEntry(left, buffer))};
}

function addEntry(entries: readonly EditorBuffer[], buffer: EditorBuffer): readonly EditorBuffer[] {
	const text = expand(buffer);
	const newest = entries.at(-1);
	const isNews = text.trim() !== '' && (newest === undefined || expand(newest) !== text);
	return isNews ? [...entries, buffer].slice(-maximumEntries) : entries;
}

/**
 * Shows the entry before; the same editor if there is none. The cursor is at its end, or where it
 * was left.
 */
export function recallOlder(editor: Editor): Editor {
	return show(editor, editor.history.index - 1);
}

/** Shows the entry behind, at last the draft; the same editor if that is shown. */
export function recallNewer(editor: Editor): Editor {
	return show(editor, editor.history.index + 1);
}

/** One row up; from the first row to the entry before. `width` as the layout has it. */
export function moveUp(editor: Editor, width: number): Editor {
	const moved = moveRow(editor.buffer, -1, width);
	return moved === undefined ? recallOlder(editor) : {...editor, buffer: moved};
}

/** One row down; from the last row to the entry behind. `width` as the layout has it. */
export function moveDown(editor: Editor, width: number): Editor {
	const moved = moveRow(editor.buffer, 1, width);
	return moved === undefined ? recallNewer(editor) : {...editor, buffer: moved};
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

function moveToEnd(buffer: EditorBuffer): EditorBuffer {
	return moveTo(buffer, {line: buffer.lines.length - 1, column: Number.POSITIVE_INFINITY});
}

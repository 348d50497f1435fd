/**
 * Earlier prompts, and which one the editor shows. Changes to one of them, or to the draft, are
 * kept while others are shown.
 */
import {hasContent, type Prompt} from '../../chat/prompt.ts';
import {type BufferPosition, type EditorBuffer, emptyBuffer} from './buffer.ts';
import {type EditedText, editedText, type TextField, textField} from './change-editor.ts';
import {bufferOfText, textOfBuffer} from './prompt-text.ts';

export type Editor = TextField & {
	readonly history: EditorHistory;
	/** Set for vi keys. */
	readonly vi: ViState | undefined;
};

type EditorHistory = {
	/** Oldest first, each text once. */
	readonly entries: readonly Prompt[];
	/** The shown entry's index; `entries.length` is the draft. */
	readonly index: number;
	/** The texts changed and then left, by index. */
	readonly edited: ReadonlyMap<number, EditedText>;
};

/** Vi mode, and its commands' memory. */
export type ViState = {
	readonly mode: 'insert' | 'normal';
	/** The keys of an unfinished command. */
	readonly pending: string;
	/** The last `f`, `F`, `t` or `T` with its character. */
	readonly find: string;
	/** The last change, for `.`: its keys, and the inserted text. */
	readonly change: {readonly keys: string; readonly inserted: EditorBuffer};
	/** Where the insertion began. */
	readonly insertFrom: BufferPosition;
	/** The undo groups before the command beginning the insertion. */
	readonly groupsBefore: number;
};

export const viStart: ViState = {
	mode: 'insert',
	pending: '',
	find: '',
	change: {keys: '', inserted: emptyBuffer},
	insertFrom: {line: 0, column: 0},
	groupsBefore: 0,
};

export const emptyEditor: Editor = {
	...textField(emptyBuffer),
	history: createHistory([]),
	vi: undefined,
};

/** Empties the editor and adds its drafts to the history. */
export function clearIntoHistory(editor: Editor): Editor {
	const added = draftsOf(editor);
	return {
		...editor,
		...editedText(emptyBuffer),
		vi: editor.vi && {...editor.vi, mode: 'insert', pending: ''},
		history: createHistory(appendEntries(editor.history.entries, added)),
	};
}

/** Returns a draft left for another entry, and the shown text; neither if blank. */
function draftsOf({buffer, history}: Editor): readonly Prompt[] {
	const {entries, index, edited} = history;
	const draft = index === entries.length ? undefined : edited.get(entries.length);
	return (draft === undefined ? [buffer] : [draft.buffer, buffer])
		.map(textOfBuffer)
		.filter(({text}) => hasContent(text));
}

/** Adds prompts from earlier sessions, oldest first, before this session's. */
export function withOlder(editor: Editor, older: readonly Prompt[]): Editor {
	const {history} = editor;
	const entries = appendEntries(older, history.entries);
	const shift = entries.length - history.entries.length;
	const edited = new Map([...history.edited].map(([index, text]) => [index + shift, text]));
	return {...editor, history: {entries, index: history.index + shift, edited}};
}

/** Replaces the text with another history's entry. */
export function showEntryOf(editor: Editor, entries: readonly Prompt[], index: number): Editor {
	return recallEntry(
		{...editor, ...editedText(emptyBuffer), history: createHistory(entries)},
		index,
	);
}

/** Returns the changed entries in their current form. */
export function changedEntries({buffer, history}: Editor): readonly Prompt[] {
	const {entries, index, edited} = history;
	const now = new Map([...edited].map(([at, text]) => [at, text.buffer])).set(index, buffer);
	return [...now].flatMap(([at, text]) => {
		const draft = textOfBuffer(text);
		return draft.text === entries[at]?.text || !hasContent(draft.text) ? [] : [draft];
	});
}

/** Adds drafts after the entries; the text and the entry shown stay. */
export function withNewer(editor: Editor, added: readonly Prompt[]): Editor {
	const {entries, index, edited} = editor.history;
	const known = new Set(entries.map(({text}) => text));
	const all = [...entries, ...added.filter(({text}) => !known.has(text))];
	const move = (at: number) => (at === entries.length ? all.length : at);
	const moved = new Map([...edited].map(([at, text]) => [move(at), text]));
	return {...editor, history: {entries: all, index: move(index), edited: moved}};
}

/** Shows the previous entry, with the cursor at its end; the same editor if there is none. */
export function recallOlder(editor: Editor): Editor {
	return recallEntry(editor, editor.history.index - 1);
}

/** Shows the next entry, after the last the draft; returns the same editor at the draft. */
export function recallNewer(editor: Editor): Editor {
	return recallEntry(editor, editor.history.index + 1);
}

/** Shows an entry, with the cursor at its end or where it was left. */
export function recallEntry(editor: Editor, index: number): Editor {
	const {buffer, past, future, lastChange, history} = editor;
	if (index === history.index) return editor;
	const entry = history.entries[index];
	const shown = history.edited.get(index) ?? (entry && editedText(bufferOfText(entry)));
	if (shown === undefined) return editor;
	const left = {buffer, past, future, lastChange};
	const edited = new Map(history.edited).set(history.index, left);
	return {...editor, ...shown, history: {...history, index, edited}};
}

function appendEntries(entries: readonly Prompt[], added: readonly Prompt[]): readonly Prompt[] {
	const newest = new Map(added.map((entry) => [entry.text, entry]));
	const others = entries.filter(({text}) => !newest.has(text));
	return [...others, ...newest.values()];
}

function createHistory(entries: readonly Prompt[]): EditorHistory {
	return {entries, index: entries.length, edited: new Map()};
}

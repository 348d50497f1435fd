/** Changes the text being written: each change can be undone, and a killed text can be yanked. */
import {type EditorBuffer, isBefore, isEmpty, lineAt, moveTo, moveToEnd} from './buffer.ts';
import {deleteTo, insertBuffer, insertNewline, insertPasted, insertText, textUpTo} from './edit.ts';
import {
	lineEnd,
	lineEndOrNext,
	lineStart,
	lineStartOrPrevious,
	type Motion,
	naturalWords,
	nextGrapheme,
	previousGrapheme,
	spacedWords,
	wordBefore,
	wordEnd,
} from './motion.ts';

/** A text with undo history and kill ring: the draft, or a question's field. */
export type TextField = EditedText & {
	/** The killed texts, newest first. */
	readonly kills: readonly EditorBuffer[];
};

export function textField(buffer: EditorBuffer): TextField {
	return {...editedText(buffer), kills: []};
}

/**
 * Inserts typed text. Each word is an undo group, with the spaces after it.
 *
 * @param insert `insertTyped` for a prompt
 */
export function typeText<Text extends TextField>(
	editor: Text,
	text: string,
	insert = insertText,
): Text {
	let typed = editor;
	for (const piece of text.match(/\s+|\S+/g) ?? []) {
		const isNewWord = /^\S/.test(piece) && isAfterSpace(typed.buffer);
		const before = isNewWord ? {...typed, lastChange: undefined} : typed;
		typed = changeText(before, (buffer) => insert(buffer, piece), 'typing');
	}
	return typed;
}

export function pasteText<Text extends TextField>(editor: Text, text: string): Text {
	return changeText(editor, (buffer) => insertPasted(buffer, text));
}

/** Changes a text. Consecutive changes with the same name form one undo group. */
type Edit = <Text extends TextField>(editor: Text, name: string) => Text;

const previousWord = wordBefore(naturalWords);
const nextWord = wordEnd(naturalWords);

/** The editing commands, by the names used in the key table. */
const editorCommands = {
	'insert-newline': changeBy(insertNewline),
	'move-left': moveBy(previousGrapheme),
	'move-right': moveBy(nextGrapheme),
	'move-word-left': moveBy(previousWord),
	'move-word-right': moveBy(nextWord),
	'move-line-start': moveBy(lineStart),
	'move-line-end': moveBy(lineEnd),
	'delete-left': deleteBy(previousGrapheme),
	'delete-right': deleteBy(nextGrapheme),
	'delete-word-left': killBy(previousWord),
	'delete-word-right': killBy(nextWord),
	'delete-whitespace-word-left': killBy(wordBefore(spacedWords)),
	'delete-line-start': killBy(lineStartOrPrevious),
	'delete-line-end': killBy(lineEndOrNext),
	undo,
	redo,
	yank,
	'yank-older': yankOlder,
} as const satisfies Record<string, Edit>;

export type EditorCommand = keyof typeof editorCommands;

export function isEditorCommand(command: string): command is EditorCommand {
	return Object.hasOwn(editorCommands, command);
}

export function runEditorCommand<Text extends TextField>(
	editor: Text,
	command: EditorCommand,
): Text {
	const edit: Edit = editorCommands[command];
	return edit(editor, command);
}

function changeBy(change: (buffer: EditorBuffer) => EditorBuffer): Edit {
	return (editor, name) => changeText(editor, change, name);
}

function moveBy(target: Motion): Edit {
	return changeBy((buffer) => moveTo(buffer, target(buffer)));
}

function deleteBy(target: Motion): Edit {
	return changeBy((buffer) => deleteTo(buffer, target(buffer)));
}

/** Yanks the last killed text. */
function yank<Text extends TextField>(editor: Text): Text {
	const [newest] = editor.kills;
	if (newest === undefined) return editor;
	const yanked = changeText(editor, (buffer) => insertBuffer(buffer, newest));
	return {...yanked, lastChange: yanking};
}

/** Replaces the text just yanked with the one killed before it. */
function yankOlder<Text extends TextField>(editor: Text): Text {
	const [newest, ...older] = editor.kills;
	const before = editor.past.at(-1);
	if (editor.lastChange !== yanking || newest === undefined || before === undefined) return editor;
	const kills = [...older, newest];
	return yank({...editor, buffer: before, past: editor.past.slice(0, -1), kills});
}

const killing = 'kill';
const yanking = 'yank';
const maximumKills = 20;

export function addKill<Kept extends TextField>(editor: Kept, killed: EditorBuffer): Kept {
	if (isEmpty(killed)) return editor;
	return {...editor, kills: [killed, ...editor.kills].slice(0, maximumKills)};
}

/**
 * Returns a deletion whose text can be yanked. Consecutive deletions form one kill, but separate
 * undo groups.
 */
function killBy(target: Motion): Edit {
	return (editor) => {
		const {buffer, lastChange, kills} = editor;
		const position = target(buffer);
		const killed = textUpTo(buffer, position);
		const deleted = changeText(editor, () => deleteTo(buffer, position));
		if (isEmpty(killed)) return deleted;
		const [newest, ...older] = kills;
		if (lastChange !== killing || newest === undefined) {
			return {...addKill(deleted, killed), lastChange: killing};
		}
		const isLeft = isBefore(position, buffer.cursor);
		const end = isLeft ? moveTo(newest, {line: 0, column: 0}) : moveToEnd(newest);
		return {...deleted, kills: [insertBuffer(end, killed), ...older], lastChange: killing};
	};
}

function isAfterSpace(buffer: EditorBuffer): boolean {
	const {line, column} = buffer.cursor;
	return column === 0 || /\s/.test(lineAt(buffer, line).charAt(column - 1));
}

export type EditedText = {
	readonly buffer: EditorBuffer;
	/** The text before each group, oldest first. */
	readonly past: readonly EditorBuffer[];
	/** The undone texts, the next one last. */
	readonly future: readonly EditorBuffer[];
	/** The kind of the last key's change; undefined after a movement. */
	readonly lastChange: string | undefined;
};

const maximumGroups = 200;

export function editedText(buffer: EditorBuffer): EditedText {
	return {buffer, past: [], future: [], lastChange: undefined};
}

/**
 * Changes the text, or moves the cursor.
 *
 * @param kind groups consecutive changes for undo; without it, the change is a group of its own
 */
export function changeText<Text extends EditedText>(
	text: Text,
	change: (buffer: EditorBuffer) => EditorBuffer,
	kind?: string,
): Text {
	const buffer = change(text.buffer);
	if (isSameText(buffer, text.buffer)) return {...text, buffer, lastChange: undefined};
	const isJoined = kind !== undefined && kind === text.lastChange;
	const past = isJoined ? text.past : [...text.past, text.buffer].slice(-maximumGroups);
	return {...text, buffer, past, future: [], lastChange: kind};
}

/** Undoes the last group; returns the same text if there is none. */
export function undo<Text extends EditedText>(text: Text): Text {
	return restore(text, 'past', 'future');
}

/** Redoes the last undone group; returns the same text if there is none. */
export function redo<Text extends EditedText>(text: Text): Text {
	return restore(text, 'future', 'past');
}

function restore<Text extends EditedText>(
	text: Text,
	from: 'past' | 'future',
	to: 'past' | 'future',
): Text {
	const buffer = text[from].at(-1);
	if (buffer === undefined) return text;
	const left = text[from].slice(0, -1);
	return {...text, buffer, [from]: left, [to]: [...text[to], text.buffer], lastChange: undefined};
}

function isSameText({lines}: EditorBuffer, {lines: others}: EditorBuffer): boolean {
	return lines.length === others.length && lines.every((line, index) => line === others[index]);
}

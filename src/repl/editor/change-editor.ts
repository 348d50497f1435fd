/** Changes the text being written: each change can be undone, and a killed text can be yanked. */
import {type EditorBuffer, isEmpty, lineAt, moveTo, moveToEnd} from './buffer.ts';
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

/** A text with its undo history and its killed texts: the draft, or a field of a question. */
export type TextField = EditedText & {
	/** The killed texts, newest first. */
	readonly kills: readonly EditorBuffer[];
};

export function textField(buffer: EditorBuffer): TextField {
	return {...editedText(buffer), kills: []};
}

/**
 * Inserts typed text. Each word is a group, with the spaces after it.
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

type TextCommand = 'undo' | 'redo' | 'yank' | 'yank-older';

/** The commands that need the changes and kills before them. */
const textCommands: Readonly<Record<TextCommand, <Text extends TextField>(editor: Text) => Text>> =
	{undo, redo, yank, 'yank-older': yankOlder};

export type EditorCommand = BufferCommand | TextCommand;

export function isEditorCommand(command: string): command is EditorCommand {
	return Object.hasOwn(editorCommands, command) || Object.hasOwn(textCommands, command);
}

export function runEditorCommand<Text extends TextField>(
	editor: Text,
	command: EditorCommand,
): Text {
	if (isTextCommand(command)) return textCommands[command](editor);
	return isKill(command)
		? kill(editor, command)
		: changeText(editor, editorCommands[command], command);
}

function isTextCommand(command: EditorCommand): command is TextCommand {
	return Object.hasOwn(textCommands, command);
}

/** Inserts the text that was killed last. */
function yank<Text extends TextField>(editor: Text): Text {
	const [newest] = editor.kills;
	if (newest === undefined) return editor;
	const yanked = changeText(editor, (buffer) => insertBuffer(buffer, newest));
	return {...yanked, lastChange: yanking};
}

/** Right after a yank, replaces its text by the one killed before. */
function yankOlder<Text extends TextField>(editor: Text): Text {
	const [newest, ...older] = editor.kills;
	const before = editor.past.at(-1);
	if (editor.lastChange !== yanking || newest === undefined || before === undefined) return editor;
	const kills = [...older, newest];
	return yank({...editor, buffer: before, past: editor.past.slice(0, -1), kills});
}

type Kill = keyof typeof killTargets;

const killing = 'kill';
const yanking = 'yank';
const maximumKills = 20;

function isKill(command: BufferCommand): command is Kill {
	return Object.hasOwn(killTargets, command);
}

export function addKill<Kept extends TextField>(editor: Kept, killed: EditorBuffer): Kept {
	if (isEmpty(killed)) return editor;
	return {...editor, kills: [killed, ...editor.kills].slice(0, maximumKills)};
}

/** Deletes up to a position. Kills in a row make one entry of the ring, but groups of their own. */
function kill<Text extends TextField>(editor: Text, command: Kill): Text {
	const {buffer, lastChange, kills} = editor;
	const position = killTargets[command](buffer);
	const killed = textUpTo(buffer, position);
	const deleted = changeText(editor, () => deleteTo(buffer, position));
	if (isEmpty(killed)) return deleted;
	const [newest, ...older] = kills;
	if (lastChange !== killing || newest === undefined) {
		return {...addKill(deleted, killed), lastChange: killing};
	}
	const end = deletesLeft(command) ? moveTo(newest, {line: 0, column: 0}) : moveToEnd(newest);
	return {...deleted, kills: [insertBuffer(end, killed), ...older], lastChange: killing};
}

/** Whether a command deletes to the left of the cursor. */
export function deletesLeft(command: string): command is Kill | 'delete-left' {
	return /^delete-.*(?:left|line-start)$/.test(command);
}

function isAfterSpace(buffer: EditorBuffer): boolean {
	const {line, column} = buffer.cursor;
	return column === 0 || /\s/.test(lineAt(buffer, line).charAt(column - 1));
}

export type EditedText = {
	readonly buffer: EditorBuffer;
	/** The text before each group, oldest first. */
	readonly past: readonly EditorBuffer[];
	/** The texts that were undone, the next one last. */
	readonly future: readonly EditorBuffer[];
	/** The kind of the change that the last key made; undefined after a movement. */
	readonly lastChange: string | undefined;
};

const maximumGroups = 200;

export function editedText(buffer: EditorBuffer): EditedText {
	return {buffer, past: [], future: [], lastChange: undefined};
}

/**
 * Changes the text, or moves the cursor.
 *
 * @param kind a change of the same kind right before makes one group with it; without one, the change
 * is a group of its own
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
	const buffer = text.past.at(-1);
	if (buffer === undefined) return text;
	const future = [...text.future, text.buffer];
	return {...text, buffer, past: text.past.slice(0, -1), future, lastChange: undefined};
}

/** Redoes the last undone group; returns the same text if there is none. */
export function redo<Text extends EditedText>(text: Text): Text {
	const buffer = text.future.at(-1);
	if (buffer === undefined) return text;
	const past = [...text.past, text.buffer];
	return {...text, buffer, past, future: text.future.slice(0, -1), lastChange: undefined};
}

function isSameText({lines}: EditorBuffer, {lines: others}: EditorBuffer): boolean {
	return lines.length === others.length && lines.every((line, index) => line === others[index]);
}

export type BufferCommand = keyof typeof editorCommands;

const previousWord = wordBefore(naturalWords);
const nextWord = wordEnd(naturalWords);

/** The deletions whose text can be yanked, by the position they delete to. */
const killTargets = {
	'delete-word-left': previousWord,
	'delete-word-right': nextWord,
	'delete-whitespace-word-left': wordBefore(spacedWords),
	'delete-line-start': lineStartOrPrevious,
	'delete-line-end': lineEndOrNext,
} as const satisfies Record<string, Motion>;

export const editorCommands = {
	'insert-newline': insertNewline,
	'move-left': moveBy(previousGrapheme),
	'move-right': moveBy(nextGrapheme),
	'move-word-left': moveBy(previousWord),
	'move-word-right': moveBy(nextWord),
	'move-line-start': moveBy(lineStart),
	'move-line-end': moveBy(lineEnd),
	'delete-left': deleteBy(previousGrapheme),
	'delete-right': deleteBy(nextGrapheme),
	'delete-word-left': deleteBy(killTargets['delete-word-left']),
	'delete-word-right': deleteBy(killTargets['delete-word-right']),
	'delete-whitespace-word-left': deleteBy(killTargets['delete-whitespace-word-left']),
	'delete-line-start': deleteBy(killTargets['delete-line-start']),
	'delete-line-end': deleteBy(killTargets['delete-line-end']),
} as const satisfies Record<string, (buffer: EditorBuffer) => EditorBuffer>;

function moveBy(target: Motion) {
	return (buffer: EditorBuffer): EditorBuffer => moveTo(buffer, target(buffer));
}

function deleteBy(target: Motion) {
	return (buffer: EditorBuffer): EditorBuffer => deleteTo(buffer, target(buffer));
}

/** Changes the text being written: each change can be undone, and a killed text can be yanked. */
import {type EditorBuffer, isEmpty, lineAt, moveTo, moveToEnd} from './buffer.ts';
import {type BufferCommand, editorCommands, killTargets} from './commands.ts';
import {deleteTo, insertBuffer, insertPasted, insertText, textUpTo} from './edit.ts';
import {changeText, type EditedText, editedText, redo, undo} from './undo.ts';

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
	const isLeft = command.endsWith('left') || command.endsWith('start');
	const end = isLeft ? moveTo(newest, {line: 0, column: 0}) : moveToEnd(newest);
	return {...deleted, kills: [insertBuffer(end, killed), ...older], lastChange: killing};
}

function isAfterSpace(buffer: EditorBuffer): boolean {
	const {line, column} = buffer.cursor;
	return column === 0 || /\s/.test(lineAt(buffer, line).charAt(column - 1));
}

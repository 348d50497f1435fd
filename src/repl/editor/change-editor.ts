/** Changes the text being written: each change can be undone, and a killed text can be yanked. */
import {type EditorBuffer, isEmpty, lineAt, moveTo, moveToEnd} from './buffer.ts';
import {type EditorCommand, editorCommands, killTargets} from './commands.ts';
import {deleteTo, insertBuffer, insertPaste, insertText, textUpTo} from './edit.ts';
import type {Editor} from './history.ts';
import {changeText} from './undo.ts';

/** Inserts typed text. Each word is a group, with the spaces after it. */
export function typeText(editor: Editor, text: string): Editor {
	let typed = editor;
	for (const piece of text.match(/\s+|\S+/g) ?? []) {
		const isNewWord = /^\S/.test(piece) && isAfterSpace(typed.buffer);
		const before = isNewWord ? {...typed, lastChange: undefined} : typed;
		typed = changeText(before, (buffer) => insertText(buffer, piece), 'typing');
	}
	return typed;
}

export function pasteText(editor: Editor, text: string): Editor {
	return changeText(editor, (buffer) => insertPaste(buffer, text));
}

export function runEditorCommand(editor: Editor, command: EditorCommand): Editor {
	return isKill(command)
		? kill(editor, command)
		: changeText(editor, editorCommands[command], command);
}

/** Inserts the text that was killed last. */
export function yank(editor: Editor): Editor {
	const [newest] = editor.kills;
	if (newest === undefined) return editor;
	const yanked = changeText(editor, (buffer) => insertBuffer(buffer, newest));
	return {...yanked, lastChange: yanking};
}

/** Right after a yank, replaces its text by the one killed before. */
export function yankOlder(editor: Editor): Editor {
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

function isKill(command: EditorCommand): command is Kill {
	return Object.hasOwn(killTargets, command);
}

export function addKill<Kept extends Editor>(editor: Kept, killed: EditorBuffer): Kept {
	if (isEmpty(killed)) return editor;
	return {...editor, kills: [killed, ...editor.kills].slice(0, maximumKills)};
}

/** Deletes up to a position. Kills in a row make one entry of the ring, but groups of their own. */
function kill(editor: Editor, command: Kill): Editor {
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

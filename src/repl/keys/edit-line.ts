/** Edits other texts than the draft: the query of a search, at its end, and the fields of questions. */
import {chordOf, type KeyInput, type KeyPress} from '../../terminal/keys/key-input.ts';
import type {EditorBuffer} from '../editor/buffer.ts';
import {
	isEditorCommand,
	pasteText,
	runEditorCommand,
	type TextField,
	textField,
	typeText,
} from '../editor/change-editor.ts';
import {insertText} from '../editor/edit.ts';
import {findCommand} from './key-bindings.ts';

/** The keys that end a line. */
export const endChords: ReadonlySet<string> = new Set(['enter', 'ctrl+j', 'ctrl+d']);

/** Returns undefined for a key that does not edit. White space in a paste becomes spaces. */
export function editLine(line: EditorBuffer, key: KeyInput): EditorBuffer | undefined {
	if (key.type === 'key') return deleteLeft(line, key);
	return insertText(line, key.text.replace(/\s/g, ' '));
}

const deletions = [
	'delete-left',
	'delete-word-left',
	'delete-whitespace-word-left',
	'delete-line-start',
] as const;

/** Returns undefined for a key that does not delete to the left. */
export function deleteLeft(line: EditorBuffer, key: KeyPress): EditorBuffer | undefined {
	const command = findCommand(chordOf(key));
	const deletion = deletions.find((known) => known === command);
	return deletion && runEditorCommand(textField(line), deletion).buffer;
}

/** Writes a text of several lines, with all that a draft can do but recall others. */
export function writeKey(text: TextField, key: KeyInput): TextField {
	if (key.type === 'text') return typeText(text, key.text);
	if (key.type === 'paste') return pasteText(text, key.text);
	const command = findCommand(chordOf(key));
	return command !== undefined && isEditorCommand(command) ? runEditorCommand(text, command) : text;
}

/** Writes a text of one line: a paste is not folded, and its line ends are spaces. */
export function writeOnLine(text: TextField, key: KeyInput): TextField {
	if (key.type !== 'key') return typeText(text, key.text.replace(/\s/g, ' '));
	return findCommand(chordOf(key)) === 'insert-newline' ? text : writeKey(text, key);
}

/** Edits texts besides the draft: a search query, at its end, and question fields. */
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

/** The keys ending a line. */
export const endChords: ReadonlySet<string> = new Set(['enter', 'ctrl+j', 'ctrl+d']);

/** Returns undefined for other keys. White space in a paste becomes spaces. */
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

/** Returns undefined for keys not deleting to the left. */
export function deleteLeft(line: EditorBuffer, key: KeyPress): EditorBuffer | undefined {
	const command = findCommand(chordOf(key));
	const deletion = deletions.find((known) => known === command);
	return deletion && runEditorCommand(textField(line), deletion).buffer;
}

/** Edits a multi-line text like a draft, without the history. */
export function writeKey(text: TextField, key: KeyInput): TextField {
	if (key.type === 'text') return typeText(text, key.text);
	if (key.type === 'paste') return pasteText(text, key.text);
	const command = findCommand(chordOf(key));
	return command !== undefined && isEditorCommand(command) ? runEditorCommand(text, command) : text;
}

/** Edits a one-line text: a paste is not folded, and its line ends become spaces. */
export function writeOnLine(text: TextField, key: KeyInput): TextField {
	if (key.type !== 'key') return typeText(text, key.text.replace(/\s/g, ' '));
	return findCommand(chordOf(key)) === 'insert-newline' ? text : writeKey(text, key);
}

/** Edits a line at its end: the query of a search, or the answer to a question. */
import {chordOf, type KeyInput, type KeyPress} from '../../terminal/keys/key-input.ts';
import {type EditorBuffer, expand} from '../editor/buffer.ts';
import {type EditorCommand, editorCommands} from '../editor/commands.ts';
import {createBuffer, insertText} from '../editor/edit.ts';
import {findCommand} from './key-bindings.ts';

/** The keys that end a line. */
export const endChords: ReadonlySet<string> = new Set(['enter', 'ctrl+j', 'ctrl+d']);

/** Returns undefined for a key that does not edit. White space in a paste becomes spaces. */
export function editLine(line: EditorBuffer, key: KeyInput): EditorBuffer | undefined {
	if (key.type === 'key') return deleteLeft(line, key);
	return insertText(line, key.text.replace(/\s/g, ' '));
}

/** Edits a line that is only a text. */
export function editTextLine(text: string, key: KeyInput): string | undefined {
	const edited = editLine(createBuffer(text), key);
	return edited && expand(edited);
}

const deletions: ReadonlySet<string> = new Set<EditorCommand>([
	'delete-left',
	'delete-word-left',
	'delete-whitespace-word-left',
	'delete-line-start',
]);

/** Returns undefined for a key that does not delete to the left. */
export function deleteLeft(line: EditorBuffer, key: KeyPress): EditorBuffer | undefined {
	const command = findCommand(chordOf(key));
	return isDeletion(command) ? editorCommands[command](line) : undefined;
}

function isDeletion(command: string | undefined): command is EditorCommand {
	return command !== undefined && deletions.has(command);
}

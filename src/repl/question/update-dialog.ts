/** The changes that all dialogs have in common. */
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {type Update, update} from '../action.ts';
import {pasteText, runFieldCommand, type TextField, typeText} from '../editor/change-editor.ts';
import {findCommand} from '../keys/key-bindings.ts';
import type {Dialog} from './dialog.ts';

/** The dialog after an action; undefined if it is closed. */
export type DialogUpdate = Update<Dialog | undefined>;

/** Ignores keys again until none was pressed for a while. */
export function restartArming(dialog: Dialog): DialogUpdate {
	return update({...dialog, isArmed: false}, {type: 'arm-dialog'});
}

/** Edits the text of a dialog. */
export function writeKey(field: TextField, key: KeyInput): TextField {
	switch (key.type) {
		case 'text':
			return typeText(field, key.text);
		case 'paste':
			return pasteText(field, key.text);
		case 'key':
			return runFieldCommand(field, findCommand(chordOf(key)) ?? '');
		default:
			return key satisfies never;
	}
}

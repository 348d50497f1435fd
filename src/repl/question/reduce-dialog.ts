/**
 * Reduces the open dialog and its keys.
 *
 * Invariant: a key that was meant for something else never answers. Keys do not count until the dialog
 * is armed; a paste and a letter among others never agree to anything. No key reaches the draft.
 */
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {type DialogAction, type Update, update} from '../action.ts';
import type {Size} from '../geometry.ts';
import {findCommand} from '../keys/key-bindings.ts';
import {createApproval} from './approval.ts';
import type {Dialog} from './dialog.ts';
import {armElicitation, createElicitation} from './elicitation.ts';
import {answerApproval, settleApproval} from './reduce-approval.ts';
import {answerElicitation, giveAnswer, showPage} from './reduce-elicitation.ts';
import {type DialogUpdate, restartArming} from './update-dialog.ts';

export function reduceDialog(dialog: Dialog | undefined, action: DialogAction): DialogUpdate {
	switch (action.type) {
		case 'approval-asked':
			return restartArming(createApproval(action.request));
		case 'elicitation-asked':
			return restartArming(createElicitation(action.request));
		case 'dialog-armed':
			if (dialog?.type === 'elicitation') return update(armElicitation(dialog));
			return update(dialog && {...dialog, isArmed: true});
		case 'approval-given':
			return dialog?.isArmed ? settleApproval(action.approval) : update(dialog);
		case 'elicitation-given':
			return dialog?.type === 'elicitation' && dialog.isArmed
				? giveAnswer(dialog, action.answer)
				: update(dialog);
		case 'page-opened':
			return dialog?.type === 'elicitation' ? showPage(dialog, action.isOpen) : update(dialog);
		case 'dialog-withdrawn':
			return update(undefined);
		default:
			return action satisfies never;
	}
}

const outside = ['interrupt', 'suspend', 'redraw', 'toggle-reasoning'] as const;

/** Returns the command of a key that does what it does without a dialog. */
export function commandOutside(key: KeyInput): (typeof outside)[number] | undefined {
	const command = key.type === 'key' ? findCommand(chordOf(key)) : undefined;
	return outside.find((known) => known === command);
}

export function answerDialog(dialog: Dialog, key: KeyInput, size: Size): DialogUpdate {
	return dialog.type === 'approval'
		? answerApproval(dialog, key, size)
		: answerElicitation(dialog, key, size);
}

type WithDialog = {readonly dialog: Dialog | undefined};

export function withDialog<State extends WithDialog>(
	state: State,
	{state: dialog, effects}: DialogUpdate,
): Update<State> {
	return update({...state, dialog}, ...effects);
}

export function restartArmingIn<State extends WithDialog>(state: State): Update<State> {
	return state.dialog === undefined
		? update(state)
		: withDialog(state, restartArming(state.dialog));
}

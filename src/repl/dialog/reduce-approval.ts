/**
 * Reduces the approval dialog and its keys.
 *
 * Invariant: a key that was meant for something else never approves a call. Keys do not count until the
 * dialog is armed; a paste, Enter and a letter among others never count.
 */
import type {Approval} from '../../chat/tool.ts';
import {parseJsonObject} from '../../json.ts';
import {chordOf, type KeyInput, type KeyPress} from '../../terminal/keys/key-input.ts';
import {type ApprovalAction, print, type Update, update} from '../action.ts';
import {emptyBuffer, expand} from '../editor/buffer.ts';
import {
	pasteText,
	runFieldCommand,
	type TextField,
	textField,
	typeText,
} from '../editor/change-editor.ts';
import {createBuffer} from '../editor/edit.ts';
import type {Size} from '../geometry.ts';
import {findCommand} from '../key-bindings.ts';
import {type ApprovalDialog, canApprove, createDialog} from './approval.ts';

/** The dialog after an action; undefined if it is closed. */
type DialogUpdate = Update<ApprovalDialog | undefined>;

export function reduceApproval(
	dialog: ApprovalDialog | undefined,
	action: ApprovalAction,
): DialogUpdate {
	switch (action.type) {
		case 'approval-asked':
			return restartArming(createDialog(action.request));
		case 'approval-armed':
			return update(dialog && {...dialog, isArmed: true});
		case 'approval-given':
			return dialog?.isArmed ? settle(action.approval) : update(dialog);
		case 'approval-withdrawn':
			return update(undefined);
		default:
			return action satisfies never;
	}
}

/** Returns undefined if the key is not for the dialog. */
export function answerApproval(
	dialog: ApprovalDialog,
	key: KeyInput,
	size: Size,
): DialogUpdate | undefined {
	if (key.type === 'key' && alwaysOutside.has(findCommand(chordOf(key)))) return undefined;
	if (dialog.mode !== 'ask') return write(dialog, key);
	if (!dialog.isArmed || key.type === 'paste') return undefined;
	const word = key.type === 'text' ? key.text : chordOf(key);
	if (!Object.hasOwn(answers, word)) return undefined;
	return answers[word]?.(dialog, size);
}

const alwaysOutside: ReadonlySet<string | undefined> = new Set(['interrupt', 'suspend']);

type Answer = (dialog: ApprovalDialog, size: Size) => DialogUpdate;

const deny: Answer = () => settle({type: 'deny'});

const answers: Readonly<Record<string, Answer>> = {
	y: (dialog, size) => approve(dialog, size, 'once'),
	s: (dialog, size) => approve(dialog, size, 'session'),
	n: deny,
	escape: deny,
	d: (dialog) => update({...dialog, mode: 'reason', field: textField(emptyBuffer)}),
	e: (dialog) => {
		const {arguments: text} = dialog.request.call;
		const field = textField(createBuffer(JSON.stringify(parseJsonObject(text) ?? {})));
		return update({...dialog, mode: 'edit', field, problem: undefined});
	},
	v: (dialog) =>
		update(
			{...dialog, isViewed: true, problem: dialog.request.problem},
			print({type: 'approval', request: dialog.request}),
		),
};

function approve(dialog: ApprovalDialog, size: Size, decision: 'once' | 'session'): DialogUpdate {
	if (!canApprove(dialog, size)) {
		return update({...dialog, problem: 'Press v first, to see all of it.'});
	}
	return settle({type: 'run', decision});
}

function settle(approval: Approval): DialogUpdate {
	return update(undefined, {type: 'answer-approval', approval});
}

/** Ignores keys again until none was pressed for a while. */
export function restartArming(dialog: ApprovalDialog): DialogUpdate {
	return update({...dialog, isArmed: false}, {type: 'arm-approval'});
}

type WithApproval = {readonly approval: ApprovalDialog | undefined};

export function withDialog<State extends WithApproval>(
	state: State,
	{state: approval, effects}: DialogUpdate,
): Update<State> {
	return update({...state, approval}, ...effects);
}

export function restartArmingIn<State extends WithApproval>(state: State): Update<State> {
	return state.approval === undefined
		? update(state)
		: withDialog(state, restartArming(state.approval));
}

/** Edits the arguments or the reason. */
function write(dialog: ApprovalDialog, key: KeyInput): DialogUpdate {
	const {field} = dialog;
	const change = (next: TextField) => update({...dialog, field: next, problem: undefined});
	switch (key.type) {
		case 'text':
			return change(typeText(field, key.text));
		case 'paste':
			return change(pasteText(field, key.text));
		case 'key':
			return press(dialog, key) ?? change(runFieldCommand(field, findCommand(chordOf(key)) ?? ''));
		default:
			return key satisfies never;
	}
}

function press(dialog: ApprovalDialog, key: KeyPress): DialogUpdate | undefined {
	const chord = chordOf(key);
	if (chord === 'escape') return restartArming({...dialog, mode: 'ask'});
	return chord === 'enter' ? submit(dialog) : undefined;
}

function submit(dialog: ApprovalDialog): DialogUpdate {
	const text = expand(dialog.field.buffer).trim();
	if (dialog.mode === 'reason') {
		return settle({type: 'deny', ...(text === '' ? {} : {reason: text})});
	}
	if (parseJsonObject(text) !== undefined) return settle({type: 'edit', arguments: text});
	return update({...dialog, problem: 'That is not a JSON object.'});
}

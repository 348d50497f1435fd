/** Reduces the keys of the question whether a call may run. */
import type {Approval} from '../../chat/tool.ts';
import {parseJsonObject} from '../../json.ts';
import {chordOf, type KeyInput, type KeyPress} from '../../terminal/keys/key-input.ts';
import {print, update} from '../action.ts';
import {emptyBuffer, expand} from '../editor/buffer.ts';
import {textField} from '../editor/change-editor.ts';
import {createBuffer} from '../editor/edit.ts';
import type {Size} from '../geometry.ts';
import {type ApprovalDialog, approvalChoices} from './approval.ts';
import {notChosen} from './choices.ts';
import {choose} from './choose.ts';
import {canAgree} from './dialog.ts';
import {type DialogUpdate, restartArming, writeKey} from './update-dialog.ts';

export function answerApproval(dialog: ApprovalDialog, key: KeyInput, size: Size): DialogUpdate {
	if (dialog.mode !== 'ask') return write(dialog, key);
	const take = (letter: string) =>
		isAnswer(letter) ? answers[letter](dialog, size) : update(dialog);
	return choose(dialog, approvalChoices, key, take);
}

type AnswerKey = (typeof approvalChoices)[number]['key'];

type Answer = (dialog: ApprovalDialog, size: Size) => DialogUpdate;

const answers: Readonly<Record<AnswerKey, Answer>> = {
	y: (dialog, size) => approve(dialog, size, 'once'),
	s: (dialog, size) => approve(dialog, size, 'session'),
	n: () => settleApproval({type: 'deny'}),
	d: (dialog) => update({...dialog, mode: 'reason', field: textField(emptyBuffer)}),
	e: (dialog) => {
		const {arguments: text} = dialog.request.call;
		const field = textField(createBuffer(JSON.stringify(parseJsonObject(text) ?? {})));
		return update({...dialog, mode: 'edit', field, problem: undefined});
	},
	v: (dialog) =>
		update(
			{...dialog, isViewed: true, problem: dialog.request.problem},
			print({
				type: 'dialog',
				title: `${dialog.request.tool.definition.name}:`,
				lines: dialog.request.lines,
			}),
		),
};

function isAnswer(letter: string): letter is AnswerKey {
	return Object.hasOwn(answers, letter);
}

function approve(dialog: ApprovalDialog, size: Size, decision: 'once' | 'session'): DialogUpdate {
	if (!canAgree(dialog, size)) {
		return update({...dialog, problem: 'Press v first, to see all of it.'});
	}
	return settleApproval({type: 'run', decision});
}

export function settleApproval(approval: Approval): DialogUpdate {
	return update(undefined, {type: 'answer-approval', approval});
}

/** Edits the arguments or the reason. */
function write(dialog: ApprovalDialog, key: KeyInput): DialogUpdate {
	const pressed = key.type === 'key' ? press(dialog, key) : undefined;
	return pressed ?? update({...dialog, field: writeKey(dialog.field, key), problem: undefined});
}

function press(dialog: ApprovalDialog, key: KeyPress): DialogUpdate | undefined {
	const chord = chordOf(key);
	if (chord === 'escape') return restartArming({...dialog, ...notChosen, mode: 'ask'});
	return chord === 'enter' ? submit(dialog) : undefined;
}

function submit(dialog: ApprovalDialog): DialogUpdate {
	const text = expand(dialog.field.buffer).trim();
	if (dialog.mode === 'reason') {
		return settleApproval({type: 'deny', ...(text === '' ? {} : {reason: text})});
	}
	if (parseJsonObject(text) !== undefined) return settleApproval({type: 'edit', arguments: text});
	return update({...dialog, problem: 'That is not a JSON object.'});
}

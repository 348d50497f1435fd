/**
 * Keys while a question is open.
 *
 * Invariant: nothing is approved by a key that was meant for something else: not before the question
 * is armed, not by a paste, not by Enter, not by a letter among others.
 */

import {parseArguments} from '../chat/parse-arguments.ts';
import type {Approval} from '../chat/tool.ts';
import {chordOf, type KeyInput, type KeyPress} from '../terminal/keys/key-input.ts';
import {type Outcome, outcome, print} from './action.ts';
import {type ApprovalDialog, canApprove} from './approval.ts';
import {type EditorBuffer, emptyBuffer, expand} from './editor/buffer.ts';
import {editorCommands} from './editor/commands.ts';
import {createBuffer, insertPaste, insertText} from './editor/edit.ts';
import {findCommand} from './key-bindings.ts';
import type {ReplState} from './state.ts';

/** Undefined: the key is no answer. */
export function answerApproval(
	state: ReplState,
	dialog: ApprovalDialog,
	key: KeyInput,
): Outcome | undefined {
	if (key.type === 'key' && chordOf(key) === 'ctrl+c') return undefined;
	if (dialog.mode !== 'ask') return write(state, dialog, key);
	if (!dialog.isArmed || key.type === 'paste') return undefined;
	const word = key.type === 'text' ? key.text : chordOf(key);
	if (!Object.hasOwn(answers, word)) return undefined;
	return answers[word]?.(state, dialog);
}

type Answer = (state: ReplState, dialog: ApprovalDialog) => Outcome;

const deny: Answer = (state) => settle(state, {type: 'deny'});

const answers: Readonly<Record<string, Answer>> = {
	y: (state, dialog) => approve(state, dialog, 'once'),
	s: (state, dialog) => approve(state, dialog, 'session'),
	n: deny,
	escape: deny,
	d: (state, dialog) =>
		outcome(withDialog(state, {...dialog, mode: 'reason', buffer: emptyBuffer})),
	e: (state, dialog) => {
		const {arguments: text} = dialog.request.call;
		const buffer = createBuffer(JSON.stringify(parseArguments(text) ?? {}));
		return outcome(withDialog(state, {...dialog, mode: 'edit', buffer, problem: undefined}));
	},
	v: (state, dialog) =>
		outcome(
			withDialog(state, {...dialog, isViewed: true, problem: dialog.request.problem}),
			print({type: 'approval', request: dialog.request}),
		),
};

function approve(state: ReplState, dialog: ApprovalDialog, decision: 'once' | 'session'): Outcome {
	if (!canApprove(dialog, state)) {
		return outcome(
			withDialog(state, {...dialog, problem: 'Press v first: not all of it is shown.'}),
		);
	}
	return settle(state, {type: 'run', decision});
}

function settle(state: ReplState, approval: Approval): Outcome {
	return outcome({...state, approval: undefined}, {type: 'answer-approval', approval});
}

function withDialog(state: ReplState, dialog: ApprovalDialog): ReplState {
	return {...state, approval: dialog};
}

/** Waits anew for a time without keys. */
export function rearm(state: ReplState): Outcome {
	const {approval} = state;
	if (approval === undefined) return outcome(state);
	return outcome(withDialog(state, {...approval, isArmed: false}), {type: 'arm-approval'});
}

/** Keys of somebody who writes arguments or a reason. */
function write(state: ReplState, dialog: ApprovalDialog, key: KeyInput): Outcome {
	const change = (edit: (buffer: EditorBuffer) => EditorBuffer) =>
		outcome(withDialog(state, {...dialog, buffer: edit(dialog.buffer), problem: undefined}));
	switch (key.type) {
		case 'text':
			return change((buffer) => insertText(buffer, key.text));
		case 'paste':
			return change((buffer) => insertPaste(buffer, key.text));
		case 'key':
			return press(state, dialog, key) ?? change(commandOf(key));
		default:
			return key satisfies never;
	}
}

function press(state: ReplState, dialog: ApprovalDialog, key: KeyPress): Outcome | undefined {
	const chord = chordOf(key);
	if (chord === 'escape') return rearm(withDialog(state, {...dialog, mode: 'ask'}));
	return chord === 'enter' ? submit(state, dialog) : undefined;
}

function submit(state: ReplState, dialog: ApprovalDialog): Outcome {
	const text = expand(dialog.buffer).trim();
	if (dialog.mode === 'reason') {
		return settle(state, {type: 'deny', ...(text === '' ? {} : {reason: text})});
	}
	if (parseArguments(text) !== undefined) return settle(state, {type: 'edit', arguments: text});
	return outcome(withDialog(state, {...dialog, problem: 'That is not a JSON object.'}));
}

function commandOf(key: KeyPress): (buffer: EditorBuffer) => EditorBuffer {
	const command = findCommand(chordOf(key));
	const edits: Readonly<Record<string, (buffer: EditorBuffer) => EditorBuffer>> = editorCommands;
	const edit = command === undefined ? undefined : edits[command];
	return edit ?? ((buffer) => buffer);
}

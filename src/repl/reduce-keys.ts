/** Keys in the state. Everything a key does is a row of `key-bindings.ts`. */
import {chordOf, type KeyInput, type KeyPress} from '../terminal/keys/key-input.ts';
import {sequence, sequenceEach, type Update, update} from './action.ts';
import {detachAll} from './attachment-commands.ts';
import {type EditorBuffer, expand, isEmpty} from './editor/buffer.ts';
import {editorCommands} from './editor/commands.ts';
import {continueLine, insertPaste, insertText} from './editor/edit.ts';
import {clearIntoHistory, type Editor, recallNewer, recallOlder} from './editor/history.ts';
import {moveRow} from './editor/motion.ts';
import {editorWidth} from './geometry.ts';
import {findCommand, type KeyBinding, type ReplCommand} from './key-bindings.ts';
import {isPaneOpen} from './pane.ts';
import {isHelp, showNotice, showPopup} from './popup.ts';
import {answerApproval, restartArmingIn, withDialog} from './reduce-approval.ts';
import {runSlashCommand, tableOfBasicKeys} from './slash-commands.ts';
import type {ReplState} from './state.ts';
import {submitPrompt, takeFromQueue} from './submit.ts';

export function reduceKeys(state: ReplState, keys: readonly KeyInput[], now: number): Update {
	const all = (current: ReplState) => sequenceEach(current, keys, reduceKey);
	// Keys that come together were not pressed to answer a question.
	return keys.length > 1 ? sequence({...state, now}, restartArmingIn, all) : all({...state, now});
}

function reduceKey(state: ReplState, key: KeyInput): Update {
	const {approval, popup} = state;
	const closed = {...state, popup: undefined};
	if (isHelp(popup) && isChord(key, 'escape')) return update(disarm(closed));
	if (approval === undefined) return reducePromptKey(state, key);
	const answered = answerApproval(approval, key, state);
	if (answered !== undefined) return withDialog(closed, answered);
	// The key belongs to the prompt that is being written.
	return sequence(state, restartArmingIn, (next) => reducePromptKey(next, key));
}

function isChord(key: KeyInput, chord: string): boolean {
	return key.type === 'key' && chordOf(key) === chord;
}

function reducePromptKey(state: ReplState, key: KeyInput): Update {
	const typed = state.popup?.typed ?? '';
	const closed = {...state, popup: undefined};
	switch (key.type) {
		case 'text':
			if (key.text === '?' && typed === '' && isEmpty(state.editor.buffer)) {
				return showPopup(disarm(closed), tableOfBasicKeys(), key.text);
			}
			// A command is never meant to follow it.
			return editBuffer(closed, (buffer) =>
				insertText(buffer, key.text.startsWith('/') ? key.text : typed + key.text),
			);
		case 'paste':
			return editBuffer(closed, (buffer) => insertPaste(insertText(buffer, typed), key.text));
		case 'key':
			return pressKey(closed, key);
		default:
			return key satisfies never;
	}
}

function pressKey(state: ReplState, key: KeyPress): Update {
	const command = findCommand(chordOf(key));
	if (command === undefined) return update(disarm(state));
	return isReplCommand(command)
		? replCommands[command](state)
		: editBuffer(state, editorCommands[command]);
}

function isReplCommand(command: KeyBinding['command']): command is ReplCommand {
	return Object.hasOwn(replCommands, command);
}

function edit(state: ReplState, change: (editor: Editor) => Editor): Update {
	return update({...disarm(state), editor: change(state.editor)});
}

function editBuffer(state: ReplState, change: (buffer: EditorBuffer) => EditorBuffer): Update {
	return edit(state, (editor) => ({...editor, buffer: change(editor.buffer)}));
}

function disarm(state: ReplState): ReplState {
	return state.armedExit === undefined ? state : {...state, armedExit: undefined};
}

const replCommands: Readonly<Record<ReplCommand, (state: ReplState) => Update>> = {
	submit,
	interrupt,
	cancel: (state) => (state.turn === undefined ? update(disarm(state)) : stop(disarm(state))),
	'delete-right-or-exit': (state) => {
		if (!isEmpty(state.editor.buffer)) return editBuffer(state, editorCommands['delete-right']);
		// An answer that is under way would be lost.
		return state.turn === undefined ? update(state, {type: 'exit'}) : exitBy('Ctrl-D', state);
	},
	'toggle-reasoning': toggleReasoning,
	redraw: (state) => update(disarm(state), {type: 'redraw'}),
	'move-up': (state) => moveOr(state, -1, recallPrevious),
	'move-down': (state) => moveOr(state, 1, recallNext),
	'history-older': recallPrevious,
	'history-newer': recallNext,
};

/** Moves the cursor by a row; from the first or last row, recalls another prompt. */
function moveOr(state: ReplState, step: -1 | 1, recall: (state: ReplState) => Update): Update {
	const moved = moveRow(state.editor.buffer, step, editorWidth(state));
	return moved === undefined ? recall(state) : editBuffer(state, () => moved);
}

/** Takes a queued prompt back from the queue: a copy would be sent twice. */
function recallPrevious(state: ReplState): Update {
	const taken = takeFromQueue(state);
	return taken === undefined ? edit(state, recallOlder) : update(disarm(taken));
}

function recallNext(state: ReplState): Update {
	return edit(state, recallNewer);
}

function submit(state: ReplState): Update {
	const ready = disarm(state);
	const continued = continueLine(ready.editor.buffer);
	if (continued !== undefined) return editBuffer(ready, () => continued);
	return runSlashCommand(ready, expand(ready.editor.buffer)) ?? submitPrompt(ready);
}

function dropQueue(state: ReplState): Update {
	const dropped = {...state, queue: [], isQueueHeld: false};
	return showNotice(dropped, 'the held prompts are dropped; they are in the history');
}

/** Stops the answer; else clears what was to be sent; else exits. */
function interrupt(state: ReplState): Update {
	if (state.turn !== undefined) return stop(disarm(state));
	if (!isEmpty(state.editor.buffer) || state.attachments.length > 0) {
		return sequence(state, (current) => edit(current, clearIntoHistory), detachAll);
	}
	if (state.isQueueHeld) return dropQueue(disarm(state));
	return exitBy('Ctrl-C', state);
}

/** Exits at the second press within two seconds. */
function exitBy(key: 'Ctrl-C' | 'Ctrl-D', state: ReplState): Update {
	if (state.armedExit === key) return update(state, {type: 'exit'});
	return update({...state, armedExit: key}, {type: 'arm-exit'});
}

function stop(state: ReplState): Update {
	const {turn} = state;
	if (turn === undefined || turn.phase === 'stopping') return update(state);
	return update({...state, turn: {...turn, phase: 'stopping'}}, {type: 'stop-turn'});
}

function toggleReasoning(state: ReplState): Update {
	const {turn} = state;
	if (turn === undefined) return toggleLastReasoning(disarm(state));
	const paneChoice = isPaneOpen(state) ? 'closed' : 'open';
	return update({...disarm(state), turn: {...turn, paneChoice}});
}

function toggleLastReasoning(state: ReplState): Update {
	const {turns, isReasoningOpen} = state;
	if (!isReasoningOpen && (turns.at(-1)?.reasoning ?? '') === '') {
		return showNotice(state, 'there is no reasoning to show');
	}
	return update({...state, isReasoningOpen: !isReasoningOpen});
}

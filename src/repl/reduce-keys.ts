/** Keys in the state. Everything a key does is a row of `key-bindings.ts`. */
import {chordOf, type KeyInput, type KeyPress} from '../terminal/keys/key-input.ts';
import {chain, chainEach, type Outcome, outcome} from './action.ts';
import {detachAll} from './attachments.ts';
import {type EditorBuffer, expand, isEmpty} from './editor/buffer.ts';
import {editorCommands} from './editor/commands.ts';
import {continueLine, insertPaste, insertText} from './editor/edit.ts';
import {clearIntoHistory, type Editor, recallNewer, recallOlder} from './editor/history.ts';
import {moveRow} from './editor/motion.ts';
import {editorWidth} from './geometry.ts';
import {findCommand, type KeyBinding, type ReplCommand} from './key-bindings.ts';
import {isPaneOpen} from './pane.ts';
import {complain, isHelp, showPopup} from './popup.ts';
import {answerApproval, rearmDialog, withDialog} from './reduce-approval.ts';
import {runSlashCommand, tableOfBasicKeys} from './slash-commands.ts';
import type {ReplState} from './state.ts';
import {submitPrompt, takeBack} from './submit.ts';

export function reduceKeys(state: ReplState, keys: readonly KeyInput[], now: number): Outcome {
	const all = (current: ReplState) => chainEach(current, keys, reduceKey);
	// Keys that come together were not pressed to answer a question.
	return keys.length > 1 ? chain({...state, now}, rearmDialog, all) : all({...state, now});
}

function reduceKey(state: ReplState, key: KeyInput): Outcome {
	const {approval, popup} = state;
	const closed = {...state, popup: undefined};
	if (isHelp(popup) && isChord(key, 'escape')) return outcome(disarm(closed));
	if (approval === undefined) return reducePromptKey(state, key);
	const answered = answerApproval(approval, key, state);
	if (answered !== undefined) return withDialog(closed, answered);
	// The key belongs to the prompt that is being written.
	return chain(state, rearmDialog, (next) => reducePromptKey(next, key));
}

function isChord(key: KeyInput, chord: string): boolean {
	return key.type === 'key' && chordOf(key) === chord;
}

function reducePromptKey(state: ReplState, key: KeyInput): Outcome {
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

function pressKey(state: ReplState, key: KeyPress): Outcome {
	const command = findCommand(chordOf(key));
	if (command === undefined) return outcome(disarm(state));
	return isReplCommand(command)
		? replCommands[command](state)
		: editBuffer(state, editorCommands[command]);
}

function isReplCommand(command: KeyBinding['command']): command is ReplCommand {
	return Object.hasOwn(replCommands, command);
}

function edit(state: ReplState, change: (editor: Editor) => Editor): Outcome {
	return outcome({...disarm(state), editor: change(state.editor)});
}

function editBuffer(state: ReplState, change: (buffer: EditorBuffer) => EditorBuffer): Outcome {
	return edit(state, (editor) => ({...editor, buffer: change(editor.buffer)}));
}

function disarm(state: ReplState): ReplState {
	return state.armedExit === undefined ? state : {...state, armedExit: undefined};
}

const replCommands: Readonly<Record<ReplCommand, (state: ReplState) => Outcome>> = {
	submit,
	interrupt,
	cancel: (state) => (state.turn === undefined ? outcome(disarm(state)) : stop(disarm(state))),
	'delete-right-or-exit': (state) => {
		if (!isEmpty(state.editor.buffer)) return editBuffer(state, editorCommands['delete-right']);
		// An answer that is under way would be lost.
		return state.turn === undefined ? outcome(state, {type: 'exit'}) : exitBy('Ctrl-D', state);
	},
	'toggle-reasoning': toggleReasoning,
	redraw: (state) => outcome(disarm(state), {type: 'redraw'}),
	'move-up': (state) => moveOr(state, -1, recallPrevious),
	'move-down': (state) => moveOr(state, 1, recallNext),
	'history-older': recallPrevious,
	'history-newer': recallNext,
};

/** Moves the cursor by a row; from the first or last row, recalls another prompt. */
function moveOr(state: ReplState, step: -1 | 1, recall: (state: ReplState) => Outcome): Outcome {
	const moved = moveRow(state.editor.buffer, step, editorWidth(state));
	return moved === undefined ? recall(state) : editBuffer(state, () => moved);
}

/** Takes a queued prompt back from the queue: a copy would be sent twice. */
function recallPrevious(state: ReplState): Outcome {
	const taken = takeBack(state);
	return taken === undefined ? edit(state, recallOlder) : outcome(disarm(taken));
}

function recallNext(state: ReplState): Outcome {
	return edit(state, recallNewer);
}

function submit(state: ReplState): Outcome {
	const ready = disarm(state);
	const continued = continueLine(ready.editor.buffer);
	if (continued !== undefined) return editBuffer(ready, () => continued);
	return runSlashCommand(ready, expand(ready.editor.buffer)) ?? submitPrompt(ready);
}

function dropQueue(state: ReplState): Outcome {
	const dropped = {...state, queue: [], isQueueHeld: false};
	return complain(dropped, 'the held prompts are dropped; they are in the history');
}

/** Stops the answer; else clears what was to be sent; else exits. */
function interrupt(state: ReplState): Outcome {
	if (state.turn !== undefined) return stop(disarm(state));
	if (!isEmpty(state.editor.buffer) || state.attachments.length > 0) {
		return chain(state, (current) => edit(current, clearIntoHistory), detachAll);
	}
	if (state.isQueueHeld) return dropQueue(disarm(state));
	return exitBy('Ctrl-C', state);
}

/** Exits at the second press within two seconds. */
function exitBy(key: 'Ctrl-C' | 'Ctrl-D', state: ReplState): Outcome {
	if (state.armedExit === key) return outcome(state, {type: 'exit'});
	return outcome({...state, armedExit: key}, {type: 'arm-exit'});
}

function stop(state: ReplState): Outcome {
	const {turn} = state;
	if (turn === undefined || turn.phase === 'stopping') return outcome(state);
	return outcome({...state, turn: {...turn, phase: 'stopping'}}, {type: 'stop-turn'});
}

function toggleReasoning(state: ReplState): Outcome {
	const {turn} = state;
	if (turn === undefined) return toggleLastReasoning(disarm(state));
	const paneChoice = isPaneOpen(state) ? 'closed' : 'open';
	return outcome({...disarm(state), turn: {...turn, paneChoice}});
}

function toggleLastReasoning(state: ReplState): Outcome {
	const {turns, isReasoningOpen} = state;
	if (!isReasoningOpen && (turns.at(-1)?.reasoning ?? '') === '') {
		return complain(state, 'there is no reasoning to show');
	}
	return outcome({...state, isReasoningOpen: !isReasoningOpen});
}

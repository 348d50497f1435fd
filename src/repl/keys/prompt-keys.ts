/** Prompt keys: they change its text, or run interactive commands. */
import {chordOf, type KeyInput, type KeyPress} from '../../terminal/keys/key-input.ts';
import {sequence, type Update, update} from '../action.ts';
import {
	detachLast,
	isDropped,
	nameAttachments,
	pasteClipboard,
	readDropped,
	withAllChips,
} from '../commands/attachment-commands.ts';
import {copyPart} from '../commands/copy-commands.ts';
import {isEmpty} from '../editor/buffer.ts';
import {
	changeText,
	type EditorCommand,
	isEditorCommand,
	pasteText,
	runEditorCommand,
	typeText,
} from '../editor/change-editor.ts';
import {insertTyped, typeWord} from '../editor/edit.ts';
import {type Editor, recallNewer, recallOlder} from '../editor/history.ts';
import {moveRow} from '../editor/motion.ts';
import {emptySearch} from '../editor/search.ts';
import {editorWidth} from '../geometry.ts';
import type {Menu} from '../list/menu.ts';
import {followText} from '../list/reduce-menu.ts';
import {showNotice, showPopup} from '../popup.ts';
import {answerAsEscape, withQuestion} from '../question/reduce-question.ts';
import type {ArmedKey, ReplState} from '../state.ts';
import {compactTask, isCompacting} from '../task.ts';
import {beginEdit, canGoBack, leaveEdit, moveEdit, withoutEdit} from '../turn/prompt-edit.ts';
import {editDraft, restorePrompt} from '../turn/prompts.ts';
import {openNextFold} from '../turn/reduce-folds.ts';
import {isIncomplete, isPreparing} from '../turn/reduce-turn.ts';
import {remember, submitOrList} from '../turn/submit.ts';
import {tableOfBasicKeys} from './help-tables.ts';
import {findCommand, type ReplCommand} from './key-bindings.ts';

/** The screen state at the keypress. */
export type Seen = Pick<ReplState, 'popup' | 'armedKey'> & {
	readonly menu: Menu | undefined;
	/** Whether the terminal delivered this key alone. */
	readonly isSingle: boolean;
};

/** Handles any key. */
export function reducePromptKey(state: ReplState, key: KeyInput, seen: Seen): Update {
	const typed = seen.popup?.typed ?? '';
	switch (key.type) {
		case 'text': {
			const {text} = key;
			if (text === '?' && typed === '' && isEmpty(state.editor.buffer)) {
				return showPopup(state, tableOfBasicKeys(), text);
			}
			// A slash after the key list starts a command.
			const added = text.startsWith('/') ? text : typed + text;
			return edit(state, (editor) => typeText(editor, added, insertTyped));
		}
		case 'paste': {
			const {text} = key;
			const pasted = edit(state, (editor) => pasteText(typeText(editor, typed), text));
			return isDropped(text) ? readDropped(pasted.state, text) : pasted;
		}
		case 'key':
			return pressKey(state, key, seen);
		default:
			return key satisfies never;
	}
}

function pressKey(state: ReplState, key: KeyPress, seen: Seen): Update {
	const chord = chordOf(key);
	if (chord === 'ctrl+x') return arm(state, 'Ctrl-X');
	const command = findCommand(seen.armedKey === 'Ctrl-X' ? `ctrl+x ${chord}` : chord);
	if (command === undefined) return update(state);
	const isTextless = isEmpty(state.editor.buffer) && state.attachments.length > 0;
	if (command === 'delete-left' && isTextless) return detachLast(state);
	return isEditorCommand(command) ? runEdit(state, command) : replCommands[command](state, seen);
}

type Command = (state: ReplState, seen: Seen) => Update;

export const replCommands: Readonly<Record<ReplCommand, Command>> = {
	submit: submitOrList,
	interrupt,
	cancel(state, seen) {
		if (isCompacting(state)) return stopCompaction(state);
		if (isPreparing(state)) return recallPreparing(state);
		// Vi users press Esc from habit; Ctrl-C stops.
		if (state.turn !== undefined) {
			return state.editor.vi === undefined ? stop({...state, escapedAt: state.now}) : update(state);
		}
		return state.editing === undefined ? goBack(state, seen) : leaveByEscape(state);
	},
	'delete-right-or-exit': (state, seen) => {
		if (!isEmpty(state.editor.buffer)) return runEdit(state, 'delete-right');
		// During an answer, a second press is needed: the remaining answer would be lost.
		return state.turn === undefined || seen.armedKey === 'Ctrl-D'
			? exit(state)
			: arm(state, 'Ctrl-D');
	},
	'open-fold': openNextFold,
	'copy-answer': (state) => copyPart(state, ''),
	'paste-clipboard': pasteClipboard,
	suspend: (state) => update(state, {type: 'suspend'}),
	'edit-draft': editDraft,
	redraw: (state) => update(state, {type: 'redraw'}),
	'move-up': (state) => moveOr(state, -1, recallPrevious),
	'move-down': (state) => moveOr(state, 1, recallNext),
	'edit-queued': (state) => recallQueued(state, state.queue.length - 1),
	'history-older': recallPrevious,
	'history-newer': recallNext,
	complete: (state) =>
		followText(edit(state, (editor) => changeText(editor, typeWord)).state, 'tab'),
	'search-history': (state) =>
		update(state.editing === undefined ? {...state, search: emptySearch} : state),
};

function runEdit(state: ReplState, command: EditorCommand): Update {
	return edit(state, (editor) => runEditorCommand(editor, command));
}

function edit(state: ReplState, change: (editor: Editor) => Editor): Update {
	return update({...state, editor: change(state.editor)});
}

/** The key acts when pressed again within two seconds, or changes the next key's meaning. */
function arm(state: ReplState, armedKey: ArmedKey): Update {
	return update({...state, armedKey}, {type: 'arm-key'});
}

/** Moves the cursor by a row; from the first or last row, recalls another prompt. */
function moveOr(state: ReplState, step: -1 | 1, recall: (state: ReplState) => Update): Update {
	const moved = moveRow(state.editor.buffer, step, editorWidth(state));
	return moved === undefined
		? recall(state)
		: edit(state, (editor) => changeText(editor, () => moved));
}

/**
 * Recalls the last queued prompt, removing it from the queue, or the previous one from the history.
 */
function recallPrevious(state: ReplState): Update {
	if (state.editing !== undefined) return moveEdit(state, -1);
	return state.queue.length === 0
		? edit(state, recallOlder)
		: recallQueued(state, state.queue.length - 1);
}

/** Takes back the prompt whose files or template are being read. */
function recallPreparing(state: ReplState): Update {
	return recallQueued(state, state.queue.findIndex(isIncomplete));
}

function recallQueued(state: ReplState, index: number): Update {
	const prompt = state.queue[index];
	if (prompt === undefined) return update(state);
	const queue = state.queue.toSpliced(index, 1);
	const isQueueHeld = state.isQueueHeld && queue.length > 0;
	return update({...restorePrompt(state, prompt), queue, isQueueHeld});
}

function recallNext(state: ReplState): Update {
	return state.editing === undefined ? edit(state, recallNewer) : moveEdit(state, 1);
}

/** Stops the answer; otherwise clears the draft, drops held prompts, or exits. */
function interrupt(state: ReplState, {armedKey}: Seen): Update {
	if (state.turn !== undefined) return stop(state);
	if (state.question !== undefined) return withQuestion(state, answerAsEscape(state.question));
	if (isCompacting(state)) return stopCompaction(state);
	if (state.editing !== undefined) return leaveEdit(state);
	const {attachments} = state;
	if (attachments.length > 0) {
		const text = `detached ${nameAttachments(attachments)}`;
		return showNotice(remember(withAllChips(state)), text, 'Up brings the draft back');
	}
	if (!isEmpty(state.editor.buffer)) return update(remember(state));
	if (isPreparing(state)) return recallPreparing(state);
	if (!state.isQueueHeld) return armedKey === 'Ctrl-C' ? exit(state) : arm(state, 'Ctrl-C');
	const dropped = {...state, queue: [], isQueueHeld: false};
	return showNotice(dropped, 'held prompts dropped; they are still in the history');
}

/** An Esc within this time after one stopping an answer was meant for the answer too. */
const escapeMs = 1000;

/** Shows the last prompt at the second Esc in an empty editor; in vi, Esc is pressed from habit. */
function goBack(state: ReplState, {armedKey}: Seen): Update {
	const {now, escapedAt, editor, conversation} = state;
	if (editor.vi !== undefined || !canGoBack(state)) return update(state);
	if (escapedAt !== undefined && now - escapedAt < escapeMs) {
		return update({...state, escapedAt: now});
	}
	if (armedKey === 'Esc') return update(beginEdit(state, state.nextEdit));
	return arm({...state, nextEdit: conversation.turns.length - 1}, 'Esc');
}

/** Leaves an earlier prompt; the next Esc shows the one before it. */
function leaveByEscape(state: ReplState): Update {
	const nextEdit = state.editor.history.index - 1;
	return sequence(state, leaveEdit, (left) =>
		nextEdit >= 0 && left.editor.vi === undefined && canGoBack(left)
			? arm({...left, nextEdit}, 'Esc')
			: update(left),
	);
}

/** Stops the request for a summary, or drops the open one. */
function stopCompaction(state: ReplState): Update {
	const {editing} = state;
	if (editing?.summary === undefined) return update(state, {type: 'stop-task', name: compactTask});
	const isQueueHeld = state.queue.length > 0;
	return showNotice({...withoutEdit(state), isQueueHeld}, 'nothing was compacted');
}

function exit(state: ReplState): Update {
	return update(state, {type: 'exit'});
}

function stop(state: ReplState): Update {
	const {turn} = state;
	if (turn === undefined || turn.phase === 'stopping') return update(state);
	return update({...state, turn: {...turn, phase: 'stopping'}}, {type: 'stop-turn'});
}

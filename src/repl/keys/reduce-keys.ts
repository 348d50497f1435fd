/** Reduces keys; `key-bindings.ts` lists their commands. */
import {chordOf, type KeyInput, type KeyPress} from '../../terminal/keys/key-input.ts';
import {sequence, sequenceEach, type Update, update} from '../action.ts';
import {
	detachLast,
	isDropped,
	nameAttachments,
	withAllChips,
} from '../commands/attachment-commands.ts';
import {copyPart} from '../commands/copy-commands.ts';
import {type EditorBuffer, isEmpty} from '../editor/buffer.ts';
import {pasteText, runEditorCommand, typeText, yank, yankOlder} from '../editor/change-editor.ts';
import {type EditorCommand, isEditorCommand} from '../editor/commands.ts';
import {insertTyped, typeWord} from '../editor/edit.ts';
import {type Editor, recallNewer, recallOlder} from '../editor/history.ts';
import {moveRow} from '../editor/motion.ts';
import {emptySearch} from '../editor/search.ts';
import {changeText, redo, undo} from '../editor/undo.ts';
import {isVi, keepOnCharacter, leaveInsert, pressVi} from '../editor/vi.ts';
import {editorWidth} from '../geometry.ts';
import {followText, openMenuOf, runMenuCommand} from '../list/reduce-menu.ts';
import {reduceTree} from '../list/reduce-tree.ts';
import {isHelp, showNotice, showPopup} from '../popup.ts';
import {
	answerDialog,
	commandOutside,
	restartArmingIn,
	withDialog,
} from '../question/reduce-dialog.ts';
import type {ArmedKey, ReplState} from '../state.ts';
import {beginEdit, canGoBack, leaveEdit, moveEdit} from '../turn/prompt-edit.ts';
import {editDraft, restorePrompt} from '../turn/prompts.ts';
import {reduceReasoningKey, toggleReasoning} from '../turn/reduce-reasoning.ts';
import {isIncomplete, isPreparing} from '../turn/reduce-turn.ts';
import {remember, submit} from '../turn/submit.ts';
import {tableOfBasicKeys} from './help-tables.ts';
import {commandIn, findCommand, menuBindings, type ReplCommand} from './key-bindings.ts';
import {acceptMatch, reduceSearch} from './reduce-search.ts';

export function reduceKeys(before: ReplState, keys: readonly KeyInput[], now: number): Update {
	const state = {...before, now};
	const seen = {buffer: state.editor.buffer, isSingle: keys.length === 1};
	const all = (current: ReplState) =>
		sequenceEach(current, keys, (next, key) => reduceKey(next, key, seen));
	const isTyped = keys.some(({type}) => type === 'text');
	const follow = (next: ReplState) =>
		next.editor.buffer === seen.buffer
			? update(next)
			: followText(next, isTyped && next.editor.vi?.mode !== 'normal' ? 'typing' : 'other');
	// Keys that arrive together are not an answer to the question.
	return seen.isSingle
		? sequence(state, all, follow)
		: sequence(state, restartArmingIn, all, follow);
}

/** The text on the screen when the keys of one read were pressed, and whether it was only one. */
type Seen = {readonly buffer: EditorBuffer; readonly isSingle: boolean};

function reduceKey(state: ReplState, key: KeyInput, seen: Seen): Update {
	const {state: next, effects} = reduceAnyKey(state, key, seen);
	return {state: {...next, editor: keepOnCharacter(next.editor)}, effects};
}

function reduceAnyKey(state: ReplState, key: KeyInput, seen: Seen): Update {
	const {dialog, popup} = state;
	const closed = {...state, popup: undefined};
	if (isHelp(popup) && key.type === 'key' && chordOf(key) === 'escape') {
		return update(disarm(closed));
	}
	if (dialog === undefined) return reducePromptKey(state, key, seen);
	const command = commandOutside(key);
	if (command === undefined) return withDialog(closed, answerDialog(dialog, key, state));
	return sequence(closed, restartArmingIn, replCommands[command]);
}

function reducePromptKey(state: ReplState, key: KeyInput, seen: Seen): Update {
	if (state.tree !== undefined) {
		const chosen = reduceTree(disarm(state), state.tree, key);
		return chosen ?? reduceEditorKey({...state, tree: undefined}, key);
	}
	if (state.search === undefined) return reduceMenuKey(state, key, seen);
	const next = reduceSearch(disarm(state), state.search, key);
	return next === undefined ? reduceEditorKey(acceptMatch(state), key) : update(next);
}

/** Gives the menu its keys, unless the text that they belong to has changed. */
function reduceMenuKey(state: ReplState, key: KeyInput, {buffer, isSingle}: Seen): Update {
	const menu = state.editor.buffer === buffer ? openMenuOf(state) : undefined;
	const command = key.type === 'key' ? commandIn(menuBindings, chordOf(key)) : undefined;
	// A line that was typed ahead runs as it was typed.
	const isForMenu = menu !== undefined && (isSingle || command !== 'choose');
	const done =
		isForMenu && command !== undefined
			? runMenuCommand(disarm(state), menu, command, submit)
			: undefined;
	return done ?? reduceReasoningKey(disarm(state), key) ?? reduceEditorKey(state, key);
}

function reduceEditorKey(state: ReplState, key: KeyInput): Update {
	return reduceViKey(state, key) ?? reduceTypedKey(state, key);
}

function reduceTypedKey(state: ReplState, key: KeyInput): Update {
	const typed = state.popup?.typed ?? '';
	const closed = {...state, popup: undefined};
	switch (key.type) {
		case 'text':
			if (key.text === '?' && typed === '' && isEmpty(state.editor.buffer)) {
				return showPopup(disarm(closed), tableOfBasicKeys(), key.text);
			}
			// A slash after the key list starts a command.
			return edit(closed, (editor) =>
				typeText(editor, key.text.startsWith('/') ? key.text : typed + key.text, insertTyped),
			);
		case 'paste': {
			const pasted = edit(closed, (editor) => pasteText(typeText(editor, typed), key.text));
			const {text} = key;
			return isDropped(text) ? update(pasted.state, {type: 'read-dropped', text}) : pasted;
		}
		case 'key':
			return pressKey(closed, key);
		default:
			return key satisfies never;
	}
}

/** Handles the keys of vi; returns undefined for other keys, and for text to insert. */
function reduceViKey(state: ReplState, key: KeyInput): Update | undefined {
	const {editor} = state;
	if (!isVi(editor)) return undefined;
	const chord = key.type === 'key' ? chordOf(key) : '';
	const isPending = editor.vi.mode === 'insert' || editor.vi.pending !== '';
	if (chord === 'escape' && isPending) return edit(state, () => leaveInsert(editor));
	if (key.type === 'key' && key.alt && key.name.length === 1) {
		// Terminals send Esc and a key right after it like Alt with the key.
		const text = key.shift ? key.name.toUpperCase() : key.name;
		return pressViKey({...state, editor: leaveInsert(editor)}, text);
	}
	if (editor.vi.mode === 'insert' || key.type === 'paste') return undefined;
	const text = key.type === 'text' ? key.text : viKeys[chord];
	if (text === undefined) return undefined;
	return sequenceEach({...state, popup: undefined}, [...text], pressViKey);
}

const viKeys: Readonly<Record<string, string>> = {'ctrl+r': '\u0012', backspace: 'h', delete: 'x'};

/** Vi's commands that are not about the text alone. */
const viCommands: Readonly<Record<string, ReplCommand>> = {
	j: 'move-down',
	k: 'move-up',
	v: 'edit-draft',
	'/': 'search-history',
};

function pressViKey(state: ReplState, key: string): Update {
	const {editor} = state;
	// A command may have begun an insertion, or a search.
	if (!isVi(editor) || editor.vi.mode === 'insert' || state.search !== undefined) {
		return reducePromptKey(
			state,
			{type: 'text', text: key},
			{buffer: editor.buffer, isSingle: false},
		);
	}
	const command = editor.vi.pending === '' ? viCommands[key] : undefined;
	return command === undefined
		? edit(state, () => pressVi(editor, key))
		: replCommands[command](state);
}

function pressKey(state: ReplState, key: KeyPress): Update {
	const chord = chordOf(key);
	if (chord === 'ctrl+x') return arm(state, 'Ctrl-X');
	const command = findCommand(state.armedKey === 'Ctrl-X' ? `ctrl+x ${chord}` : chord);
	if (command === undefined) return update(disarm(state));
	const isTextless = isEmpty(state.editor.buffer) && state.attachments.length > 0;
	if (command === 'delete-left' && isTextless) return detachLast(disarm(state));
	return isEditorCommand(command) ? runEdit(state, command) : replCommands[command](state);
}

function runEdit(state: ReplState, command: EditorCommand): Update {
	return edit(state, (editor) => runEditorCommand(editor, command));
}

function edit(state: ReplState, change: (editor: Editor) => Editor): Update {
	return update({...disarm(state), editor: change(state.editor)});
}

function disarm(state: ReplState): ReplState {
	return state.armedKey === undefined ? state : {...state, armedKey: undefined};
}

const replCommands: Readonly<Record<ReplCommand, (state: ReplState) => Update>> = {
	submit: (state) => submit(disarm(state)),
	interrupt,
	cancel(state) {
		if (isPreparing(state)) return recallPreparing(state);
		if (state.turn !== undefined) return stop({...disarm(state), escapedAt: state.now});
		return state.editing === undefined ? goBack(state) : leaveByEscape(disarm(state));
	},
	'delete-right-or-exit': (state) => {
		if (!isEmpty(state.editor.buffer)) return runEdit(state, 'delete-right');
		// During an answer, a second press is needed: the rest of it would be lost.
		return state.turn === undefined ? exit(state) : atSecond('Ctrl-D', state, exit);
	},
	'toggle-reasoning': (state) => toggleReasoning(disarm(state)),
	undo: (state) => edit(state, undo),
	redo: (state) => edit(state, redo),
	yank: (state) => edit(state, yank),
	'yank-older': (state) => edit(state, yankOlder),
	'copy-answer': (state) => copyPart(disarm(state), ''),
	suspend: (state) => update(disarm(state), {type: 'suspend'}),
	'edit-draft': (state) => editDraft(disarm(state)),
	redraw: (state) => update(disarm(state), {type: 'redraw'}),
	'move-up': (state) => moveOr(state, -1, recallPrevious),
	'move-down': (state) => moveOr(state, 1, recallNext),
	'edit-queued': (state) => recallQueued(state, state.queue.length - 1),
	'history-older': recallPrevious,
	'history-newer': recallNext,
	complete: (state) =>
		followText(edit(state, (editor) => changeText(editor, typeWord)).state, 'tab'),
	'search-history': (state) =>
		update(state.editing === undefined ? {...disarm(state), search: emptySearch} : disarm(state)),
};

/** Moves the cursor by a row; from the first or last row, recalls another prompt. */
function moveOr(state: ReplState, step: -1 | 1, recall: (state: ReplState) => Update): Update {
	const moved = moveRow(state.editor.buffer, step, editorWidth(state));
	return moved === undefined
		? recall(state)
		: edit(state, (editor) => changeText(editor, () => moved));
}

/** Recalls the last queued prompt, which leaves the queue, or the previous one of the history. */
function recallPrevious(state: ReplState): Update {
	if (state.editing !== undefined) return moveEdit(disarm(state), -1);
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
	if (prompt === undefined) return update(disarm(state));
	const queue = state.queue.toSpliced(index, 1);
	const isQueueHeld = state.isQueueHeld && queue.length > 0;
	return update({...disarm(restorePrompt(state, prompt)), queue, isQueueHeld});
}

function recallNext(state: ReplState): Update {
	return state.editing === undefined ? edit(state, recallNewer) : moveEdit(disarm(state), 1);
}

/** Stops the answer; otherwise clears the draft, drops held prompts, or exits. */
function interrupt(state: ReplState): Update {
	if (state.turn !== undefined) return stop(disarm(state));
	if (state.editing !== undefined) return leaveEdit(disarm(state));
	const {attachments} = state;
	if (attachments.length > 0) {
		const text = `detached ${nameAttachments(attachments)}; Up brings the draft back`;
		return sequence(withAllChips(disarm(state)), remember, (next) => showNotice(next, text));
	}
	if (!isEmpty(state.editor.buffer)) return remember(disarm(state));
	if (isPreparing(state)) return recallPreparing(state);
	if (!state.isQueueHeld) return atSecond('Ctrl-C', state, exit);
	const dropped = {...disarm(state), queue: [], isQueueHeld: false};
	return showNotice(dropped, 'held prompts dropped; they are still in the history');
}

/** An Esc within this time after one that stopped an answer was meant for the answer too. */
const escapeMs = 1000;

/** Shows the last prompt at the second Esc in an empty editor; in vi, Esc is pressed from habit. */
function goBack(state: ReplState): Update {
	const {now, escapedAt, editor, conversation, armedKey} = state;
	if (editor.vi !== undefined || !canGoBack(state)) return update(disarm(state));
	if (escapedAt !== undefined && now - escapedAt < escapeMs) {
		return update({...disarm(state), escapedAt: now});
	}
	if (armedKey === 'Esc') return update(beginEdit(disarm(state), state.nextEdit));
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

function exit(state: ReplState): Update {
	return update(state, {type: 'exit'});
}

/** Acts at the second press within two seconds. */
function atSecond(key: ArmedKey, state: ReplState, act: (state: ReplState) => Update): Update {
	return state.armedKey === key ? act(state) : arm(state, key);
}

function arm(state: ReplState, armedKey: ArmedKey): Update {
	return update({...state, armedKey}, {type: 'arm-key'});
}

function stop(state: ReplState): Update {
	const {turn} = state;
	if (turn === undefined || turn.phase === 'stopping') return update(state);
	return update({...state, turn: {...turn, phase: 'stopping'}}, {type: 'stop-turn'});
}

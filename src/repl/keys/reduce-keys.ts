/** Reduces keys: each goes down the screen's layers until one handles it. */
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {sequence, sequenceEach, type Update, update} from '../action.ts';
import type {EditorBuffer} from '../editor/buffer.ts';
import {isVi, keepOnCharacter, leaveInsert, pressVi} from '../editor/vi.ts';
import {findListCommand} from '../list/list.ts';
import {followText, openMenuOf, reduceMenuKey} from '../list/reduce-menu.ts';
import {reduceTree} from '../list/reduce-tree.ts';
import {isHelp} from '../popup.ts';
import {
	answerQuestion,
	commandOutside,
	restartArmingIn,
	withQuestion,
} from '../question/reduce-question.ts';
import type {ReplState} from '../state.ts';
import {reduceFoldKey} from '../turn/reduce-folds.ts';
import {submitOrList} from '../turn/submit.ts';
import type {ReplCommand} from './key-bindings.ts';
import {reducePromptKey, replCommands, type Seen} from './prompt-keys.ts';
import {acceptMatch, reduceSearch} from './reduce-search.ts';

/** A screen layer taking keys. */
type Layer = {
	/**
	 * Handles a key; returns undefined if the key is for the layers below, or this one is not open.
	 *
	 * @param state has no popup and no armed key: every key closes the popup, unless it scrolls it,
	 * and disarms the armed key
	 */
	readonly handle: (state: ReplState, key: KeyInput, seen: Seen) => Update | undefined;
	/** Closes the layer before passing on an unhandled key. */
	readonly close?: (state: ReplState) => ReplState;
};

/** The top layer is the first. */
const layers: readonly Layer[] = [
	{handle: reduceHelp},
	{handle: handleQuestion},
	{
		handle: (state, key) => state.tree && reduceTree(state, state.tree, key),
		close: (state) => ({...state, tree: undefined}),
	},
	{handle: reduceSearch, close: acceptMatch},
	{
		handle: (state, key, {menu, isSingle}) =>
			menu && reduceMenuKey(state, menu, key, isSingle ? submitOrList : undefined),
	},
	{handle: reduceFoldKey},
	{handle: reduceViKey},
	{handle: reducePromptKey},
];

/** Keys delivered together, and the text on the screen at the time. */
type Batch = {readonly buffer: EditorBuffer; readonly isSingle: boolean};

export function reduceKeys(before: ReplState, keys: readonly KeyInput[], now: number): Update {
	const state = {...before, now};
	const batch = {buffer: state.editor.buffer, isSingle: keys.length === 1};
	const all = (current: ReplState) =>
		sequenceEach(current, keys, (next, key) => reduceKey(next, key, batch));
	const isTyped = keys.some(({type}) => type === 'text');
	const follow = (next: ReplState) =>
		next.editor.buffer === batch.buffer
			? update(next)
			: followText(next, isTyped && next.editor.vi?.mode !== 'normal' ? 'typing' : 'other');
	// Keys arriving together are not an answer to the question.
	return batch.isSingle
		? sequence(state, all, follow)
		: sequence(state, restartArmingIn, all, follow);
}

function reduceKey(before: ReplState, key: KeyInput, {buffer, isSingle}: Batch): Update {
	const {popup, armedKey} = before;
	const menu = before.editor.buffer === buffer ? openMenuOf(before) : undefined;
	const {state, effects} = handleKey({...before, popup: undefined, armedKey: undefined}, key, {
		popup,
		armedKey,
		menu,
		isSingle,
	});
	const doubted = state.editor.buffer === before.editor.buffer ? state.doubted : undefined;
	return update({...state, doubted, editor: keepOnCharacter(state.editor)}, ...effects);
}

function handleKey(before: ReplState, key: KeyInput, seen: Seen): Update {
	let state = before;
	for (const {handle, close} of layers) {
		const handled = handle(state, key, seen);
		if (handled !== undefined) return handled;
		state = close?.(state) ?? state;
	}
	return update(state);
}

/** Scrolls the help, or closes it with Esc. */
function reduceHelp(state: ReplState, key: KeyInput, {popup}: Seen): Update | undefined {
	if (!isHelp(popup) || key.type !== 'key') return undefined;
	const chord = chordOf(key);
	const command = findListCommand(chord);
	if (command !== undefined) return update({...state, popup}, {type: 'scroll', command});
	return chord === 'escape' ? update(state) : undefined;
}

function handleQuestion(state: ReplState, key: KeyInput, seen: Seen): Update | undefined {
	const {question} = state;
	if (question === undefined) return undefined;
	const command = commandOutside(key);
	return command === undefined
		? withQuestion(state, answerQuestion(question, key, state))
		: sequence(state, restartArmingIn, (next) => replCommands[command](next, seen));
}

const viKeys: Readonly<Record<string, string>> = {'ctrl+r': '\u0012', backspace: 'h', delete: 'x'};

/** Vi commands reaching beyond the text. */
const viCommands: Readonly<Record<string, ReplCommand>> = {
	j: 'move-down',
	k: 'move-up',
	v: 'edit-draft',
	'/': 'search-history',
};

/** Handles normal-mode keys, and those entering it. */
function reduceViKey(state: ReplState, key: KeyInput, seen: Seen): Update | undefined {
	const {editor} = state;
	if (!isVi(editor)) return undefined;
	const {mode, pending} = editor.vi;
	const chord = key.type === 'key' ? chordOf(key) : '';
	const left = {...state, editor: leaveInsert(editor)};
	if (chord === 'escape' && (mode === 'insert' || pending !== '')) return update(left);
	if (key.type === 'key' && key.alt && key.name.length === 1) {
		// Terminals send Esc and a key right after it like Alt with the key.
		return pressViKey(left, key.shift ? key.name.toUpperCase() : key.name, seen);
	}
	if (mode === 'insert' || key.type === 'paste') return undefined;
	const text = key.type === 'text' ? key.text : viKeys[chord];
	return text === undefined
		? undefined
		: sequenceEach(state, [...text], (next, character) => pressViKey(next, character, seen));
}

/** Keys arriving in one batch answer nothing on the screen. */
const unseen: Seen = {popup: undefined, armedKey: undefined, menu: undefined, isSingle: false};

function pressViKey(state: ReplState, character: string, seen: Seen): Update {
	const {editor} = state;
	// A command may have begun an insertion, or a search.
	if (!isVi(editor) || editor.vi.mode === 'insert' || state.search !== undefined) {
		return handleKey(state, {type: 'text', text: character}, unseen);
	}
	const command = editor.vi.pending === '' ? viCommands[character] : undefined;
	return command === undefined
		? update({...state, editor: pressVi(editor, character)})
		: replCommands[command](state, seen);
}

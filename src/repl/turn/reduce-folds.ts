/**
 * Opens, closes and scrolls folds: the running turn's reasoning, or between turns the last turn's
 * reasoning and tool calls.
 */
import {reasoningOf, type Turn} from '../../chat/conversation.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {type Update, update} from '../action.ts';
import {isEmpty} from '../editor/buffer.ts';
import {commandIn, foldBindings, type ListCommand} from '../keys/key-bindings.ts';
import {findListCommand} from '../list/list.ts';
import {showNotice} from '../popup.ts';
import type {PlainEntry, ReplState} from '../state.ts';
import {nextPaneChoice} from './live-turn.ts';
import {callsIn, numbersOf} from './shown-turns.ts';
import {toolEntry} from './turn-entries.ts';

export type FoldedPart =
	| {readonly type: 'reasoning'; readonly turn: Turn}
	| Extract<PlainEntry, {type: 'tool'}>;

/** Returns the last turn's folds, in screen order. */
export function foldsOf({
	conversation,
	shown,
}: Pick<ReplState, 'conversation' | 'shown'>): readonly FoldedPart[] {
	const turn = conversation.turns.at(-1);
	if (turn === undefined) return [];
	const {callsAbove} = numbersOf(shown, turn);
	const calls = callsIn(turn.messages).map(({call, result}, index) =>
		toolEntry(call, result, callsAbove + index + 1),
	);
	return reasoningOf(turn) === '' ? calls : [{type: 'reasoning', turn}, ...calls];
}

/** Opens the next fold; after the last one, closes it. */
export function openNextFold(state: ReplState): Update {
	const {turn, openFold = -1} = state;
	if (turn !== undefined) {
		return update({...state, turn: {...turn, paneChoice: nextPaneChoice(state)}});
	}
	const {length} = foldsOf(state);
	if (length === 0) return showNotice(state, 'no reasoning or tool call to show');
	const next = openFold + 1;
	return update({...state, openFold: next < length ? next : undefined});
}

/** Reduces an open fold's keys between turns. A draft gets all keys but Esc and the page keys. */
export function reduceFoldKey(state: ReplState, key: KeyInput): Update | undefined {
	const {openFold, turn, editor} = state;
	if (openFold === undefined || turn !== undefined || key.type !== 'key') return undefined;
	const chord = chordOf(key);
	if (commandIn(foldBindings, chord) !== undefined) return update({...state, openFold: undefined});
	const command = findListCommand(chord);
	const isForDraft = !isEmpty(editor.buffer) && !isOfPages(command);
	return command === undefined || isForDraft ? undefined : update(state, {type: 'scroll', command});
}

function isOfPages(command: ListCommand | undefined): boolean {
	return command === 'page-above' || command === 'page-below';
}

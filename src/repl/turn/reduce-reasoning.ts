/** Opens, closes and scrolls the reasoning: of the turn under way, or between turns of the last one. */
import {reasoningOf} from '../../chat/conversation.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {type Update, update} from '../action.ts';
import {isEmpty} from '../editor/buffer.ts';
import {commandIn, reasoningBindings} from '../keys/key-bindings.ts';
import {findListCommand} from '../list/list.ts';
import {showNotice} from '../popup.ts';
import type {ReplState} from '../state.ts';
import {nextPaneChoice} from './live-turn.ts';

export function toggleReasoning(state: ReplState): Update {
	const {turn, conversation, isReasoningOpen} = state;
	if (turn !== undefined) {
		return update({...state, turn: {...turn, paneChoice: nextPaneChoice(state)}});
	}
	const last = conversation.turns.at(-1);
	if (!isReasoningOpen && (last === undefined || reasoningOf(last) === '')) {
		return showNotice(state, 'no reasoning to show');
	}
	return update({...state, isReasoningOpen: !isReasoningOpen});
}

/** Reduces the keys of the reasoning between turns, unless something is being written. */
export function reduceReasoningKey(state: ReplState, key: KeyInput): Update | undefined {
	const {isReasoningOpen, turn, editor} = state;
	if (!isReasoningOpen || turn !== undefined || !isEmpty(editor.buffer)) return undefined;
	const command = key.type === 'key' ? findListCommand(chordOf(key)) : undefined;
	if (command !== undefined) return update(state, {type: 'scroll-reasoning', command});
	return closes(key) ? update({...state, isReasoningOpen: false}) : undefined;
}

function closes(key: KeyInput): boolean {
	const isOne = key.type === 'text' && key.text.length === 1;
	const chord = key.type === 'key' ? chordOf(key) : isOne ? key.text : '';
	return commandIn(reasoningBindings, chord) !== undefined;
}

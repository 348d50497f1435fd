/** Changes the REPL's conversation, and reports each change to listeners. */
import {applyChange, type ConversationChange} from '../../chat/conversation.ts';
import {type Update, update} from '../action.ts';
import type {ReplState} from '../state.ts';

/** Changes the conversation, and reports the change. */
export function changeConversation(state: ReplState, change: ConversationChange): Update {
	const conversation = applyChange(state.conversation, change);
	return update({...state, conversation}, {type: 'conversation-changed', change});
}

/** Switches to another conversation, in which no turn is private yet. */
export function switchConversation(
	state: ReplState,
	change: Extract<ConversationChange, {type: 'turns-cleared' | 'replaced'}>,
): Update {
	const {state: next, effects} = changeConversation(state, change);
	const privateFrom = state.privateFrom && next.conversation;
	return update({...next, privateFrom, origins: new Map()}, ...effects);
}

/** @param at the turn after which the conversation continues; null is its start */
export function moveHead(state: ReplState, at: string | null): Update {
	return changeConversation({...state, openFold: undefined}, {type: 'head-moved', at});
}

/** Conversations for tests. */
import {
	beginTurn,
	type Conversation,
	createConversation,
	type OpenConversation,
	reduceConversation,
} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';

/** Returns a conversation with a turn under way. */
export function openConversation(text: string, before = createConversation()): OpenConversation {
	const id = `turn-${before.turns.length + 1}`;
	const prompt = {text, attachments: []};
	return beginTurn(before, {id, prompt, model: 'm', startedAt: 0}, 0);
}

/** Returns the conversation after some events. */
export function reduceAll(conversation: Conversation, events: readonly ChatEvent[]): Conversation {
	return events.reduce((current, event) => reduceConversation(current, event, 0), conversation);
}

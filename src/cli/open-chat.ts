/** How a turn is run here, the same way for a single answer and for a session. */
import type {Conversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import {runTurn} from '../chat/turn.ts';
import {createStreamChat, type ServiceConnection} from '../protocol/stream-chat.ts';

/** The events of one turn. The conversation ends with the prompt. */
export type RunTurn = (
	conversation: Conversation,
	options: ChatOptions,
	signal: AbortSignal,
) => AsyncGenerator<ChatEventBatch, void, undefined>;

export function openChat(connection: ServiceConnection): RunTurn {
	const streamChat = createStreamChat(connection);
	return (conversation, options, signal) => runTurn({conversation, options, streamChat, signal});
}

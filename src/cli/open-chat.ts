/** One answer: the prompt of a run, its service and its options as the events of one turn. */
import {addPrompt, emptyConversation, withSystem} from '../chat/conversation.ts';
import type {ChatEventBatch, Notice} from '../chat/event.ts';
import type {ChatOptions, UserMessage} from '../chat/message.ts';
import {runTurn} from '../chat/turn.ts';
import {createStreamChat, type ServiceConnection} from '../protocol/stream-chat.ts';

export type Chat = {
	readonly connection: ServiceConnection;
	readonly options: ChatOptions;
	/** Empty: no system message. */
	readonly system: string;
	readonly message: UserMessage;
	/** What is to be told before the request. */
	readonly notices: readonly Notice[];
	readonly signal: AbortSignal;
};

/** The events of the turn, the given notices first. */
export async function* openChat(chat: Chat): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {connection, options, system, message, notices, signal} = chat;
	if (notices.length > 0) yield notices.map((notice) => ({type: 'notice', notice}) as const);
	yield* runTurn({
		conversation: addPrompt(withSystem(emptyConversation, system), message),
		options,
		streamChat: createStreamChat(connection),
		signal,
	});
}

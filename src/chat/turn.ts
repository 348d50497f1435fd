/**
 * One turn: from a conversation that ends in a prompt to the end of its answer.
 *
 * Invariant: below this function a failure is an exception, above it a failure is the last event.
 */
import {toChatError} from '../errors.ts';
import type {Conversation} from './conversation.ts';
import type {ChatEventBatch, StreamChat} from './event.ts';
import type {ChatOptions} from './message.ts';

export type Turn = {
	/** Ends with the user message to be answered. */
	readonly conversation: Conversation;
	readonly options: ChatOptions;
	readonly streamChat: StreamChat;
	/** Its reason is the `ChatError` of kind `interrupted` that the turn then ends with. */
	readonly signal: AbortSignal;
};

/** Yields the events of the turn, by the grammar of `ChatEvent`. Never throws. */
export async function* runTurn(turn: Turn): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {conversation, options, streamChat, signal} = turn;
	try {
		yield* streamChat({messages: conversation.messages, options}, signal);
		yield [{type: 'turn-end'}];
	} catch (error) {
		yield [{type: 'error', error: toChatError(signal.aborted ? signal.reason : error)}];
	}
}

/** A client's contract: one request to a service, and the reply's events. */
import type {ChatEventBatch} from './event.ts';
import type {ChatOptions, Message, ToolDefinition} from './message.ts';

/**
 * Sends one request and yields one step's events, `step-start` to `step-end`, with notices before
 * and between. Leaving the loop early cancels the request.
 *
 * @throws {ChatError} for every failure, also after deltas; earlier events stay valid
 */
export type StreamChat = (
	request: StepRequest,
	signal: AbortSignal,
) => AsyncGenerator<ChatEventBatch, void, undefined>;

export type StepRequest = {
	readonly messages: readonly Message[];
	readonly options: StepOptions;
};

export type StepOptions = ChatOptions & {
	readonly tools?: readonly ToolDefinition[] | undefined;
};

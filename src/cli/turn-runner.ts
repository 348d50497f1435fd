/** How a turn is run here, the same way for a single answer and for a session. */
import {createApprovals} from '../chat/approvals.ts';
import type {Conversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {Approve} from '../chat/tool.ts';
import {type AnswerCheck, runTurn} from '../chat/turn.ts';
import {createStreamChat, type ServiceConnection} from '../protocol/stream-chat.ts';
import type {RunContext} from './run-context.ts';

/** The events of one turn. The conversation ends with the prompt. */
export type TurnRunner = (
	conversation: Conversation,
	options: ChatOptions,
	signal: AbortSignal,
	ask: Approve,
) => AsyncGenerator<ChatEventBatch, void, undefined>;

/** What becomes of the answers. */
export type ChatReader = Pick<ServiceConnection, 'gatherMs' | 'readKey'> & {
	readonly answerCheck?: AnswerCheck | undefined;
};

/**
 * What the service refuses and what the user approves is remembered for as long as the returned
 * function lives.
 */
export function createTurnRunner(
	{service, settings, tools}: Pick<RunContext, 'service' | 'settings' | 'tools'>,
	{answerCheck, gatherMs, readKey}: ChatReader,
): TurnRunner {
	const streamChat = createStreamChat({...service.connection, gatherMs, readKey});
	const approvals = createApprovals(settings.allowTool);
	return (conversation, options, signal, ask) =>
		runTurn({
			conversation,
			options,
			streamChat,
			tools,
			approve: approvals(ask),
			answerCheck,
			signal,
		});
}

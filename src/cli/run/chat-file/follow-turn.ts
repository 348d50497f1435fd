/** Follows a turn whose answer goes into a file. */
import {
	type Conversation,
	type OpenConversation,
	reduceConversation,
	type Turn,
} from '../../../chat/conversation.ts';
import type {ChatEventBatch} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {AnswerSaving} from '../saving/save-conversation.ts';

export type FollowedTurn = AnswerSaving & {
	/** Returns the turn once it has ended; undefined if nothing arrived. */
	readonly ended: () => Turn | undefined;
};

export function followTurn(
	started: OpenConversation,
	{now}: Pick<Environment, 'now'>,
): FollowedTurn {
	let conversation: Conversation = started;
	const advance = (batch: ChatEventBatch) => {
		const time = now();
		for (const event of batch) conversation = reduceConversation(conversation, event, time);
	};
	return {
		savedId: () => null,
		listener: {
			hear(batch) {
				advance(batch);
				return [];
			},
			end() {
				// The output's reader may be gone before the answer is complete.
				if (conversation.open === undefined) return;
				advance([{type: 'error', error: new ChatError('interrupted', 'abandoned')}]);
			},
		},
		ended: () => conversation.turns.find(({id}) => id === started.open.id),
	};
}

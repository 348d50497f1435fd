/** A conversation on its way to a file for people or other programs. */
import type {Conversation, Turn} from '../../chat/conversation.ts';

export type ExportedSession = {
	/** Undefined unless saved. */
	readonly id: string | undefined;
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly created: number;
	readonly model: string;
	readonly conversation: Conversation;
};

/** Leaves out the reasoning and its service data. */
export function withoutReasoning(conversation: Conversation): Conversation {
	return mapAnswers(conversation, (messages) =>
		messages.map((answer) =>
			answer.role === 'tool'
				? answer
				: {...answer, parts: answer.parts.filter(({type}) => type !== 'reasoning')},
		),
	);
}

/** Changes each turn's messages, on every branch. */
export function mapAnswers(
	conversation: Conversation,
	change: (messages: Turn['messages']) => Turn['messages'],
): Conversation {
	const mapTurn = (turn: Turn) => ({...turn, messages: change(turn.messages)});
	return {
		...conversation,
		turns: conversation.turns.map(mapTurn),
		otherTurns: conversation.otherTurns.map((node) => ({...node, turn: mapTurn(node.turn)})),
	};
}

/** A conversation on its way to a file for people or other programs. */
import {type Compaction, placeCompactions} from '../../chat/compaction.ts';
import type {Conversation, Turn} from '../../chat/conversation.ts';
import {nameTurns} from '../../wording.ts';

export type ExportedSession = {
	/** Undefined unless saved. */
	readonly id: string | undefined;
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly created: number;
	readonly model: string;
	readonly conversation: Conversation;
};

export type ExportedCompaction = {
	readonly compaction: Compaction;
	/** `Summary (turns 1–14)` */
	readonly heading: string;
};

/** Returns the compactions shown below a turn of the branch. */
export function compactionsAfter(
	turn: Turn,
	{turns, compactions}: Conversation,
): readonly ExportedCompaction[] {
	const ids = new Set(turns.map(({id}) => id));
	const end = turns.at(-1)?.id;
	return placeCompactions(turns, compactions).flatMap(({compaction, first, last}) => {
		const place = ids.has(compaction.parent) ? compaction.parent : end;
		const range = nameTurns({first: first + 1, last: last + 1});
		return place === turn.id ? [{compaction, heading: `Summary (${range})`}] : [];
	});
}

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

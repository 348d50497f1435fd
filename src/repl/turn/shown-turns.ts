/**
 * The turns that the scrollback shows, in the order in which they came. The numbers beside their
 * reasoning, their code blocks and their tool calls stay true: undoing a turn or opening another conversation takes no
 * turn away, and one that is shown again keeps its numbers.
 */
import {
	type AnswerMessage,
	type Conversation,
	hasAnswer,
	type Turn,
	turnsSoFar,
} from '../../chat/conversation.ts';
import type {AssistantMessage, ToolCall} from '../../chat/message.ts';
import type {ToolOutput} from '../../chat/tool.ts';
import {type CodeBlock, findCodeBlocks} from '../../terminal/markdown/stream/code-blocks.ts';

export type ShownTurn = {
	readonly turn: Turn;
	/** The code blocks of its answer. */
	readonly codeBlocks: readonly CodeBlock[];
	readonly calls: readonly ShownCall[];
};

/** A tool call; without a result if nothing here ran it, or it still runs. */
export type ShownCall = {readonly call: ToolCall; readonly result: ToolOutput | undefined};

/** The numbers of a turn in the scrollback. */
export type TurnNumbers = {
	/** The number of the turn, from 1. */
	readonly number: number;
	/** The code blocks of the turns above it. */
	readonly codeBlocksAbove: number;
	/** The tool calls of the turns above it. */
	readonly callsAbove: number;
};

const maxPast = 2;

/** Returns the turns of a continued conversation that are shown: the last ones with an answer. */
export function pastTurns({turns}: Conversation): readonly Turn[] {
	return turns.filter(hasAnswer).slice(-maxPast);
}

/** Adds those turns that are not shown yet. */
export function showTurns(
	shown: readonly ShownTurn[],
	turns: readonly Turn[],
): readonly ShownTurn[] {
	const added = turns.filter((turn) => shown.every((known) => known.turn !== turn));
	if (added.length === 0) return shown;
	return [
		...shown,
		...added.map((turn) => ({
			turn,
			codeBlocks: answerTexts(turn).flatMap(findCodeBlocks),
			calls: callsIn(turn.messages),
		})),
	];
}

/** Returns the shown turns, and the one under way. */
export function shownSoFar(
	shown: readonly ShownTurn[],
	conversation: Conversation,
	now: number,
): readonly ShownTurn[] {
	return showTurns(shown, turnsSoFar(conversation, now).slice(conversation.turns.length));
}

/** Returns the numbers of a turn, or those that the next turn gets. */
export function numbersOf(shown: readonly ShownTurn[], turn?: Turn): TurnNumbers {
	const index = shown.findIndex((known) => known.turn === turn);
	const above = index === -1 ? shown : shown.slice(0, index);
	return {
		number: above.length + 1,
		codeBlocksAbove: codeBlocksOf(above).length,
		callsAbove: callsOf(above).length,
	};
}

export function callsOf(shown: readonly ShownTurn[]): readonly ShownCall[] {
	return shown.flatMap(({calls}) => calls);
}

/** Returns the calls of a turn in their order. Their ids are unique in a step only. */
export function callsIn(messages: readonly AnswerMessage[]): readonly ShownCall[] {
	return messages.flatMap((message, index) => {
		if (message.role === 'tool') return [];
		const rest = messages.slice(index + 1);
		const next = rest.findIndex(({role}) => role === 'assistant');
		const results = next === -1 ? rest : rest.slice(0, next);
		return message.parts.flatMap((part) => {
			if (part.type !== 'tool-call') return [];
			const {call} = part;
			const result = results.find((each) => each.role === 'tool' && each.callId === call.callId);
			return [{call, result: result?.role === 'tool' ? result : undefined}];
		});
	});
}

export function codeBlocksOf(shown: readonly ShownTurn[]): readonly CodeBlock[] {
	return shown.flatMap(({codeBlocks}) => codeBlocks);
}

/** Returns the text as a live view shows it: refusals are part of it. */
export function answerText({parts}: AssistantMessage): string {
	return parts
		.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
		.join('');
}

/** Returns the texts of an answer, between which tools were called. */
export function answerTexts({messages}: Turn): readonly string[] {
	return messages
		.map((message) => (message.role === 'assistant' ? answerText(message) : ''))
		.filter((text) => text !== '');
}

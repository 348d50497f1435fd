/**
 * The turns in the scrollback, in order. The numbers beside their reasoning, code blocks and tool
 * calls stay true: undoing a turn or opening another conversation removes no turn here, and one
 * shown again keeps its numbers.
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
	/** The answer's code blocks. */
	readonly codeBlocks: readonly CodeBlock[];
	readonly calls: readonly ShownCall[];
};

/** A tool call; without a result if nothing here ran it, or it still runs. */
export type ShownCall = {readonly call: ToolCall; readonly result: ToolOutput | undefined};

/** A turn's numbers in the scrollback. */
export type TurnNumbers = {
	/** The turn's number, from 1. */
	readonly number: number;
	/** The number of code blocks in the turns above. */
	readonly codeBlocksAbove: number;
	/** The number of tool calls in the turns above. */
	readonly callsAbove: number;
};

const maxPast = 2;

/** Returns a continued conversation's shown turns: the last answered ones. */
export function pastTurns({turns}: Conversation): readonly Turn[] {
	return turns.filter(hasAnswer).slice(-maxPast);
}

/** Adds turns not shown yet. */
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

/** Returns a turn's numbers, or the next turn's. */
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

/** Returns a turn's calls in order. Their ids are unique only within a step. */
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

/** Returns the text as in a live view, including refusals. */
export function answerText({parts}: AssistantMessage): string {
	return parts
		.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
		.join('');
}

/** Returns an answer's texts, separated by tool calls. */
export function answerTexts({messages}: Turn): readonly string[] {
	return messages
		.map((message) => (message.role === 'assistant' ? answerText(message) : ''))
		.filter((text) => text !== '');
}

/** Returns the answer so far in a turn that starts with one; empty in a new turn. */
export function resumedText({open}: Conversation): string {
	const last = open?.messages.at(-1);
	return last?.role === 'assistant' ? answerText(last) : '';
}

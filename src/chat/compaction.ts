/** Compactions: what requests have in place of earlier turns, which stay in the conversation. */
import type {AssistantMessage, ToolMessage, UserMessage} from './message.ts';
import {joinPieces} from './prompt.ts';
import {outputText} from './tool-output.ts';

/** Counts on every branch having its turns. */
export type Compaction = {
	/** Unique within the conversation. */
	readonly id: string;
	/** The last turn when it was made. */
	readonly parent: string;
	/** The first and the last turn it covers. */
	readonly from: string;
	readonly to: string;
	/**
	 * `summary`: the text is sent in place of the turns; `omission`: nothing is; `results`: the turns
	 * are sent without large tool results.
	 */
	readonly kind: 'summary' | 'omission' | 'results';
	/** The summary; empty for other kinds. */
	readonly text: string;
};

/** A compaction and the positions of its turns in a branch, both included. */
export type PlacedCompaction = {
	readonly compaction: Compaction;
	readonly first: number;
	readonly last: number;
};

/** Returns the compactions counting for a branch. */
export function placeCompactions(
	turns: ReadonlyArray<{readonly id: string}>,
	compactions: readonly Compaction[] = [],
): readonly PlacedCompaction[] {
	if (compactions.length === 0) return [];
	const places = new Map(turns.map(({id}, index) => [id, index]));
	return compactions.flatMap((compaction) => {
		const first = places.get(compaction.from);
		const last = places.get(compaction.to);
		return first === undefined || last === undefined || first > last
			? []
			: [{compaction, first, last}];
	});
}

export type SentTurn<Turn> = {
	readonly turn: Turn;
	/** Texts for the turns before it, in order. */
	readonly summaries: readonly string[];
	readonly hasLargeResults: boolean;
};

/**
 * Returns a branch's turns as they are sent, and the summaries for the next prompt.
 *
 * @param isSent whether a turn is sent without compactions
 */
export function compactTurns<Turn extends {readonly id: string}>(
	turns: readonly Turn[],
	compactions: readonly Compaction[] | undefined,
	isSent: (turn: Turn) => boolean,
): {readonly sent: ReadonlyArray<SentTurn<Turn>>; readonly summaries: readonly string[]} {
	const placed = placeCompactions(turns, compactions);
	const sent: Array<SentTurn<Turn>> = [];
	let summaries: string[] = [];
	for (const [index, turn] of turns.entries()) {
		const own = placed.filter(({first, last}) => first <= index && index <= last);
		const isReplaced = own.some(({compaction}) => compaction.kind !== 'results');
		if (!isReplaced && isSent(turn)) {
			sent.push({turn, summaries, hasLargeResults: own.length === 0});
			summaries = [];
		}
		for (const {compaction, last} of own) {
			if (compaction.kind === 'summary' && last === index) summaries.push(compaction.text);
		}
	}
	return {sent, summaries};
}

const summaryTitle = 'Summary of the conversation so far:';

/** Puts summaries before a prompt: some services refuse two user messages in a row. */
export function withSummaries(message: UserMessage, summaries: readonly string[]): UserMessage {
	if (summaries.length === 0) return message;
	const [first, ...others] = message.parts;
	const text = first?.type === 'text' ? first.text : '';
	const rest = first?.type === 'text' ? others : message.parts;
	const whole = joinPieces([summaryTitle, ...summaries, text]);
	return {...message, parts: [{type: 'text', text: whole}, ...rest]};
}

/** Larger tool results can be left out, in UTF-16 units. */
export const maxKeptResult = 8192;

/** Replaces the content of large results by their sizes and the tools' names. */
export function leaveOutResults<Answer extends AssistantMessage | ToolMessage>(
	messages: readonly Answer[],
): ReadonlyArray<Answer | ToolMessage> {
	const names = new Map<string, string>();
	return messages.map((message) => {
		if (message.role === 'assistant') {
			for (const part of message.parts) {
				if (part.type === 'tool-call') names.set(part.call.callId, part.call.name);
			}
			return message;
		}
		const {length} = outputText(message);
		if (length <= maxKeptResult) return message;
		const name = names.get(message.callId) ?? 'a tool';
		const text = `[output left out: ${Math.round(length / 1024)} KiB, ${name}]`;
		return {...message, parts: [{type: 'text', text}]};
	});
}

/** Chooses the turns that a compaction covers. The last ones stay, whole: calls keep their results. */
import {type Compaction, compactTurns, maxKeptResult} from '../chat/compaction.ts';
import {type Conversation, hasAnswer, type Turn} from '../chat/conversation.ts';
import {promptMessage} from '../chat/prompt.ts';
import {outputText} from '../chat/tool-output.ts';
import {estimateMessages} from './estimate-tokens.ts';

export type CompactionPlan = Pick<Compaction, 'parent' | 'from' | 'to'> & {
	/** The positions of its first and last turn in the branch, from 1. */
	readonly first: number;
	readonly last: number;
	/** Estimated tokens of its turns. */
	readonly tokens: number;
	/** The number of answered turns after it. */
	readonly kept: number;
};

/** Limits of the turns that stay: tokens, and a share of all turns that can be compacted. */
const most = {tokens: 20_000, share: 0.25};

/**
 * Returns the turns to replace by a summary; undefined if there is only one.
 *
 * @param ratio tokens as counted by the service in relation to the estimate
 */
export function planSummary(conversation: Conversation, ratio = 1): CompactionPlan | undefined {
	const sized = sizeTurns(conversation, ratio);
	const room = Math.min(most.tokens, sumOf(sized) * most.share);
	let count = sized.length - 1;
	let kept = sized[count]?.tokens ?? 0;
	while (count > 1) {
		kept += sized[count - 1]?.tokens ?? 0;
		if (kept > room) break;
		count -= 1;
	}
	return planFirst(conversation, sized, count);
}

/** Returns the oldest turns whose omission frees the tokens; undefined if all turns do not. */
export function planOmission(
	conversation: Conversation,
	tokens: number,
	ratio = 1,
): CompactionPlan | undefined {
	const sized = sizeTurns(conversation, ratio);
	let freed = 0;
	let count = 0;
	while (freed < tokens && count < sized.length) {
		freed += sized[count]?.tokens ?? 0;
		count += 1;
	}
	return freed < tokens ? undefined : planFirst(conversation, sized, count);
}

/** The number of last turns that keep their tool results. */
const freshTurns = 4;

export type ResultsPlan = Pick<Compaction, 'parent' | 'from' | 'to'> & {
	/** The number of results left out, and their length in UTF-16 units. */
	readonly count: number;
	readonly length: number;
};

/** Returns the turns whose large tool results are left out; undefined without any. */
export function planResults(conversation: Conversation): ResultsPlan | undefined {
	const {turns, compactions} = conversation;
	const old = turns.slice(0, -freshTurns);
	const {sent} = compactTurns(old, compactions, hasAnswer);
	const lengths = sent.flatMap(({turn, hasLargeResults}) =>
		hasLargeResults ? turn.messages.flatMap(largeResult) : [],
	);
	const [from, to, parent] = [old.at(0)?.id, old.at(-1)?.id, turns.at(-1)?.id];
	if (lengths.length === 0 || !from || !to || !parent) return undefined;
	const length = lengths.reduce((sum, one) => sum + one, 0);
	return {parent, from, to, count: lengths.length, length};
}

function largeResult(message: Turn['messages'][number]): readonly number[] {
	if (message.role !== 'tool') return [];
	const {length} = outputText(message);
	return length > maxKeptResult ? [length] : [];
}

type SizedTurn = {readonly turn: Turn; readonly tokens: number};

/** Returns the turns that are sent, without compactions. */
function sizeTurns({turns, compactions}: Conversation, ratio: number): readonly SizedTurn[] {
	const {sent} = compactTurns(turns, compactions, hasAnswer);
	return sent.map(({turn}) => {
		const estimated = estimateMessages([promptMessage(turn.prompt), ...turn.messages]);
		return {turn, tokens: Math.round(estimated * ratio)};
	});
}

function planFirst(
	{turns}: Conversation,
	sized: readonly SizedTurn[],
	count: number,
): CompactionPlan | undefined {
	const [from, to, parent] = [sized[0]?.turn, sized[count - 1]?.turn, turns.at(-1)];
	if (from === undefined || to === undefined || parent === undefined) return undefined;
	return {
		...{parent: parent.id, from: from.id, to: to.id},
		first: turns.indexOf(from) + 1,
		last: turns.indexOf(to) + 1,
		tokens: sumOf(sized.slice(0, count)),
		kept: sized.length - count,
	};
}

function sumOf(sized: readonly SizedTurn[]): number {
	return sized.reduce((sum, {tokens}) => sum + tokens, 0);
}

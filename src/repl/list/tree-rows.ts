/** A conversation's turns as tree rows. */
import {placeCompactions} from '../../chat/compaction.ts';
import {type Conversation, type TreeTurn, type Turn, treeOf} from '../../chat/conversation.ts';

import {describeCompaction} from '../compact/describe-compaction.ts';

export type TreeRow = {
	readonly turn: Turn;
	/** The place in the branch, from 1. */
	readonly number: number;
	/** The number of branches between the turn and the main branch. */
	readonly indent: number;
	/** The connecting lines before the row: three cells per branch. */
	readonly lines: string;
	/** Whether it is sent with the next prompt. */
	readonly isOnPath: boolean;
	/** Whether the next prompt follows it. */
	readonly isHead: boolean;
	/** A compaction ending with the turn: `turns 1–14 as a summary`. */
	readonly compacted: string | undefined;
};

/** Deeper trees would leave the prompts no room. */
const maxLines = 24;

/** A branch about to be listed, from its first turn on. */
type Branch = {
	readonly first: Turn;
	readonly number: number;
	readonly indent: number;
	/** The lines of the enclosing branches. */
	readonly outer: string;
	readonly isLast: boolean;
};

/**
 * Returns the rows from top to bottom: the head's branch, or else the newest one, followed by the
 * branches leaving it, the last one first, each followed by its own.
 */
export function treeRows(conversation: Conversation): readonly TreeRow[] {
	const path = new Set(conversation.turns);
	const head = conversation.turns.at(-1);
	const children = new Map<string | null, TreeTurn[]>();
	for (const node of treeOf(conversation)) {
		const siblings = children.get(node.parent);
		if (siblings === undefined) children.set(node.parent, [node]);
		else siblings.push(node);
	}
	/** Returns the turns after another, first the one continuing its branch. */
	const after = (parent: string | null): readonly Turn[] => {
		const turns = (children.get(parent) ?? []).map(({turn}) => turn).sort(byStart);
		const main = turns.find((turn) => path.has(turn)) ?? turns.at(-1);
		return main === undefined ? [] : [main, ...turns.filter((turn) => turn !== main)];
	};
	const rows: TreeRow[] = [];
	const compacted = new Map(
		placeCompactions(conversation.turns, conversation.compactions).map((placed) => [
			conversation.turns[placed.last],
			describeCompaction(placed),
		]),
	);
	/** The branches to come, the next one last. */
	const waiting: Branch[] = [];
	const list = (
		{first, number: start, indent, outer, isLast}: Branch,
		siblings: readonly Turn[],
	) => {
		const inner = indent === 0 ? '' : extend(outer, isLast ? '   ' : '│  ');
		const forks = siblings.map((turn) => ({first: turn, number: start}));
		let lines = indent === 0 ? '' : extend(outer, isLast ? '╰─ ' : '├─ ');
		let turn: Turn | undefined = first;
		for (let number = start; turn !== undefined; number += 1) {
			const place = {number, indent, lines, isOnPath: path.has(turn), isHead: turn === head};
			rows.push({turn, ...place, compacted: compacted.get(turn)});
			const [next, ...others] = after(turn.id);
			// Keeps siblings in order, starting with the last turn's.
			for (const other of others.reverse()) forks.push({first: other, number: number + 1});
			turn = next;
			lines = inner;
		}
		forks.forEach((fork, index) => {
			waiting.push({...fork, indent: indent + 1, outer: inner, isLast: index === 0});
		});
	};
	const [main, ...others] = after(null);
	if (main === undefined) return [];
	list({first: main, number: 1, indent: 0, outer: '', isLast: true}, others.reverse());
	for (let branch = waiting.pop(); branch !== undefined; branch = waiting.pop()) list(branch, []);
	return rows;
}

function extend(outer: string, line: string): string {
	return (outer + line).slice(-maxLines);
}

/** Simultaneous turns keep their order when a conversation is saved and read again. */
function byStart(one: Turn, other: Turn): number {
	return one.times.startedAt - other.times.startedAt || (one.id < other.id ? -1 : 1);
}

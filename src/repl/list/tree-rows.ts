/** The turns of a conversation as the rows of a tree. */
import {type Conversation, type TreeTurn, type Turn, treeOf} from '../../chat/conversation.ts';

export type TreeRow = {
	readonly turn: Turn;
	/** The place in the branch, from 1. */
	readonly number: number;
	/** The number of branches between it and the main one. */
	readonly indent: number;
	/** Whether it is sent with the next prompt. */
	readonly isOnPath: boolean;
};

/**
 * Returns the rows from top to bottom. The branch of the head, or else the newest one, stays in its
 * column; the others come before it, indented.
 */
export function treeRows(conversation: Conversation): readonly TreeRow[] {
	const path = new Set(conversation.turns);
	const children = new Map<string | null, TreeTurn[]>();
	for (const node of treeOf(conversation)) {
		const siblings = children.get(node.parent);
		if (siblings === undefined) children.set(node.parent, [node]);
		else siblings.push(node);
	}
	const rows: TreeRow[] = [];
	/** The rows to come, the next one last. */
	const waiting: TreeRow[] = [];
	const expect = (parent: string | null, number: number, indent: number) => {
		const turns = (children.get(parent) ?? []).map(({turn}) => turn).sort(byStart);
		const main = turns.find((turn) => path.has(turn)) ?? turns.at(-1);
		const others = turns.filter((turn) => turn !== main).reverse();
		const row = (turn: Turn) => ({turn, number, isOnPath: path.has(turn)});
		if (main !== undefined) waiting.push({...row(main), indent});
		for (const turn of others) waiting.push({...row(turn), indent: indent + 1});
	};
	expect(null, 1, 0);
	for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
		rows.push(row);
		expect(row.turn.id, row.number + 1, row.indent);
	}
	return rows;
}

function byStart(one: Turn, other: Turn): number {
	return one.times.startedAt - other.times.startedAt;
}

/**
 * Puts blocks below each other as they become final: what stands between two blocks, and how a
 * list goes on whose first items are out already. Pure: a position goes in and a new one comes out.
 */
import type {Tokens} from 'marked';
import {type BlockOptions, endsLoose, firstNumber, renderBlock, renderItem} from './blocks.ts';
import type {Lexed} from './lexer.ts';
import type {Row} from './span.ts';
import type {BlockToken} from './tokens.ts';

export type Position = {
	/** Nothing is above. */
	readonly isTop: boolean;
	/** The list that the item above belongs to, if the next item may belong to it too. */
	readonly list: ListPosition | undefined;
};

type ListPosition = {
	/** Of the next item; `undefined` with bullets. */
	readonly number: number | undefined;
	/** Whether a blank line follows the last item. */
	readonly isLoose: boolean;
};

export type Placed = {readonly rows: readonly Row[]; readonly position: Position};

export const topPosition: Position = {isTop: true, list: undefined};
const belowBlock: Position = {isTop: false, list: undefined};

/** What keeps a block apart from the one above, before the block itself is known. */
export function placeGap({isTop}: Position): Placed {
	return {rows: isTop ? [] : [[]], position: belowBlock};
}

/** The rows of a whole block; without rows it takes no place. */
export function placeRows(rows: readonly Row[], position: Position): Placed {
	if (rows.length === 0) return {rows, position};
	return {rows: [...placeGap(position).rows, ...rows], position: belowBlock};
}

/** Some items of a list; others may follow. */
export function placeItems(
	list: Tokens.List,
	lexed: Lexed,
	position: Position,
	options: BlockOptions,
): Placed {
	let next = position;
	const rows = list.items.flatMap((item) => {
		const {isTop, list: above} = next;
		const number = above === undefined ? firstNumber(list) : above.number;
		const hasGap = above === undefined ? !isTop : above.isLoose;
		const following = number === undefined ? undefined : number + 1;
		next = {isTop: false, list: {number: following, isLoose: endsLoose(item)}};
		const itemRows = renderItem(item, number, lexed, options);
		return hasGap ? [[], ...itemRows] : itemRows;
	});
	return {rows, position: next};
}

/** Whole blocks; the first may be the rest of the list above. */
export function placeBlocks(
	blocks: readonly BlockToken[],
	lexed: Lexed,
	position: Position,
	options: BlockOptions,
): Placed {
	let next = position;
	const rows = blocks.flatMap((block) => {
		const placed =
			block.type === 'list'
				? placeItems(block, lexed, next, options)
				: placeRows(renderBlock(block, lexed, options), next);
		next = block.type === 'list' ? belowBlock : placed.position;
		return placed.rows;
	});
	return {rows, position: next};
}

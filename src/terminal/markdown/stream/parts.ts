/** The parts made from Markdown while it arrives. */
import type {Tokens} from 'marked';
import type {Fence} from './fence.ts';
import {type Definitions, type Lexed, lexInline} from './lexer.ts';
import type {BlockToken, InlineToken} from './tokens.ts';

export type Part =
	| {
			readonly type: 'block';
			readonly block: Exclude<BlockToken, Tokens.List>;
			readonly lexed: Lexed;
	  }
	/** List items; a list may come in several parts. */
	| {
			readonly type: 'items';
			readonly list: Tokens.List;
			readonly isFirst: boolean;
			readonly lexed: Lexed;
	  }
	/** Text from a long paragraph, which may come in several parts. */
	| {
			readonly type: 'text';
			readonly tokens: readonly InlineToken[];
			readonly isEnd: boolean;
	  }
	| {readonly type: 'open-code'; readonly fence: Fence}
	/** A code line without its newline, or a piece of a very long one. */
	| {readonly type: 'code'; readonly text: string; readonly isLineEnd: boolean}
	| {readonly type: 'close-code'; readonly isComplete: boolean};

/** A leading word keeps a paragraph's rest from being read as another block. */
export const leadWord = 'x';

/** The block in which a source begins. */
export type StartBlock = {
	/** Whether it is a long paragraph. */
	readonly isText: boolean;
	/** The next item's number, if it is a list. */
	readonly nextItem: number | undefined;
};

/** Returns a whole block's part; none for blank lines. */
export function partOf(
	block: BlockToken,
	lexed: Lexed,
	{isText, nextItem}: StartBlock,
	definitions: Definitions,
): Part | undefined {
	if (isText) return textPart(block.raw.slice(leadWord.length), true, definitions);
	if (block.type === 'space') return undefined;
	if (block.type !== 'list') return {type: 'block', block, lexed};
	const list = {...block, start: nextItem ?? Number(block.start)};
	return {type: 'items', list, isFirst: nextItem === undefined, lexed};
}

export function textPart(text: string, isEnd: boolean, definitions: Definitions): Part {
	const tokens = lexInline(isEnd ? text.trimEnd() : text, definitions);
	return {type: 'text', tokens, isEnd};
}

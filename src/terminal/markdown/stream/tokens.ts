/**
 * Tokens of `marked` as closed unions, for exhaustive `switch` checks. The library's own types are
 * open for extensions; the options in `lexer.ts` allow only these.
 */
import type {Token, Tokens} from 'marked';
import {showData} from './data-address.ts';
import {decodeEntities} from './entities.ts';

export type BlockToken =
	| Tokens.Space
	| Tokens.Code
	| Tokens.Heading
	| Tokens.Table
	| Tokens.Hr
	| Tokens.Blockquote
	| Tokens.List
	| Tokens.HTML
	| Tokens.Def
	| Tokens.Paragraph
	| TextBlock
	| Tokens.Checkbox;

/** An item's text without a blank line. */
type TextBlock = Tokens.Text & {readonly tokens: Token[]};

export type InlineToken =
	| Tokens.Text
	| Tokens.Strong
	| Tokens.Em
	| Tokens.Del
	| Tokens.Codespan
	| Tokens.Br
	| Tokens.Link
	| Tokens.Image
	| Tokens.Tag
	| Tokens.Escape
	| Tokens.Checkbox
	| MathToken;

type MathToken = {readonly type: 'math'; readonly raw: string; readonly text: string};

/**
 * Narrows tokens from a source, a quote or a list item. A formula on lines of its own is a
 * paragraph.
 */
export function asBlocks(tokens: readonly Token[]): readonly BlockToken[] {
	if (!tokens.some(needsChange)) return tokens as readonly BlockToken[];
	return tokens.map((token) => {
		const block = token as Exclude<BlockToken, TextBlock> | Tokens.Text | MathToken;
		if (block.type === 'math') return {...block, type: 'paragraph', tokens: [token]};
		if (block.type !== 'text') return block;
		const {tokens} = block;
		return tokens === undefined ? {...block, tokens: [token]} : (block as TextBlock);
	});
}

/** Rare, and the others need no copy. */
function needsChange(token: Token): boolean {
	return token.type === 'math' || (token.type === 'text' && !('tokens' in token));
}

/** Narrows the tokens in a block's text. */
export function asInlines(tokens: readonly Token[]): readonly InlineToken[] {
	return tokens as readonly InlineToken[];
}

/**
 * Returns a token's text without others, its entities decoded, and shortened data as their size.
 */
export function leafText(token: Tokens.Text | Tokens.Tag | Tokens.Escape | MathToken): string {
	return showData(token.type === 'text' ? decodeEntities(token.text) : token.text);
}

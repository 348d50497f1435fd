/**
 * The tokens of `marked` as closed unions. Its own types are open for extensions, which a `switch`
 * cannot be checked against; with the options in `lexer.ts` there are none but these.
 */
import type {Token, Tokens} from 'marked';

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
	| Tokens.Text
	| Tokens.Checkbox;

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

/** The tokens of a source, a quote or a list item. */
export function asBlocks(tokens: readonly Token[]): readonly BlockToken[] {
	return tokens as readonly BlockToken[];
}

/** The tokens of the text of a block. */
export function asInlines(tokens: readonly Token[]): readonly InlineToken[] {
	return tokens as readonly InlineToken[];
}

/** How much of the source these tokens are. */
export function sourceLength(tokens: ReadonlyArray<{readonly raw: string}>): number {
	return tokens.reduce((length, token) => length + token.raw.length, 0);
}

/** Splits Markdown into whole blocks: long paragraphs and fenced code too are one token each. */
import type {Fence} from './fence.ts';
import {alreadyLexed, type Lexed} from './lexer.ts';
import {type BlockSplitter, createBlockSplitter} from './split-blocks.ts';
import type {BlockToken, InlineToken} from './tokens.ts';

/**
 * @param make called with each block, or with list items, since a list may come in several parts
 */
export function splitWholeBlocks<Made>(
	make: (block: BlockToken, lexed: Lexed, isFirst: boolean) => readonly Made[],
): BlockSplitter<Made> {
	let tokens: InlineToken[] = [];
	let fence: Fence | undefined;
	let code = '';
	const endParagraph = () => {
		const block = {type: 'paragraph', raw: '', text: '', tokens} as const;
		tokens = [];
		return make(block, alreadyLexed, true);
	};
	return createBlockSplitter((part) => {
		switch (part.type) {
			case 'block':
				return make(part.block, part.lexed, true);
			case 'items':
				return make(part.list, part.lexed, part.isFirst);
			case 'text':
				for (const token of part.tokens) tokens.push(token);
				return part.isEnd ? endParagraph() : [];
			case 'open-code':
				fence = part.fence;
				code = '';
				return [];
			case 'code':
				code += part.isLineEnd ? `${part.text}\n` : part.text;
				return [];
			case 'close-code':
				return make(codeToken(fence, code, part.isComplete), alreadyLexed, true);
			default:
				return part satisfies never;
		}
	});
}

function codeToken(fence: Fence | undefined, code: string, isComplete: boolean): BlockToken {
	const {marks = '', info = ''} = fence ?? {};
	const text = code.replace(/\n$/, '');
	return {type: 'code', raw: `${marks}${info}\n${text}\n${isComplete ? marks : ''}`, text};
}

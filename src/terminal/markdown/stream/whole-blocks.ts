/** Splits Markdown into whole blocks: long paragraphs and fenced code too are one token each. */
import {dropIndent, type Fence} from './fence.ts';
import {alreadyLexed, type Lexed} from './lexer.ts';
import {type BlockSplitter, createBlockSplitter} from './split-blocks.ts';
import type {BlockToken, InlineToken} from './tokens.ts';

/** @param emit called with each block, or with items of a list, which may come in several parts */
export function splitWholeBlocks(
	emit: (block: BlockToken, lexed: Lexed, isFirst: boolean) => void,
): BlockSplitter {
	let tokens: InlineToken[] = [];
	let fence: Fence | undefined;
	let code = '';
	return createBlockSplitter((part) => {
		switch (part.type) {
			case 'block':
				return emit(part.block, part.lexed, true);
			case 'items':
				return emit(part.list, part.lexed, part.isFirst);
			case 'text':
				tokens.push(...part.tokens);
				if (!part.isEnd) return undefined;
				emit({type: 'paragraph', raw: '', text: '', tokens}, alreadyLexed, true);
				tokens = [];
				return undefined;
			case 'open-code':
				fence = part.fence;
				code = '';
				return undefined;
			case 'code':
				code += part.isLineEnd ? `${part.text}\n` : part.text;
				return undefined;
			case 'close-code':
				return emit(codeToken(fence, code, part.isComplete), alreadyLexed, true);
			default:
				return part satisfies never;
		}
	});
}

function codeToken(fence: Fence | undefined, code: string, isComplete: boolean): BlockToken {
	const {marks = '', info = '', indent = 0} = fence ?? {};
	const lines = code.replace(/\n$/, '').split('\n');
	const text = lines.map((line) => dropIndent(line, indent)).join('\n');
	return {type: 'code', raw: `${marks}${info}\n${text}\n${isComplete ? marks : ''}`, text};
}

/** Selects the part of a complete answer to print: all of it, its code, or its JSON. */
import {ChatError} from '../errors.ts';
import {findCodeBlocks} from './code-blocks.ts';

/** Which part of the answer goes to stdout. */
export type AnswerPart =
	| {readonly type: 'all'}
	/** The n-th code block, counted from 1, or every one. */
	| {readonly type: 'code'; readonly block: number | 'all'}
	/** All of it, but only if the turn succeeded, which includes the check of the JSON. */
	| {readonly type: 'json'};

/**
 * @throws {ChatError} `data` if the answer has no such part
 */
export function selectOutput(text: string, part: AnswerPart): string {
	switch (part.type) {
		case 'all':
		case 'json':
			return text;
		case 'code':
			return selectBlocks(findCodeBlocks(text), part.block);
		default:
			return part satisfies never;
	}
}

function selectBlocks(blocks: readonly string[], block: number | 'all'): string {
	if (blocks.length === 0) throw new ChatError('data', 'the answer has no code block');
	if (block === 'all') return blocks.join('\n\n');
	const selected = blocks[block - 1];
	if (selected !== undefined) return selected;
	const count = blocks.length === 1 ? 'one code block' : `${blocks.length} code blocks`;
	throw new ChatError('data', `the answer has only ${count}, not ${block}`);
}

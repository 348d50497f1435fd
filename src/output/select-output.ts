/** Selects the part of a complete answer to print: all of it, its code, or its JSON. */
import {type CheckAnswer, checkJsonObject} from '../chat/check-answer.ts';
import {ChatError} from '../errors.ts';
import {findCodeBlocks} from './code-blocks.ts';

/** Which part of the answer goes to stdout. */
export type AnswerPart =
	| {readonly type: 'all'}
	/** The n-th code block, counted from 1, or every one. */
	| {readonly type: 'code'; readonly block: number | 'all'}
	/** All of it if it passes the check; by default, it must be one JSON object. */
	| {readonly type: 'json'; readonly check?: CheckAnswer | undefined};

/**
 * @throws {ChatError} `data` if the answer has no such part
 */
export function selectOutput(text: string, part: AnswerPart): string {
	switch (part.type) {
		case 'all':
			return text;
		case 'code':
			return selectBlocks(findCodeBlocks(text), part.block);
		case 'json':
			return checkJson(text, part.check ?? checkJsonObject);
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

function checkJson(text: string, check: CheckAnswer): string {
	const problem = check(text);
	if (problem === undefined) return text;
	throw new ChatError('data', `the answer ${problem}`);
}

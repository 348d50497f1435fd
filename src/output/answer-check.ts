/** What is printed of a complete answer when not all of it is wanted: its code, or its JSON. */
import {ChatError} from '../errors.ts';
import {findCodeBlocks} from './code-blocks.ts';

/** Which part of the answer goes to stdout. */
export type AnswerPart =
	| {readonly type: 'all'}
	/** The n-th code block from 1, or every one. */
	| {readonly type: 'code'; readonly block: number | 'all'}
	/** All of it, if it is one JSON object. */
	| {readonly type: 'json'};

/**
 * The wanted part of the text.
 *
 * @throws {ChatError} `data` if the answer has no such part
 */
export function selectPart(text: string, part: AnswerPart): string {
	switch (part.type) {
		case 'all':
			return text;
		case 'code':
			return selectBlocks(findCodeBlocks(text), part.block);
		case 'json':
			return checkJson(text);
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

/** Nothing is repaired: what is no JSON object as it stands is not what was asked for. */
function checkJson(text: string): string {
	const value = parseJson(text);
	if (value === undefined) throw new ChatError('data', 'the answer is not valid JSON');
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new ChatError('data', 'the answer is JSON, but no object');
	}
	return text;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

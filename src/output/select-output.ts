/** Selects the part of a complete answer to print: all of it, its code, or its JSON. */
import {ChatError} from '../errors.ts';

/** Which part of the answer goes to stdout. */
export type AnswerPart =
	| {readonly type: 'all'}
	/** The n-th code block, counted from 1, the last one, or every one. */
	| {readonly type: 'code'; readonly block: number | 'last' | 'all'}
	/** All of it, but only if the turn succeeded, which includes the check of the JSON. */
	| {readonly type: 'json'};

/** Loaded for an answer with a fence only, because it takes the time of some 20 ms. */
const loadCodeBlocks = () => import('../terminal/markdown/stream/code-blocks.ts');
const fence = /```|~~~/;

/** Loads what finds code while the rest of the answer is on its way. */
export function expectCode(text: string, {type}: AnswerPart): void {
	// A failure is reported by `selectOutput`, which loads it again.
	if (type === 'code' && fence.test(text)) loadCodeBlocks().catch(() => undefined);
}

/** @throws {ChatError} `data` if the answer has no such part */
export async function selectOutput(text: string, part: AnswerPart): Promise<string> {
	if (part.type !== 'code') return text;
	const {block} = part;
	const find = fence.test(text) ? (await loadCodeBlocks()).findCodeBlocks : () => [];
	const blocks = find(text).map(({code}) => code);
	if (block === 'all' && blocks.length > 0) return blocks.join('\n\n');
	const selected = block === 'last' ? blocks.at(-1) : blocks[Number(block) - 1];
	if (selected !== undefined) return selected;
	throw new ChatError('data', describeMissingBlock(blocks.length, block));
}

function describeMissingBlock(count: number, wanted: number | 'last' | 'all'): string {
	if (count === 0) return 'the answer has no code block';
	const found = count === 1 ? 'one code block' : `${count} code blocks`;
	return `the answer has only ${found}, not ${wanted}`;
}

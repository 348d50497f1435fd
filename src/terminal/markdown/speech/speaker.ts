/** Speaks streaming Markdown: each block is returned as lines once it is whole. */
import {plural} from '../../../wording.ts';
import {type SafeText, stripUnsafe} from '../../safe-text.ts';
import {splitWholeBlocks} from '../stream/whole-blocks.ts';
import {codeBlock, kindOf, speakBlock} from './speak-blocks.ts';

export interface MarkdownSpeaker {
	/** Adds source and returns the lines of the blocks it completes. */
	push(delta: string): readonly SafeText[];
	/** Ends the source and returns the rest; another source may follow. */
	end(): readonly SafeText[];
	/** Returns the number of blocks so far: `2 paragraphs, 1 code block`. */
	countBlocks(): string;
}

/** @param codeBlocksAbove the code blocks of earlier answers, which its numbers follow */
export function speakMarkdown(source: string, codeBlocksAbove = 0): readonly SafeText[] {
	const speaker = createMarkdownSpeaker(codeBlocksAbove);
	return [...speaker.push(source), ...speaker.end()];
}

export function createMarkdownSpeaker(codeBlocksAbove = 0): MarkdownSpeaker {
	const counts = new Map<string, number>();
	const count = (kind: string) => {
		const number = (counts.get(kind) ?? 0) + 1;
		counts.set(kind, number);
		return kind === codeBlock ? codeBlocksAbove + number : number;
	};
	const {push, end} = splitWholeBlocks((block, lexed, isFirst) => {
		const kind = kindOf(block);
		if (kind !== undefined && isFirst) count(kind);
		return speakBlock(block, {lexed, count}, '').map(stripUnsafe);
	});
	return {
		push,
		end,
		countBlocks: () => [...counts].map(([kind, number]) => plural(number, kind)).join(', '),
	};
}

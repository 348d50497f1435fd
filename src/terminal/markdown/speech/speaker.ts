/**
 * Speaks streaming Markdown: each block is returned as lines once it is whole, and its source is lexed
 * only then.
 */
import {plural} from '../../../wording.ts';
import {createStreamSanitizer, type SafeText} from '../../safe-text.ts';
import {closesFence, type Fence, readFence} from '../stream/fence.ts';
import {createDefinitions, lexBlocks} from '../stream/lexer.ts';
import {limitColumns, limitNesting, maxBlockLength} from '../stream/limit-input.ts';
import {codeBlock, speakBlocks} from './speak-blocks.ts';

export interface MarkdownSpeaker {
	/** Adds source and returns the lines of the blocks that it completes. */
	push(delta: string): readonly SafeText[];
	/** Ends the source and returns the rest; another source may follow. */
	end(): readonly SafeText[];
	/** Returns the number of blocks so far: `2 paragraphs, 1 code block`. */
	countBlocks(): string;
}

const listMark = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]/;
const indentedCode = /^(?: {4}|\t)/;

/** @param codeBlocksAbove the code blocks of earlier answers, which its numbers follow */
export function speakMarkdown(source: string, codeBlocksAbove = 0): readonly SafeText[] {
	const speaker = createMarkdownSpeaker(codeBlocksAbove);
	return [...speaker.push(source), ...speaker.end()];
}

export function createMarkdownSpeaker(codeBlocksAbove = 0): MarkdownSpeaker {
	const sanitizer = createStreamSanitizer();
	const definitions = createDefinitions();
	const counts = new Map<string, number>();
	/** The whole lines of the open blocks, and the open line. */
	let pending = '';
	let partial = '';
	let fence: Fence | undefined;
	/** Whether the open blocks may go on after a blank line: a list, or code without a fence. */
	let isContinued = false;
	let isAfterBlank = false;

	const count = (kind: string) => {
		const number = (counts.get(kind) ?? 0) + 1;
		counts.set(kind, number);
		return kind === codeBlock ? codeBlocksAbove + number : number;
	};
	const speak = (): readonly SafeText[] => {
		const source = pending;
		pending = '';
		isContinued = false;
		isAfterBlank = false;
		return source.trim() === '' ? [] : speakBlocks(lexBlocks(source, definitions), count);
	};
	const addFenced = (line: string, open: Fence): readonly SafeText[] => {
		pending += `${line}\n`;
		if (!closesFence(line.trim(), open)) return [];
		fence = undefined;
		return isContinued ? [] : speak();
	};
	const addLine = (line: string): readonly SafeText[] => {
		if (fence !== undefined) return addFenced(line, fence);
		return line.trim() === '' ? addBlank() : addText(line);
	};
	const addBlank = (): readonly SafeText[] => {
		pending += '\n';
		isAfterBlank = true;
		return isContinued ? [] : speak();
	};
	const addText = (line: string): readonly SafeText[] => {
		const opened = isContinued || !indentedCode.test(line) ? readFence(line.trim()) : undefined;
		const goesOn = /^\s/.test(line) || listMark.test(line);
		const endsAbove = (isAfterBlank || opened !== undefined) && !goesOn;
		const isLong = pending.length + line.length > maxBlockLength;
		const lines = endsAbove || isLong ? speak() : [];
		isContinued ||= listMark.test(line) || (pending === '' && indentedCode.test(line));
		isAfterBlank = false;
		fence = opened;
		pending += `${limitColumns(limitNesting(line))}\n`;
		return lines;
	};
	const add = (text: string): readonly SafeText[] => {
		const lines: SafeText[] = [];
		let start = 0;
		for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
			lines.push(...addLine(partial + text.slice(start, end)));
			partial = '';
			start = end + 1;
		}
		partial += text.slice(start);
		while (fence === undefined && partial.length > maxBlockLength) {
			const end = partial.lastIndexOf(' ', maxBlockLength) + 1 || maxBlockLength;
			lines.push(...addLine(partial.slice(0, end)), ...speak());
			partial = partial.slice(end);
		}
		return lines;
	};

	return {
		push: (delta) => add(sanitizer.push(delta)),
		end() {
			const lines = [...add(sanitizer.end()), ...(partial === '' ? [] : add('\n')), ...speak()];
			fence = undefined;
			return lines;
		},
		countBlocks: () => [...counts].map(([kind, number]) => plural(number, kind)).join(', '),
	};
}

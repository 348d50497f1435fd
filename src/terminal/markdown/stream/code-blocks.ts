/**
 * Finds an answer's fenced code blocks, as they came. Numbered from 1 on as on the screen, the same
 * splitter finding them.
 */
import type {Tokens} from 'marked';
import {stripUnsafe} from '../../safe-text.ts';
import {closesFence, languageOf, readFence} from './fence.ts';
import {asBlocks, type BlockToken} from './tokens.ts';
import {splitWholeBlocks} from './whole-blocks.ts';

export type CodeBlock = {
	/** The first word after the fence in lower case, such as `py`; empty without one. */
	readonly language: string;
	/** The lines without the fences, and without a line end after the last one. */
	readonly code: string;
	/** Whether no more can follow. */
	readonly isClosed: boolean;
};

/** Returns all fenced blocks; an unclosed one extends to the text's end. */
export function findCodeBlocks(markdown: string): readonly CodeBlock[] {
	const source = createSource(markdown);
	/** Whether the text goes on, making the findings whole. */
	let goesOn = true;
	const splitter = splitWholeBlocks((block) => {
		return codeIn(block).flatMap(({raw, text}): readonly CodeBlock[] => {
			const fence = readFence(raw);
			if (fence === undefined) return [];
			const last = raw.trimEnd().split('\n').at(-1) ?? '';
			const isClosed = goesOn || closesFence(last, fence);
			return [{language: languageOf(fence), code: source.find(text, fence.marks), isClosed}];
		});
	});
	const blocks = splitter.push(markdown);
	goesOn = false;
	return [...blocks, ...splitter.end()];
}

/** Returns a block's code, in display order. */
function codeIn(block: BlockToken): readonly Tokens.Code[] {
	switch (block.type) {
		case 'code':
			return [block];
		case 'blockquote':
			return asBlocks(block.tokens).flatMap(codeIn);
		case 'list':
			return block.items.flatMap(({tokens}) => asBlocks(tokens).flatMap(codeIn));
		default:
			return [];
	}
}

/** Returns a finder of code in its source, where it still has its tabs and control characters. */
function createSource(markdown: string) {
	// Every second piece ends the line before it.
	const pieces = markdown.split(/(\r\n|[\n\r\u2028\u2029])/);
	let next = 0;

	/** Returns the source of these lines, if they are here. */
	const readAt = (place: number, lines: readonly string[]) => {
		let code = '';
		for (const [index, line] of lines.entries()) {
			const restored = restoreLine(pieces[place + 2 * index] ?? '', line);
			if (restored === undefined) return undefined;
			const lineEnd = pieces[place + 2 * index - 1] ?? '';
			const separator = /[\u2028\u2029]/.test(lineEnd) ? lineEnd : '\n';
			code += index === 0 ? restored : separator + restored;
		}
		return code;
	};
	return {
		/** @param text the next block's, as the lexer has it */
		find(text: string, marks: string): string {
			const lines = text.split('\n');
			for (let place = next; place + 2 * lines.length < pieces.length; place += 2) {
				if (pieces[place]?.includes(marks) !== true) continue;
				const code = readAt(place + 2, lines);
				if (code === undefined) continue;
				next = place + 2 + 2 * lines.length;
				return code;
			}
			return text;
		},
	};
}

/** Returns the part of a source line the lexer read as `shown`; undefined if it read none. */
function restoreLine(source: string, shown: string): string | undefined {
	const safe = stripUnsafe(source);
	const blanks = /^[ \t]*/.exec(shown)?.[0] ?? '';
	const text = shown.slice(blanks.length);
	if (!safe.endsWith(text)) return undefined;
	const end = safe.length - text.length;
	// The lexer turns tabs before a list item's text into spaces.
	for (let start = end; start === end || /[ \t]/.test(safe.charAt(start)); start -= 1) {
		const width = columnAt(safe, end) - columnAt(safe, start);
		if (width !== blanks.length && safe.slice(start, end) !== blanks) continue;
		return source.startsWith(safe.slice(0, start)) ? source.slice(start) : shown;
	}
	return shown;
}

const tabWidth = 4;

function columnAt(line: string, index: number): number {
	let column = 0;
	for (const character of line.slice(0, index)) {
		column += character === '\t' ? tabWidth - (column % tabWidth) : 1;
	}
	return column;
}

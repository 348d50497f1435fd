/** Selects the part of a complete answer to print: all of it, its code, or its JSON. */
import {ChatError} from '../errors.ts';

/** Which part of the answer goes to stdout. */
export type AnswerPart =
	| {readonly type: 'all'}
	/** The n-th code block, counted from 1, the last one, or every one. */
	| {readonly type: 'code'; readonly block: number | 'last' | 'all'}
	/** All of it, but only if the turn succeeded, which includes the check of the JSON. */
	| {readonly type: 'json'};

/** @throws {ChatError} `data` if the answer has no such part */
export function selectOutput(text: string, part: AnswerPart): string {
	if (part.type !== 'code') return text;
	const {block} = part;
	const blocks = findCodeBlocks(text);
	if (blocks.length === 0) throw new ChatError('data', 'the answer has no code block');
	if (block === 'all') return blocks.join('\n\n');
	const selected = block === 'last' ? blocks.at(-1) : blocks[block - 1];
	if (selected !== undefined) return selected;
	const count = blocks.length === 1 ? 'one code block' : `${blocks.length} code blocks`;
	throw new ChatError('data', `the answer has only ${count}, not ${block}`);
}

// Not with the `marked` lexer: it turns tabs in a list into spaces and overflows the stack on deep
// nesting.
const opening = /^([ \t]*)(`{3,}|~{3,})(.*)$/;

/**
 * Returns the contents of all fenced blocks, by the rules of CommonMark §4.5. A block inside a list
 * loses the list's indentation; one that is never closed extends to the end of the text.
 */
export function findCodeBlocks(markdown: string): readonly string[] {
	const blocks: string[] = [];
	let open: OpenBlock | undefined;
	for (const line of markdown.split(/\r\n|\n|\r/)) {
		if (open === undefined) {
			open = openBlock(line);
		} else if (isClosing(line, open)) {
			blocks.push(open.lines.join('\n'));
			open = undefined;
		} else {
			open.lines.push(dropIndent(line, open.indent));
		}
	}
	if (open !== undefined) blocks.push(open.lines.join('\n'));
	return blocks;
}

type OpenBlock = {readonly fence: string; readonly indent: number; readonly lines: string[]};

function openBlock(line: string): OpenBlock | undefined {
	// Fences may be inside list items and quotes.
	const [, indent = '', fence, info = ''] =
		opening.exec(line.replace(/^(\s*(?:>|[-*+]|\d+[.)])\s)+/, blank)) ?? [];
	// A backtick fence with a backtick in its info string is inline code.
	if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) return undefined;
	return {fence, indent: indent.length, lines: []};
}

function blank(markers: string): string {
	return ' '.repeat(markers.length);
}

function isClosing(line: string, {fence, indent}: OpenBlock): boolean {
	const text = line.replace(/^([ \t]*)>\s*/, '$1').trim();
	// Four more spaces make it a line of the block, such as an example of a fence.
	if (line.search(/[^ \t]/) >= indent + 4) return false;
	return text.length >= fence.length && text === fence.charAt(0).repeat(text.length);
}

function dropIndent(line: string, indent: number): string {
	let cut = 0;
	while (cut < indent && /[ \t>]/.test(line.charAt(cut))) cut++;
	return line.slice(cut);
}

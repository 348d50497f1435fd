/**
 * Finds the fenced code blocks of an answer, as they came. Their numbers, from 1 on, are those that a
 * screen shows beside them.
 */

export type CodeBlock = {
	/** The first word after the fence in lower case, such as `py`; empty without one. */
	readonly language: string;
	/** The lines without the fences, and without a line end after the last one. */
	readonly code: string;
	/** Whether the closing fence has come. */
	readonly isClosed: boolean;
};

// Not with the `marked` lexer: it turns tabs in a list into spaces and overflows the stack on deep
// nesting.
const opening = /^([ \t]*)(`{3,}|~{3,})(.*)$/;

/**
 * Returns all fenced blocks, by the rules of CommonMark §4.5. A block inside a list loses the list's
 * indentation; one that is never closed extends to the end of the text.
 */
export function findCodeBlocks(markdown: string): readonly CodeBlock[] {
	const blocks: CodeBlock[] = [];
	let open: OpenBlock | undefined;
	const close = ({language, lines}: OpenBlock, isClosed: boolean) => {
		blocks.push({language, code: lines.join('\n'), isClosed});
		open = undefined;
	};
	for (const line of markdown.split(/\r\n|\n|\r/)) {
		if (open === undefined) open = openBlock(line);
		else if (isClosing(line, open)) close(open, true);
		else open.lines.push(dropIndent(line, open.indent));
	}
	if (open !== undefined) close(open, false);
	return blocks;
}

/** Returns why there is no such block. */
export function describeMissingBlock(count: number, wanted: number | 'last' | 'all'): string {
	if (count === 0) return 'the answer has no code block';
	const found = count === 1 ? 'one code block' : `${count} code blocks`;
	return `the answer has only ${found}, not ${wanted}`;
}

/** Returns the language that the text after a fence names, in lower case; empty if none. */
export function languageOf(info: string): string {
	const [word = ''] = /^[\w+#.-]+/.exec(info.trim().replace(/^\{?\.?/, '')) ?? [];
	return word.toLowerCase();
}

type OpenBlock = Pick<CodeBlock, 'language'> & {
	readonly fence: string;
	readonly indent: number;
	readonly lines: string[];
};

function openBlock(line: string): OpenBlock | undefined {
	// Fences may be inside list items and quotes.
	const [, indent = '', fence, info = ''] =
		opening.exec(line.replace(/^(\s*(?:>|[-*+]|\d+[.)])\s)+/, blank)) ?? [];
	// A backtick fence with a backtick in its info string is inline code.
	if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) return undefined;
	return {fence, indent: indent.length, language: languageOf(info), lines: []};
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

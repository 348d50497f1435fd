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

/**
 * Returns all fenced blocks, by the rules of CommonMark §4.5. A block inside a list or a quote loses
 * their marks, and ends with them; one that is never closed extends to the end of the text.
 *
 * Not with the `marked` lexer: it turns tabs in a list into spaces and overflows the stack on deep nesting.
 */
export function findCodeBlocks(markdown: string): readonly CodeBlock[] {
	const blocks: CodeBlock[] = [];
	let containers: readonly Container[] = [];
	let open: OpenBlock | undefined;
	/** HTML goes on to a blank line, and fences in it are text. */
	let isHtml = false;
	const close = ({language, lines}: OpenBlock, isClosed: boolean) => {
		blocks.push({language, code: lines.join('\n'), isClosed});
		open = undefined;
	};
	for (const line of markdown.split(/\r\n|\n|\r/)) {
		const inside = enter(line, containers);
		if (open !== undefined && inside.depth === containers.length) {
			if (isClosing(inside.rest, open)) close(open, true);
			else open.lines.push(dropIndent(inside.rest, open.indent));
			continue;
		}
		if (open !== undefined) close(open, true);
		isHtml &&= inside.depth === containers.length && inside.rest.trim() !== '';
		if (isHtml) continue;
		const started = startContainers(inside.rest);
		containers = [...containers.slice(0, inside.depth), ...started.containers];
		isHtml = htmlStart.test(started.rest);
		open = openBlock(started.rest);
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

/** A quote, or an item of a list by the width of its mark. */
type Container = 'quote' | number;

/** A deeper line is text, as on the screen. */
const maxNesting = 16;

/** Enters the containers that the line is in, from the outermost on. */
function enter(line: string, containers: readonly Container[]) {
	let rest = line;
	let depth = 0;
	for (const container of containers) {
		const inner = container === 'quote' ? afterQuoteMark(rest) : afterIndent(rest, container);
		if (inner === undefined) break;
		rest = inner;
		depth += 1;
	}
	return {rest, depth};
}

function afterQuoteMark(text: string): string | undefined {
	const [mark] = /^ {0,3}> ?/.exec(text) ?? [];
	return mark === undefined ? undefined : text.slice(mark.length);
}

/** An empty line is in the item, however short it is. */
function afterIndent(text: string, width: number): string | undefined {
	if (text.trim() === '') return '';
	const isDeep = (text.startsWith('\t') ? tabWidth : text.search(/[^ ]/)) >= width;
	return isDeep ? dropIndent(text, width) : undefined;
}

const htmlStart =
	/^ {0,3}<\/?(?:article|aside|blockquote|body|center|d[dlt]|details|div|fig(?:caption|ure)|footer|form|h[1-6r]|head(?:er)?|html|li|main|nav|ol|p|section|summary|t(?:able|body|d|foot|h|head|r)|ul)(?:[\s/>]|$)/i;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const itemMark = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;

/** Enters the containers that start on a line. */
function startContainers(line: string) {
	const containers: Container[] = [];
	let rest = line;
	while (containers.length < maxNesting && !rule.test(rest)) {
		const quoted = afterQuoteMark(rest);
		const [mark] = itemMark.exec(rest) ?? [];
		if (quoted === undefined && mark === undefined) break;
		containers.push(quoted === undefined ? (mark ?? '').length : 'quote');
		rest = quoted ?? rest.slice((mark ?? '').length);
	}
	return {containers, rest};
}

type OpenBlock = Pick<CodeBlock, 'language'> & {
	readonly fence: string;
	readonly indent: number;
	readonly lines: string[];
};

function openBlock(text: string): OpenBlock | undefined {
	const [, spaces = '', fence, info = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
	// A backtick fence with a backtick in its info string is inline code.
	if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) return undefined;
	return {fence, indent: spaces.length, language: languageOf(info), lines: []};
}

function isClosing(text: string, {fence}: OpenBlock): boolean {
	const [, marks = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(text) ?? [];
	return marks.startsWith(fence);
}

const tabWidth = 4;

function dropIndent(line: string, indent: number): string {
	let cut = 0;
	while (cut < indent && /[ \t]/.test(line.charAt(cut))) cut++;
	return line.slice(cut);
}

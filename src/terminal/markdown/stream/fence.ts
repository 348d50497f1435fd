/** Code block fences, by CommonMark §4.5. */

export type Fence = {
	/** The backticks or tildes. */
	readonly marks: string;
	/** The text after them, which begins with the language. */
	readonly info: string;
	/** The spaces before them, also removed from each line. */
	readonly indent: number;
};

const openingFence = /^( {0,3})(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)/;

/** Reads the fence opened by a source's first line. */
export function readFence(source: string): Fence | undefined {
	const match = openingFence.exec(source);
	if (match === null) return undefined;
	const [, spaces = '', marks = '', info = ''] = match;
	return {marks, info: info.trim(), indent: spaces.length};
}

/** Whether a line, without its newline, closes the fence. */
export function closesFence(line: string, fence: Fence): boolean {
	const closing = /^ {0,3}(`+|~+) *$/.exec(line)?.[1];
	return closing?.startsWith(fence.marks) ?? false;
}

/** Returns the language named by a fence, in lower case; empty if none. */
export function languageOf({info}: Fence): string {
	const [word = ''] = /^[\w+#.-]+/.exec(info.replace(/^\{?\.?/, '')) ?? [];
	return word.toLowerCase();
}

/** Removes at most `indent` blanks from a code line's start. */
export function dropIndent(line: string, indent: number): string {
	const blanks = /^[ \t]*/.exec(line)?.[0].length ?? 0;
	return line.slice(Math.min(blanks, indent));
}

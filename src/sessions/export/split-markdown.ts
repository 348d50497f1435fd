/** Splits Markdown into front matter, sections and their parts. */
import {ChatError} from '../../errors.ts';
import {type JsonObject, parseJson, parseJsonObject} from '../../json.ts';
import {closesFence, readFence} from '../../terminal/markdown/stream/fence.ts';
import {
	definitionLine,
	detailsEndLine,
	detailsStart,
	headingLine,
	isBlank,
	isComment,
	isPartKind,
	type PartKind,
	partForms,
	splitComment,
} from './markdown-parts.ts';

export type MarkdownFile = {
	/** The rows of the front matter, and the title above the first section. */
	readonly front: ReadonlyMap<string, string>;
	readonly sections: readonly MarkdownSection[];
};

/** A message. */
export type MarkdownSection = {
	readonly role: string;
	/** The word in parentheses in its heading. */
	readonly note: string | undefined;
	/** The number of its line, counted from 1. */
	readonly line: number;
	readonly fields: JsonObject;
	readonly parts: readonly MarkdownPart[];
};

export type MarkdownPart = {
	readonly kind: PartKind;
	readonly line: number;
	/** The fields of the comment, and the address of a link from the end of the file. */
	readonly fields: JsonObject;
	/** The text below the comment, or in the fence. */
	readonly lines: readonly string[];
};

type OpenSection = Omit<MarkdownSection, 'fields' | 'parts'> & {
	fields: JsonObject;
	readonly parts: OpenPart[];
};

type OpenPart = MarkdownPart & {
	readonly lines: string[];
	/** Whether the lines that follow belong to it. */
	readonly isOpen: boolean;
};

export function describeMistake(line: number, problem: string): ChatError {
	return new ChatError('data', `line ${line}: ${problem}`);
}

/** @throws {ChatError} `data` for a line that cannot be where it is */
export function splitMarkdown(text: string): MarkdownFile {
	const lines = text
		.replace(/^\ufeff/, '')
		.replaceAll('\r\n', '\n')
		.split('\n');
	const {front, end} = readFrontMatter(lines);
	const addresses = new Map<number, string>();
	const sections: OpenSection[] = [];
	for (let index = end; index < lines.length; ) {
		const line = lines[index] ?? '';
		const [heading, role = '', note] = headingLine.exec(line) ?? [];
		const section = sections.at(-1);
		if (heading !== undefined) {
			index += 1;
			sections.push({role, note, line: index, fields: {}, parts: []});
		} else if (section === undefined) {
			index += 1;
			readPreamble(line, index, front);
		} else if (isComment(line)) {
			index = readPart(lines, index, section, addresses);
		} else {
			index += 1;
			addLine(section, line, index);
		}
	}
	const withAddress = (part: MarkdownPart): MarkdownPart => {
		const address = addresses.get(Number(part.fields['media']));
		return address === undefined ? part : {...part, fields: {address, ...part.fields}};
	};
	return {
		front,
		sections: sections.map((section) => ({...section, parts: section.parts.map(withAddress)})),
	};
}

/** Reads only what is on one line: `key: "JSON"` or `key: text`. */
function readFrontMatter(lines: readonly string[]): {
	readonly front: Map<string, string>;
	/** The line after it. */
	readonly end: number;
} {
	const front = new Map<string, string>();
	const end = lines[0]?.trimEnd() === '---' ? lines.indexOf('---', 1) : -1;
	for (const line of lines.slice(1, Math.max(end, 1))) {
		const [, key, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
		if (key === undefined) continue;
		const parsed = value.startsWith('"') ? parseJson(value) : undefined;
		front.set(key, typeof parsed === 'string' ? parsed : value.trim());
	}
	return {front, end: end + 1};
}

function readPreamble(line: string, number: number, front: Map<string, string>): void {
	const title = /^# +(.*)$/.exec(line)?.[1];
	if (title !== undefined && !front.has('title')) front.set('title', title.trim());
	else if (!isBlank(line)) {
		throw describeMistake(number, 'text before the first "## User" or "## System" heading');
	}
}

/** Adds a line to the part that is open, or begins a text with it. */
function addLine({parts}: OpenSection, line: string, number: number): void {
	const last = parts.at(-1);
	if (last?.isOpen === true) last.lines.push(line);
	else if (!isBlank(line)) {
		parts.push({kind: 'text', line: number, fields: {}, lines: [line], isOpen: true});
	}
}

/** Returns the index of the line after the part. The text of a text part is yet to come. */
function readPart(
	lines: readonly string[],
	start: number,
	section: OpenSection,
	addresses: Map<number, string>,
): number {
	const {kind, fields} = readComment(lines[start] ?? '', start + 1);
	const add = (content: readonly string[] | undefined) => {
		const lines = [...(content ?? [])];
		const isOpen = content === undefined;
		section.parts.push({kind, fields, line: start + 1, lines, isOpen});
	};
	const form = partForms[kind];
	switch (form) {
		case 'nothing':
			section.fields = {...section.fields, ...fields};
			return start + 1;
		case 'text':
			add(undefined);
			return start + 1;
		case 'details': {
			const {content, end} = readDetails(lines, start + 1);
			add(content);
			return end;
		}
		case 'fence': {
			const {content, end} = readCode(lines, start + 1);
			add(content);
			return end;
		}
		case 'link': {
			add([]);
			const next = skipBlank(lines, start + 1);
			return /^!?\[.*\]$/.test(lines[next] ?? '') ? next + 1 : start + 1;
		}
		case 'definitions':
			return readDefinitions(lines, start + 1, addresses);
		default:
			return form satisfies never;
	}
}

function readComment(
	line: string,
	number: number,
): {readonly kind: PartKind; readonly fields: JsonObject} {
	const {kind = '', json = ''} = splitComment(line) ?? {};
	const fields = parseJsonObject(json);
	if (!isPartKind(kind) || fields === undefined) {
		throw describeMistake(number, 'the comment is damaged');
	}
	return {kind, fields};
}

/** Passes over the line that names it. */
function readCode(
	lines: readonly string[],
	start: number,
): {readonly content: readonly string[]; readonly end: number} {
	for (let index = start; index < lines.length; index++) {
		const line = lines[index] ?? '';
		if (isComment(line) || headingLine.test(line)) break;
		const fence = readFence(line);
		if (fence === undefined) continue;
		for (let end = index + 1; end < lines.length; end++) {
			if (!closesFence(lines[end] ?? '', fence)) continue;
			return {content: lines.slice(index + 1, end), end: end + 1};
		}
		throw describeMistake(index + 1, 'the code fence is not closed');
	}
	throw describeMistake(start, 'no code fence follows this comment');
}

/** The content is undefined if it is not folded. */
function readDetails(
	lines: readonly string[],
	start: number,
): {readonly content: readonly string[] | undefined; readonly end: number} {
	const first = skipBlank(lines, start);
	if (lines[first]?.trimEnd() !== detailsStart) return {content: undefined, end: start};
	for (let index = first + 1; index < lines.length; index++) {
		const line = lines[index] ?? '';
		if (isComment(line) || headingLine.test(line)) break;
		if (detailsEndLine.test(line)) return {content: lines.slice(first + 1, index), end: index + 1};
	}
	throw describeMistake(first + 1, 'the reasoning is not closed with </details>');
}

function readDefinitions(
	lines: readonly string[],
	start: number,
	addresses: Map<number, string>,
): number {
	for (let index = start; ; ) {
		const next = skipBlank(lines, index);
		const [, number, address = ''] = definitionLine.exec(lines[next] ?? '') ?? [];
		if (number === undefined) return index;
		addresses.set(Number(number), address);
		index = next + 1;
	}
}

function skipBlank(lines: readonly string[], start: number): number {
	let index = start;
	while (index < lines.length && isBlank(lines[index] ?? '')) index += 1;
	return index;
}

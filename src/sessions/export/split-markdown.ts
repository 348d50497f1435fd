/** Splits Markdown into front matter, sections and their parts. */
import {ChatError} from '../../errors.ts';
import {type JsonObject, parseJson} from '../../json.ts';
import {closesFence, readFence} from '../../terminal/markdown/stream/fence.ts';
import {
	definitionLine,
	detailsEndLine,
	detailsStartLine,
	headingLine,
	isBlank,
	isComment,
	type PartKind,
	partForms,
	readComment,
	unpackText,
} from './markdown-parts.ts';

export type MarkdownFile = {
	/** The front matter's rows, and the title above the first section. */
	readonly front: ReadonlyMap<string, string>;
	readonly sections: readonly MarkdownSection[];
	/** The lines of the links' addresses, with the comment above them. */
	readonly mediaLines: readonly LineSpan[];
};

/** Line numbers, counted from 1; the first one is in it, the last one is not. */
export type LineSpan = readonly [from: number, to: number];

/** A message. */
export type MarkdownSection = {
	readonly role: string;
	/** The word in parentheses in its heading. */
	readonly note: string | undefined;
	/** Line number, counted from 1. */
	readonly line: number;
	readonly fields: JsonObject;
	/** Line numbers of the comments holding these fields. */
	readonly fieldLines: readonly number[];
	readonly parts: readonly MarkdownPart[];
};

export type MarkdownPart = {
	readonly kind: PartKind;
	readonly line: number;
	/** The comment's fields, and a link's address from the end of the file. */
	readonly fields: JsonObject;
	/** The text below the comment, or in the fence. */
	readonly text: string;
};

type OpenSection = Omit<MarkdownSection, 'fields' | 'fieldLines' | 'parts'> & {
	fields: JsonObject;
	readonly fieldLines: number[];
	readonly parts: OpenPart[];
};

/** The links' addresses by number, and where they are. */
type Media = {readonly addresses: Map<number, string>; readonly lines: LineSpan[]};

type OpenPart = Omit<MarkdownPart, 'text'> & {
	readonly lines: string[];
	/** Whether the following lines belong to it. */
	readonly isOpen: boolean;
};

export function describeMistake(line: number, problem: string): ChatError {
	return new ChatError('data', `line ${line}: ${problem}`);
}

/** @throws {ChatError} `data` for a misplaced line */
export function splitMarkdown(text: string): MarkdownFile {
	const lines = text
		.replace(/^\ufeff/, '')
		.replaceAll('\r\n', '\n')
		.split('\n');
	const {front, end} = readFrontMatter(lines);
	const cursor = {lines, index: end};
	const media: Media = {addresses: new Map(), lines: []};
	const sections: OpenSection[] = [];
	while (cursor.index < lines.length) {
		const line = lines[cursor.index] ?? '';
		cursor.index += 1;
		const [heading, role = '', note] = headingLine.exec(line) ?? [];
		const section = sections.at(-1);
		if (heading !== undefined) {
			sections.push({role, note, line: cursor.index, fields: {}, fieldLines: [], parts: []});
		} else if (section === undefined) readPreamble(line, cursor.index, front);
		else if (isComment(line)) readPart(line, cursor, section, media);
		else addLine(section, line, cursor.index);
	}
	const closePart = ({kind, line, fields, lines}: OpenPart): MarkdownPart => {
		const address = media.addresses.get(Number(fields['media']));
		const whole = address === undefined ? fields : {address, ...fields};
		return {kind, line, fields: whole, text: unpackText(lines, fields, kind)};
	};
	return {
		front,
		sections: sections.map((section) => ({...section, parts: section.parts.map(closePart)})),
		mediaLines: media.lines,
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

/** Adds a line to the open part, or begins a text with it. */
function addLine({parts}: OpenSection, line: string, number: number): void {
	const last = parts.at(-1);
	if (last?.isOpen === true) last.lines.push(line);
	else if (!isBlank(line)) {
		parts.push({kind: 'text', line: number, fields: {}, lines: [line], isOpen: true});
	}
}

/** The file's lines, and the next one's index. */
type Cursor = {readonly lines: readonly string[]; index: number};

/** Reads the part begun by a comment. A text part's text is yet to come. */
function readPart(
	comment: string,
	cursor: Cursor,
	section: OpenSection,
	{addresses, lines: mediaLines}: Media,
): void {
	const line = cursor.index;
	const read = readComment(comment);
	if (read === undefined) throw describeMistake(line, 'the comment is damaged');
	const {kind, fields} = read;
	const add = (lines: readonly string[] = [], isOpen = false) =>
		section.parts.push({kind, fields, line, lines: [...lines], isOpen});
	const form = partForms[kind];
	switch (form) {
		case 'nothing':
			section.fields = {...section.fields, ...fields};
			section.fieldLines.push(line);
			break;
		case 'text':
			add([], true);
			break;
		case 'details': {
			const content = readDetails(cursor);
			add(content, content === undefined);
			break;
		}
		case 'fence':
			add(readCode(cursor));
			break;
		case 'link':
			add();
			takeLine(cursor, /^!?\[.*\]$/);
			break;
		case 'definitions':
			for (let found = takeLine(cursor, definitionLine); found; ) {
				addresses.set(Number(found[1]), found[2] ?? '');
				found = takeLine(cursor, definitionLine);
			}
			mediaLines.push([line, cursor.index + 1]);
			break;
		default:
			form satisfies never;
	}
}

/** Skips the line naming it. */
function readCode(cursor: Cursor): readonly string[] {
	const start = cursor.index;
	takeUntil(cursor, (line) => readFence(line) !== undefined, startsPart);
	const fence = readFence(cursor.lines[cursor.index - 1] ?? '');
	if (fence === undefined) throw describeMistake(start, 'no code fence follows this comment');
	const {index} = cursor;
	const content = takeUntil(cursor, (line) => closesFence(line, fence));
	if (content === undefined) throw describeMistake(index, 'the code fence is not closed');
	return content;
}

/** Returns undefined unless folded. */
function readDetails(cursor: Cursor): readonly string[] | undefined {
	if (takeLine(cursor, detailsStartLine) === null) return undefined;
	const {index} = cursor;
	const content = takeUntil(cursor, (line) => detailsEndLine.test(line), startsPart);
	if (content !== undefined) return content;
	throw describeMistake(index, 'the reasoning is not closed with </details>');
}

function startsPart(line: string): boolean {
	return isComment(line) || headingLine.test(line);
}

/** Returns the lines before the closing one, and skips it; undefined if there is none. */
function takeUntil(
	cursor: Cursor,
	isEnd: (line: string) => boolean,
	isTooFar: (line: string) => boolean = () => false,
): readonly string[] | undefined {
	const {lines, index: start} = cursor;
	for (let end = start; end < lines.length; end++) {
		const line = lines[end] ?? '';
		if (isTooFar(line)) break;
		if (!isEnd(line)) continue;
		cursor.index = end + 1;
		return lines.slice(start, end);
	}
	return undefined;
}

/** Skips the next line that is not blank, if it matches. */
function takeLine(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
	let {index} = cursor;
	while (index < cursor.lines.length && isBlank(cursor.lines[index] ?? '')) index += 1;
	const found = pattern.exec(cursor.lines[index] ?? '');
	if (found !== null) cursor.index = index + 1;
	return found;
}

/**
 * Reads conversation records from Markdown: written by `write-markdown.ts`, edited or not, or a new
 * one.
 */
import {readDataUrl} from '../../data-url.ts';
import {ChatError} from '../../errors.ts';
import {type JsonObject, parseJson} from '../../json.ts';
import {type RecordOf, requireRecord, type SessionRecord} from '../session-record.ts';
import {
	describeMistake,
	type MarkdownFile,
	type MarkdownPart,
	type MarkdownSection,
	splitMarkdown,
} from './split-markdown.ts';

/**
 * @param now the time of a conversation without one, in milliseconds since 1970
 * @throws {ChatError} `data` for text other than a conversation
 */
export function readMarkdown(text: string, now: number): readonly SessionRecord[] {
	const {front, created, model, turns, ...read} = readSections(text, now);
	const system = read.system ?? readFrontSystem(front.get('system'));
	const title = front.get('title');
	const records: SessionRecord[] = [
		{v: 1, type: 'session', id: front.get('session') ?? '', created, cwd: ''},
		...(title === undefined ? [] : [{type: 'title', text: title} as const]),
		{type: 'settings', model, service: '', system, options: {}},
	];
	const ids = new Set<string>();
	let parent: string | null = null;
	for (const {sections, prompt, answer, compactions} of turns) {
		const {id} = prompt;
		if (ids.has(id)) throw describeMistake(sections[0].line, 'another turn has the same id');
		ids.add(id);
		records.push({...prompt, parent}, ...(answer === undefined ? [] : [answer]), ...compactions);
		parent = id;
	}
	return records;
}

export type MarkdownConversation = Pick<MarkdownFile, 'front' | 'mediaLines'> & {
	/** ISO 8601 */
	readonly created: string;
	/** Empty without one. */
	readonly model: string;
	/** Undefined without a system message. */
	readonly system: string | undefined;
	readonly turns: readonly MarkdownTurn[];
};

export type MarkdownTurn = {
	readonly sections: TurnSections;
	/** Lacks its parent. */
	readonly prompt: RecordOf<'user'>;
	readonly answer: RecordOf<'answer'> | undefined;
	/** Summaries below it. */
	readonly compactions: ReadonlyArray<RecordOf<'compact'>>;
	/** The next heading's line; undefined for the last turn. */
	readonly end: number | undefined;
};

/** Leaves out a file's name, and a text of several lines. */
function readFrontSystem(text = ''): string {
	return /^[@|>]/.test(text) ? '' : text;
}

/** @throws {ChatError} as `readMarkdown` does */
export function readSections(text: string, now: number): MarkdownConversation {
	const {front, sections, mediaLines} = splitMarkdown(text);
	const [first] = sections;
	const isSystemFirst = first?.role === 'System';
	const time = Date.parse(front.get('created') ?? '');
	const created = new Date(Number.isNaN(time) ? now : time).toISOString();
	const model = front.get('model') ?? '';
	const system = isSystemFirst ? readTexts(first.parts) : undefined;
	const turns: MarkdownTurn[] = [];
	const groups = groupTurns(isSystemFirst ? sections.slice(1) : sections);
	for (const [index, group] of groups.entries()) {
		const last = turns.at(-1);
		if (group[0].role === 'Summary' && last !== undefined) {
			const ids = turns.map(({prompt}) => prompt.id);
			const compaction = readCompaction(group[0], ids, index);
			turns.splice(-1, 1, {...last, compactions: [...last.compactions, compaction]});
			continue;
		}
		const defaults = {id: `turn-${turns.length + 1}`, at: created, model};
		const turn = readTurn(group, {...defaults, ...completed});
		const end = groups[index + 1]?.[0].line;
		turns.push({sections: group, ...turn, compactions: [], end});
	}
	return {front, mediaLines, created, model, system, turns};
}

const completed = {status: 'complete', reasoningMs: 0, totalMs: 0} as const;

/** A turn's sections, the prompt's first. */
type TurnSections = readonly [MarkdownSection, ...MarkdownSection[]];

function groupTurns(sections: readonly MarkdownSection[]): readonly TurnSections[] {
	const turns: Array<[MarkdownSection, ...MarkdownSection[]]> = [];
	for (const section of sections) {
		const {role, line} = section;
		const turn = turns.at(-1);
		if (role === 'User' || (role === 'Summary' && turn !== undefined)) turns.push([section]);
		else if (role === 'System') throw describeMistake(line, '"## System" must come first');
		else if (turn === undefined) throw describeMistake(line, `"## User" must precede "## ${role}"`);
		else if (turn[0].role === 'Summary') {
			throw describeMistake(line, `"## User" must precede "## ${role}"`);
		} else turn.push(section);
	}
	if (turns.length === 0) throw new ChatError('data', 'the file has no "## User" heading');
	return turns;
}

/**
 * @param ids those of the turns above
 * @param number makes an id unique
 */
function readCompaction(
	{note = '', line, fields, parts}: MarkdownSection,
	ids: readonly string[],
	number: number,
): RecordOf<'compact'> {
	const [first, last = first] = note.match(/\d+/g) ?? [];
	const named = {from: ids[Number(first) - 1], to: ids[Number(last) - 1], parent: ids.at(-1)};
	const record = {id: `summary-${number}`, ...named, ...fields, text: readTexts(parts)};
	try {
		return requireRecord('compact', record);
	} catch (error) {
		throw describeMistake(line, `the summary is not valid: ${(error as ChatError).message}`);
	}
}

/** @param defaults fields missing from the turn itself */
function readTurn(
	[user, ...answer]: TurnSections,
	defaults: JsonObject,
): Pick<MarkdownTurn, 'prompt' | 'answer'> {
	const fields = {...defaults, ...user.fields};
	const {id, model, usage} = fields;
	const texts = user.parts.filter((part) => !isAttachment(part));
	const attachments = user.parts.filter(isAttachment).map(readAttachment);
	const messages = answer.map((section) => readMessage(section, model));
	const prompt = {...fields, parent: null, text: readTexts(texts), attachments};
	const checked = answer.flatMap(({parts}) => parts).find(({kind}) => kind === 'quotations');
	const end = {...fields, of: id, messages, quotations: checked?.fields['checked']};
	try {
		const isAnswered = messages.length > 0 || usage !== undefined;
		return {
			prompt: requireRecord('user', prompt),
			answer: isAnswered ? requireRecord('answer', end) : undefined,
		};
	} catch (error) {
		throw describeMistake(user.line, `the turn is not valid: ${(error as ChatError).message}`);
	}
}

function readTexts(parts: readonly MarkdownPart[]): string {
	const texts = parts.map((part) => {
		if (part.kind !== 'text') throw misplaced(part);
		return part.text;
	});
	return texts.join('\n\n');
}

function misplaced({line, kind}: MarkdownPart): ChatError {
	return describeMistake(line, `a part of the kind "${kind}" cannot be here`);
}

function isAttachment({kind}: MarkdownPart): boolean {
	return kind === 'file' || kind === 'image' || kind === 'document' || kind === 'audio';
}

function readAttachment(part: MarkdownPart): object {
	const {kind, fields, text} = part;
	const {name} = fields;
	return kind === 'file' ? {type: kind, name, text} : {type: kind, name, part: readMedia(part)};
}

function readMedia({kind, line, fields}: MarkdownPart): object {
	const {media, address, format, document} = fields;
	if (typeof address !== 'string') {
		throw describeMistake(line, `there is no line that begins with [media-${String(media)}]:`);
	}
	if (kind === 'audio') {
		return {type: kind, format, data: readDataUrl(address)?.base64 ?? address};
	}
	return kind === 'document'
		? {type: kind, name: document, url: address}
		: {type: kind, url: address};
}

function readMessage({role, note, fields, parts}: MarkdownSection, turnModel: unknown): object {
	if (role === 'Tool') {
		const outputs = parts.map(readOutput);
		return {role: 'tool', callId: fields['callId'], parts: outputs, isError: note === 'failed'};
	}
	const {model = turnModel} = fields;
	const sources = parts.find(({kind}) => kind === 'sources')?.fields['pages'];
	const isShown = ({kind}: MarkdownPart) => kind !== 'sources' && kind !== 'quotations';
	const content = parts.filter(isShown).map(readPart);
	return {role: 'assistant', parts: content, status: note ?? 'complete', model, sources};
}

function readPart(part: MarkdownPart): object {
	const {kind, fields, text} = part;
	switch (kind) {
		case 'text':
		case 'refusal':
		case 'reasoning':
			return {...fields, type: kind, text};
		case 'call':
			return {type: 'tool-call', call: {isRunnable: true, ...fields, arguments: text}};
		default:
			throw misplaced(part);
	}
}

function readOutput(part: MarkdownPart): object {
	const {kind, text, line} = part;
	switch (kind) {
		case 'output':
		case 'text':
			return {type: 'text', text};
		case 'json': {
			const value = parseJson(text);
			if (value === undefined) throw describeMistake(line, 'the fence does not hold valid JSON');
			return {type: 'json', value};
		}
		case 'image':
			return readMedia(part);
		default:
			throw misplaced(part);
	}
}

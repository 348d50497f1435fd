/** Reads the records of a conversation from Markdown: one of `write-markdown.ts`, edited or not, or a new one. */
import {readDataUrl} from '../../data-url.ts';
import {ChatError} from '../../errors.ts';
import {parseJson} from '../../json.ts';
import {type RecordOf, requireRecord, type SessionRecord} from '../session-record.ts';
import {unpackExact, unpackText} from './markdown-parts.ts';
import {
	describeMistake,
	type MarkdownPart,
	type MarkdownSection,
	splitMarkdown,
} from './split-markdown.ts';

/** A file read back. */
export type MarkdownSession = {
	/** Empty if a person left it out. */
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly created: number | undefined;
	/** The title, if there is one, the settings and the turns. */
	readonly records: readonly SessionRecord[];
};

/**
 * @param now the time of turns without one, in milliseconds since 1970
 * @throws {ChatError} `data` if the text is not a conversation
 */
export function readMarkdown(text: string, now: number): MarkdownSession {
	const {front, sections} = splitMarkdown(text);
	const [first] = sections;
	const isSystemFirst = first?.role === 'System';
	const created = Date.parse(front.get('created') ?? '');
	const isDated = !Number.isNaN(created);
	const startedAt = isDated ? created : now;
	const model = front.get('model') ?? '';
	const system = isSystemFirst ? readTexts(first.parts) : '';
	const title = front.get('title');
	const records: SessionRecord[] = [
		...(title === undefined ? [] : [{type: 'title', text: title} as const]),
		{type: 'settings', model, service: '', system, options: {}},
	];
	const ids = new Set<string>();
	let parent: string | null = null;
	for (const turn of groupTurns(isSystemFirst ? sections.slice(1) : sections)) {
		const [{line}] = turn;
		const context = {id: `turn-${ids.size + 1}`, parent, model, startedAt};
		const [prompt, ...answer] = readTurn(turn, context);
		if (ids.has(prompt.id)) throw describeMistake(line, 'another turn has the same id');
		ids.add(prompt.id);
		parent = prompt.id;
		records.push(prompt, ...answer);
	}
	return {id: front.get('session') ?? '', created: isDated ? created : undefined, records};
}

/** The sections of a turn, that of its prompt first. */
type TurnSections = [MarkdownSection, ...MarkdownSection[]];

function groupTurns(sections: readonly MarkdownSection[]): readonly TurnSections[] {
	const turns: TurnSections[] = [];
	for (const section of sections) {
		const {role, line} = section;
		const turn = turns.at(-1);
		if (role === 'User') turns.push([section]);
		else if (role === 'System') throw describeMistake(line, '"## System" must come first');
		else if (turn === undefined) throw describeMistake(line, `"## User" must precede "## ${role}"`);
		else turn.push(section);
	}
	if (turns.length === 0) throw new ChatError('data', 'the file has no "## User" heading');
	return turns;
}

/** For what a turn itself does not say. */
type TurnContext = {
	readonly id: string;
	readonly parent: string | null;
	readonly model: string;
	readonly startedAt: number;
};

/** Returns the prompt, and its answer if there is one. */
function readTurn(
	[user, ...answer]: TurnSections,
	{parent, startedAt, ...context}: TurnContext,
): readonly [RecordOf<'user'>, ...Array<RecordOf<'answer'>>] {
	const {model = context.model, status = 'complete', id = context.id} = user.fields;
	const {at = new Date(startedAt).toISOString(), folds} = user.fields;
	const {reasoningMs = 0, totalMs = 0, usage, cut} = user.fields;
	const texts = user.parts.filter((part) => !isAttachment(part));
	const attachments = user.parts.filter(isAttachment).map(readAttachment);
	const messages = answer.map((section) => readMessage(section, model));
	const prompt = {id, parent, at, model, text: readTexts(texts), attachments, folds};
	const end = {of: id, status, messages, usage, cut, reasoningMs, totalMs};
	try {
		const isAnswered = messages.length > 0 || usage !== undefined;
		const record = requireRecord('user', prompt);
		return isAnswered ? [record, requireRecord('answer', end)] : [record];
	} catch (error) {
		throw describeMistake(user.line, `the turn is not valid: ${(error as ChatError).message}`);
	}
}

function readTexts(parts: readonly MarkdownPart[]): string {
	const texts = parts.map((part) => {
		if (part.kind !== 'text') throw misplaced(part);
		return unpackText(part.lines, part.fields, part.kind);
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
	const {kind, fields, lines} = part;
	const {name} = fields;
	if (kind === 'file') return {type: kind, name, text: unpackExact(lines.join('\n'), fields)};
	return {type: kind, name, part: readMedia(part)};
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
	return {role: 'assistant', parts: parts.map(readPart), status: note ?? 'complete', model};
}

function readPart(part: MarkdownPart): object {
	const {kind, fields, lines} = part;
	switch (kind) {
		case 'text':
		case 'refusal':
			return {type: kind, text: unpackText(lines, fields, kind)};
		case 'reasoning': {
			const {providerData} = fields;
			return {type: kind, text: unpackText(lines, fields, kind), providerData};
		}
		case 'call': {
			const {callId, name, isRunnable = true, providerData} = fields;
			const text = unpackExact(lines.join('\n'), fields);
			return {type: 'tool-call', call: {callId, name, arguments: text, isRunnable, providerData}};
		}
		default:
			throw misplaced(part);
	}
}

function readOutput(part: MarkdownPart): object {
	const {kind, fields, lines, line} = part;
	const text = unpackExact(lines.join('\n'), fields);
	switch (kind) {
		case 'output':
			return {type: 'text', text};
		case 'text':
			return {type: 'text', text: unpackText(lines, fields, kind)};
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

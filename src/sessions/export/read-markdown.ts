/** Reads a conversation from Markdown: one of `write-markdown.ts`, edited or not, or a new one. */
import {ChatError} from '../../errors.ts';
import {parseJson} from '../../json.ts';
import {checkConversation, type ReadExport} from './exported-session.ts';
import {unpackExact, unpackText} from './markdown-parts.ts';
import {
	describeMistake,
	type MarkdownPart,
	type MarkdownSection,
	splitMarkdown,
} from './split-markdown.ts';

export const readMarkdown: ReadExport = (text) => {
	const {front, sections} = splitMarkdown(text);
	const [first] = sections;
	const isSystemFirst = first?.role === 'System';
	const created = Date.parse(front.get('created') ?? '');
	const isDated = !Number.isNaN(created);
	const turns = groupTurns(isSystemFirst ? sections.slice(1) : sections).map((turn, index) =>
		readTurn(turn, {
			id: `turn-${index + 1}`,
			model: front.get('model') ?? '',
			startedAt: isDated ? created : 0,
		}),
	);
	const system = isSystemFirst ? readTexts(first.parts) : '';
	return {
		id: front.get('session'),
		title: front.get('title'),
		created: isDated ? created : undefined,
		conversation: checkConversation({system, turns}),
	};
};

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
	readonly model: string;
	readonly startedAt: number;
};

/** Returns plain data, which is yet to be checked. */
function readTurn([user, ...answer]: TurnSections, context: TurnContext): object {
	const {model = context.model, status = 'complete', id = context.id} = user.fields;
	const {at, reasoningMs = 0, totalMs = 0, usage, folds} = user.fields;
	const startedAt = at === undefined ? context.startedAt : Date.parse(String(at));
	const texts = user.parts.filter((part) => !isAttachment(part));
	return {
		id,
		model,
		prompt: {
			text: readTexts(texts),
			attachments: user.parts.filter(isAttachment).map(readAttachment),
			folds,
		},
		messages: answer.map((section) => readMessage(section, model)),
		usage,
		times: {startedAt, reasoningMs, totalMs},
		status,
	};
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
		return {type: kind, format, data: address.replace(/^data:audio\/\w+;base64,/, '')};
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

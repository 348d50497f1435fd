/**
 * A conversation as Markdown, read back exactly by `read-markdown.ts`; `docs/sessions.md` describes
 * it.
 */

import {type CheckedQuotation, lineOfQuotation} from '../../chat/checked-quotation.ts';
import {
	type AnswerMessage,
	applyChange,
	branchEnds,
	type Conversation,
	type Turn,
} from '../../chat/conversation.ts';
import type {AssistantPart, MediaPart, ToolMessage, ToolOutputPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {linesOfSources} from '../../chat/source.ts';
import {writeDataUrl} from '../../data-url.ts';
import {toJsonLine} from '../../json.ts';
import {hashTurns} from '../turn-hashes.ts';
import {
	compactionsAfter,
	type ExportedCompaction,
	type ExportedSession,
} from './exported-session.ts';
import {
	detailsEnd,
	detailsStart,
	hasFields,
	isComment,
	type PartKind,
	packText,
	partForms,
	writeComment,
} from './markdown-parts.ts';

/** Markdown pieces, separated by blank lines. */
type Blocks = readonly string[];

export function writeMarkdown(session: ExportedSession): string {
	const media = createMediaList();
	const {model, conversation} = session;
	const hashes = hashTurns(conversation, model === '' ? {} : {model});
	return [
		writeFrontMatter(session),
		...writeConversation(session, media, hashes),
		...media.blocks(),
	].join('\n\n');
}

/** Leaves out everything only `read-markdown.ts` needs, and adds the turns on other branches. */
export function writeReadable(session: ExportedSession): string {
	const media: MediaList = {add: () => undefined, blocks: () => []};
	const writeBranch = ({start, turns}: Branch, index: number): Blocks => [
		`# Branch ${index + 2}, ${start === 0 ? 'from the start' : `after turn ${start}`}`,
		...turns.flatMap((turn) => writeTurn(turn, session.model, media)),
	];
	return [
		...writeConversation(session, media),
		...otherBranches(session.conversation).flatMap(writeBranch),
	]
		.filter((block) => !isComment(block))
		.join('\n\n');
}

/** @param hashes by turn, of everything above its answer */
function writeConversation(
	{model, conversation}: ExportedSession,
	media: MediaList,
	hashes: readonly string[] = [],
): Blocks {
	const {system, turns} = conversation;
	return [
		...(system === '' ? [] : ['## System', ...writeText(system)]),
		...turns.flatMap((turn, index) => [
			...writeTurn(turn, model, media, hashes[index]),
			...compactionsAfter(turn, conversation).flatMap(writeCompaction),
		]),
	];
}

function writeCompaction({compaction, heading}: ExportedCompaction): Blocks {
	const {id, parent, from, to, kind, text} = compaction;
	const data = {id, parent, from, to, kind: kind === 'summary' ? undefined : kind};
	return [`## ${heading}`, writeComment('compact', data), ...(text === '' ? [] : writeText(text))];
}

type Branch = {
	/** How many turns come before those unique to this branch. */
	readonly start: number;
	readonly turns: readonly Turn[];
};

/** Returns the turns after those of the head and of earlier branches. */
function otherBranches(conversation: Conversation): readonly Branch[] {
	const shown = new Set(conversation.turns);
	return branchEnds(conversation).flatMap(({id}) => {
		const path = applyChange(conversation, {type: 'head-moved', at: id}).turns;
		const turns = path.filter((turn) => !shown.has(turn));
		for (const turn of turns) shown.add(turn);
		return turns.length === 0 ? [] : [{start: path.length - turns.length, turns}];
	});
}

function writeFrontMatter({id, title, created, model}: ExportedSession): string {
	const rows = {
		title,
		session: id,
		created: new Date(created).toISOString(),
		model: model || undefined,
	};
	const lines = Object.entries(rows).flatMap(([name, value]) =>
		value === undefined ? [] : [`${name}: ${toJsonLine(value)}`],
	);
	return `---\n${lines.join('')}---`;
}

export type MediaList = {
	/** Returns an address's number; undefined for one unfit for a link. */
	add(address: string): number | undefined;
	blocks(): Blocks;
};

/**
 * Long addresses are at the end, each once.
 *
 * @param numbers those of a file, by address
 */
export function createMediaList(numbers = new Map<string, number>()): MediaList {
	let last = Math.max(0, ...numbers.values());
	return {
		add(address) {
			if (!/^(?:data|https?):[!-;=?-~]*$/.test(address)) return undefined;
			const known = numbers.get(address);
			if (known !== undefined) return known;
			last += 1;
			numbers.set(address, last);
			return last;
		},
		blocks() {
			if (numbers.size === 0) return [];
			const lines = [...numbers].map(([address, number]) => `[media-${number}]: <${address}>`);
			return [writeComment('media'), ...lines];
		},
	};
}

function writeTurn(turn: Turn, sessionModel: string, media: MediaList, hash?: string): Blocks {
	const {prompt} = turn;
	return [
		'## User',
		writeTurnComment(turn, sessionModel, hash),
		...writeAttachments(prompt.attachments, media),
		...(prompt.text === '' ? [] : writeText(prompt.text)),
		...writeMessages(turn, media),
	];
}

/** @param hash of everything above the answer; left out without one */
export function writeTurnComment(turn: Turn, sessionModel: string, hash?: string): string {
	const {id, model, prompt, status, usage, cut, times, messages} = turn;
	return writeComment('turn', {
		id,
		hash: messages.length === 0 ? undefined : hash,
		at: new Date(times.startedAt).toISOString(),
		model: model === sessionModel ? undefined : model,
		status: status === 'complete' ? undefined : status,
		reasoningMs: times.reasoningMs || undefined,
		totalMs: times.totalMs || undefined,
		usage,
		cut,
		folds: prompt.folds,
	});
}

export function writeAttachments(attachments: readonly Attachment[], media: MediaList): Blocks {
	return attachments.flatMap((attachment) => writeAttachment(attachment, media));
}

/** Writes the answer, with the calls and results before it. */
export function writeMessages({model, messages, quotations}: Turn, media: MediaList): Blocks {
	return [
		...messages.flatMap((message) => writeMessage(message, model, media)),
		...writeQuotations(quotations),
	];
}

function writeQuotations(quotations: readonly CheckedQuotation[] = []): Blocks {
	if (quotations.length === 0) return [];
	const lines = quotations.map((quotation) => `- ${lineOfQuotation(quotation)}`);
	return writeMarked('quotations', {checked: quotations}, lines.join('\n'));
}

function writeMessage(message: AnswerMessage, turnModel: string, media: MediaList): Blocks {
	if (message.role === 'tool') return writeResult(message, media);
	const {model, status, parts, sources = []} = message;
	const list = linesOfSources(sources).map((line) => `- ${line}`);
	return [
		`## Assistant${status === 'complete' ? '' : ` (${status})`}`,
		...(model === turnModel ? [] : [writeComment('message', {model})]),
		...parts.flatMap((part, index) => writePart(part, parts[index - 1])),
		...(list.length === 0 ? [] : writeMarked('sources', {pages: sources}, list.join('\n'))),
	];
}

function writePart(part: AssistantPart, previous: AssistantPart | undefined): Blocks {
	switch (part.type) {
		case 'text':
			return part.text !== '' && hasEnd(previous)
				? writeText(part.text)
				: writeMarked('text', {}, part.text);
		case 'refusal':
			return writeMarked('refusal', {}, part.text);
		case 'reasoning':
			return writeMarked('reasoning', {providerData: part.providerData}, part.text);
		case 'tool-call': {
			const {callId, name, arguments: text, isRunnable, providerData} = part.call;
			const data = {callId, name, isRunnable: isRunnable && undefined, providerData};
			return writeMarked('call', data, text, `**Call of ${showName(name)}**`);
		}
		default:
			return part satisfies never;
	}
}

/** Whether the text after a part cannot be taken for its own. */
function hasEnd(part: AssistantPart | undefined): boolean {
	if (part?.type === 'reasoning') return packText(part.text, part.type).shown !== '';
	return part === undefined || part.type === 'tool-call';
}

/** Leaves out the comment if the text needs none. */
function writeText(text: string): Blocks {
	const {shown, fields} = packText(text, 'text');
	return hasFields(fields) ? writeMarked('text', {}, text) : [shown];
}

/**
 * Writes a text in its kind's form, below a comment.
 *
 * @param label a line for people, without a meaning
 */
function writeMarked(kind: PartKind, data: object, text: string, ...label: Blocks): Blocks {
	const {shown, fields} = packText(text, kind);
	const comment = writeComment(kind, {...data, ...fields});
	if (partForms[kind] === 'fence') return [comment, ...label, writeFence(kind, shown)];
	if (shown === '') return [comment];
	return [comment, ...(kind === 'reasoning' ? [detailsStart, shown, detailsEnd] : [shown])];
}

function writeFence(kind: PartKind, shown: string): string {
	let longest = 2;
	for (const [run] of shown.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	const fence = '`'.repeat(longest + 1);
	return `${fence}${languages[kind] ?? ''}\n${shown}\n${fence}`;
}

const languages: Partial<Record<PartKind, string>> = {call: 'json', json: 'json', output: 'text'};

function writeResult({callId, parts, isError}: ToolMessage, media: MediaList): Blocks {
	return [
		`## Tool${isError ? ' (failed)' : ''}`,
		writeComment('result', {callId}),
		...parts.flatMap((part) => writeOutput(part, media)),
	];
}

function writeOutput(part: ToolOutputPart, media: MediaList): Blocks {
	switch (part.type) {
		case 'text':
			return writeMarked('output', {}, part.text);
		case 'json':
			return writeMarked('json', {}, JSON.stringify(part.value, undefined, 2));
		case 'image':
			return writeMedia(part, {}, 'image', media);
		default:
			return part satisfies never;
	}
}

function writeAttachment(attachment: Attachment, media: MediaList): Blocks {
	const {name} = attachment;
	if (attachment.type !== 'file') return writeMedia(attachment.part, {name}, name, media);
	return writeMarked('file', {name}, attachment.text, `**File ${showName(name)}**`);
}

function writeMedia(part: MediaPart, named: object, label: string, media: MediaList): Blocks {
	const address = addressOf(part);
	const number = media.add(address);
	const fields = {
		...named,
		...(part.type === 'audio' ? {format: part.format} : {}),
		...(part.type === 'document' ? {document: part.name} : {}),
		media: number,
		address: number === undefined ? address : undefined,
	};
	// A viewer fetches an image outside the file; a link is not fetched.
	const mark = part.type === 'image' && address.startsWith('data:') ? '!' : '';
	const shown = `[${showName(label)}]`;
	const line = number === undefined ? shown : `${mark}${shown}[media-${number}]`;
	return [writeComment(part.type, fields), line];
}

function addressOf(part: MediaPart): string {
	if (part.type !== 'audio') return part.url;
	const {format, data} = part;
	return writeDataUrl({mime: format === 'mp3' ? 'audio/mpeg' : 'audio/wav', base64: data});
}

/** A name for people; the exact one is in the comment. */
function showName(name: string): string {
	return name.replace(/[^\p{L}\p{M}\p{N} .,()-]/gu, '_').slice(0, 200) || '_';
}

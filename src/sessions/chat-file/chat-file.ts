/**
 * A conversation as a Markdown file that a person goes on writing: which of its prompts are to be
 * asked, and their answers put into the text. Everything else in it stays as it is, byte for byte.
 */

import type {Compaction} from '../../chat/compaction.ts';
import {completeCalls} from '../../chat/complete-calls.ts';
import {type AnswerMessage, hasAnswer, type Turn} from '../../chat/conversation.ts';
import {type Attachment, hasContent} from '../../chat/prompt.ts';
import type {JsonObject} from '../../json.ts';
import {definitionLine, isBlank, writeComment} from '../export/markdown-parts.ts';
import {type MarkdownTurn, readSections} from '../export/read-markdown.ts';
import {describeMistake, type LineSpan} from '../export/split-markdown.ts';
import {
	createMediaList,
	writeAttachments,
	writeMessages,
	writeTurnComment,
} from '../export/write-markdown.ts';
import {createMediaReader} from '../read-media.ts';
import {buildTurn} from '../read-session.ts';

export type ChatFile = {
	/** The text it was read from. */
	readonly text: string;
	/** The model in its front matter; empty without one. */
	readonly model: string;
	/** Undefined without a section for it. */
	readonly system: string | undefined;
	/** Empty if there is nothing but an empty prompt. */
	readonly turns: readonly FileTurn[];
	readonly compactions: readonly Compaction[];
	/** The lines of the media's addresses. */
	readonly mediaLines: readonly LineSpan[];
};

export type FileTurn = Turn & {
	/** Line number of its heading, counted from 1. */
	readonly line: number;
	/**
	 * Hash of everything above the answer when it was given: empty for an outdated answer, undefined for
	 * one by another hand.
	 */
	readonly hash: string | undefined;
	/** Fields of the comment about it. */
	readonly fields: JsonObject;
	/** Line numbers of the comments holding these fields. */
	readonly fieldLines: readonly number[];
	/** The lines of its answer; empty without one. */
	readonly answerLines: LineSpan;
};

/**
 * Reads a file. A last prompt without any text is only the place for the next one.
 *
 * @param text with its byte order mark and line ends
 * @param now the time of turns without one, in milliseconds since 1970
 * @throws {ChatError} `data` for text other than a conversation, with the line
 */
export function readChatFile(text: string, now: number): ChatFile {
	const {model, system, turns, mediaLines} = readSections(text, now);
	const last = text.split('\n').length + 1;
	const read = turns.map((turn) => readTurn(turn, turn.end ?? last));
	const compactions = turns.flatMap((turn) => turn.compactions);
	const isEmpty = ({prompt, messages}: FileTurn) =>
		!hasContent(prompt.text) && prompt.attachments.length === 0 && messages.length === 0;
	const asked = read.at(-1);
	const kept = asked !== undefined && isEmpty(asked) ? read.slice(0, -1) : read;
	const empty = kept.find(isEmpty);
	if (empty !== undefined) throw describeMistake(empty.line, 'there is no prompt');
	return {text, model, system, turns: kept, compactions, mediaLines};
}

/** @param end the line after it */
function readTurn({sections, prompt: user, answer}: MarkdownTurn, end: number): FileTurn {
	const [{line, fields, fieldLines}, first] = sections;
	const node = {user, answer, parent: undefined, partials: []};
	const {prompt, turn} = buildTurn(node, createMediaReader(undefined));
	const times = {startedAt: Date.parse(user.at), reasoningMs: 0, totalMs: 0};
	const {id, model} = user;
	const unanswered = {id, model, prompt, messages: [], times, status: 'complete' as const};
	const {messages} = turn ?? unanswered;
	const {hash} = fields;
	return {
		...(turn ?? unanswered),
		messages: completeCalls(messages),
		line,
		hash: typeof hash === 'string' ? hash : undefined,
		fields,
		fieldLines,
		answerLines: [first?.line ?? end, end],
	};
}

export type DueReason =
	| 'no answer'
	/** The answer is marked as incomplete or interrupted. */
	| 'cut answer'
	/** Something above the answer has changed since. */
	| 'changed'
	/** The turn before it is asked. */
	| 'follows';

/** A turn to ask, by its index. */
export type DueTurn = {readonly index: number; readonly reason: DueReason};

/**
 * Returns the turns to ask: from the first one without an answer to what is above it, to the last. A
 * cut answer counts if the conversation went on after it.
 *
 * @param hashes the turns' present ones
 */
export function findDue(turns: readonly FileTurn[], hashes: readonly string[]): readonly DueTurn[] {
	const isStale = ({hash}: FileTurn, index: number) => hash !== undefined && hash !== hashes[index];
	const isContinued = (turn: FileTurn | undefined) =>
		turn !== undefined && hasAnswer(turn) && turn.hash !== '';
	let first = turns.findIndex((turn, index) => !hasAnswer(turn) || isStale(turn, index));
	if (first === -1) first = turns.length;
	while (isCut(turns[first - 1]) && !isContinued(turns[first])) first -= 1;
	return turns.slice(first).map((turn, place): DueTurn => {
		const index = first + place;
		if (!hasAnswer(turn)) return {index, reason: 'no answer'};
		if (place > 0) return {index, reason: 'follows'};
		return {index, reason: isStale(turn, index) ? 'changed' : 'cut answer'};
	});
}

/** Whether its answer is not whole. In a heading, the mark counts as long as it is there. */
function isCut(turn: FileTurn | undefined): boolean {
	const isPart = (message: AnswerMessage) =>
		message.role === 'assistant' &&
		(message.status !== 'complete' || message.parts.some(({type}) => type === 'refusal'));
	return turn !== undefined && (turn.cut !== undefined || turn.messages.some(isPart));
}

/** Marks an answer that does not count: its heading says so. */
export function markCut(turn: Turn): Turn {
	const status = turn.status === 'complete' ? 'incomplete' : turn.status;
	const last = turn.messages.findLastIndex(({role}) => role === 'assistant');
	const messages = turn.messages.map((message, index) =>
		index === last && message.role === 'assistant' ? {...message, status} : message,
	);
	return {...turn, status, messages};
}

export type NewAnswer = {
	readonly index: number;
	readonly turn: Turn;
	/** Sent with the prompt, and not in the file yet. */
	readonly attached: readonly Attachment[];
	/** Hash of everything above it, as sent. */
	readonly hash: string | undefined;
};

/** Returns the file's text with an answer in it, in place of an older one. */
export function putAnswer(file: ChatFile, {index, turn, attached, hash}: NewAnswer): string {
	const {text, turns, model, mediaLines} = file;
	const old = turns[index];
	if (old === undefined) throw new RangeError(`there is no turn ${index}`);
	const lines = text.split('\n');
	const cr = text.includes('\r\n') ? '\r' : '';
	const next = turns[index + 1];
	const outdated = next !== undefined && hasAnswer(next) ? next : undefined;
	const fieldLines = [...old.fieldLines, ...(outdated?.fieldLines ?? [])];
	const dropped = new Set([...mediaLines.flatMap(numbersIn), ...fieldLines]);
	const take = (from: number, to: number) =>
		numbersIn([from, to]).flatMap((number) =>
			dropped.has(number) ? [] : (lines[number - 1] ?? []),
		);
	/** The file's last line may lack an end. */
	const close = (block: readonly string[]) =>
		trimEnd(block).map((line, place, {length}) =>
			place < length - 1 || line.endsWith('\r') ? line : line + cr,
		);
	const media = createMediaList(readMedia(lines, mediaLines));
	const [from, to] = old.answerLines;
	const prompt = {...old.prompt, folds: undefined};
	const written = (pieces: Blocks) =>
		pieces.flatMap((piece) => ['', ...piece.split('\n')].map((line) => line + cr));
	const block = (taken: readonly string[]) => {
		const texts = trimStart(taken);
		return texts.length === 0 ? [] : [cr, ...texts];
	};
	const heading = outdated?.line ?? lines.length;
	const whole = [
		...take(1, old.line + 1),
		...written([writeTurnComment({...turn, prompt}, model, hash)]),
		...written(writeAttachments(attached, media)),
		...block(close(take(old.line + 1, from))),
		...written(writeMessages(turn, media)),
		...block(take(to, heading + 1)),
		// The next answer belongs to another conversation now, even if this run gets no further.
		...((outdated && written([writeComment('turn', {...outdated.fields, hash: ''})])) ?? []),
		...block(take(heading + 1, lines.length + 1)),
	];
	const definitions = written(media.blocks());
	const isEnded = definitions.length > 0 || to > lines.length;
	return (isEnded ? [...close(whole), ...definitions, ''] : whole).join('\n');
}

type Blocks = readonly string[];

function numbersIn([from, to]: LineSpan): readonly number[] {
	return Array.from({length: to - from}, (_, place) => from + place);
}

function readMedia(lines: readonly string[], spans: readonly LineSpan[]): Map<string, number> {
	const texts = spans.flatMap(numbersIn).map((number) => lines[number - 1] ?? '');
	const found = texts.map((line) => definitionLine.exec(line.replace(/\r$/, '')));
	return new Map(found.flatMap((match) => (match ? [[match[2] ?? '', Number(match[1])]] : [])));
}

/** Leaves out blank lines at the start. */
function trimStart(lines: readonly string[]): readonly string[] {
	const start = lines.findIndex(hasText);
	return start === -1 ? [] : lines.slice(start);
}

function trimEnd(lines: readonly string[]): readonly string[] {
	return lines.slice(0, lines.findLastIndex(hasText) + 1);
}

function hasText(line: string): boolean {
	return !isBlank(line.replace(/\r$/, ''));
}

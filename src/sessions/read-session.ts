/** Makes a conversation from a session's records, however damaged. */
import {
	type AnswerMessage,
	applyChange,
	beginTurn,
	type Conversation,
	createConversation,
	hasAnswer,
	reduceConversation,
	resumeTurn,
	type TreeTurn,
	type Turn,
	type TurnStart,
} from '../chat/conversation.ts';
import type {Notice} from '../chat/event.ts';
import type {Prompt} from '../chat/prompt.ts';
import {ChatError} from '../errors.ts';
import {plural} from '../wording.ts';
import {createMediaReader, type MediaReader} from './read-media.ts';
import {createRecordReader} from './read-records.ts';
import type {SessionFile} from './session-files.ts';
import type {RecordOf} from './session-record.ts';
import {buildTree, type SessionTree, type TurnNode} from './session-tree.ts';

export type StoredSession = SessionFile & {
	readonly title: string;
	readonly cwd: string;
	/** Milliseconds since 1970. */
	readonly created: number;
	/** The last prompt's settings; undefined if damaged. */
	readonly settings: RecordOf<'settings'> | undefined;
	readonly conversation: Conversation;
	/** The last prompt, if the run ended before any answer to it. */
	readonly draft: Prompt | undefined;
	/** Other prompts without any answer, each with the turn before it. They are never sent. */
	readonly unanswered: readonly TreeTurn[];
	readonly notices: readonly Notice[];
};

/** @throws the system's error when the file cannot be read */
export function readSession(file: SessionFile): StoredSession {
	const reader = createRecordReader(file.path, false);
	const tree = buildTree(reader.records());
	const media = createMediaReader(file.path);
	const {conversation, draft, unanswered} = buildConversation(tree, media);
	const {id} = file;
	return {
		...file,
		title: tree.title,
		cwd: tree.header?.cwd ?? '',
		created: Date.parse(tree.header?.created ?? '') || file.updated,
		settings: tree.settings,
		conversation,
		draft: draft?.prompt,
		unanswered,
		notices: [
			...noticeOf(
				reader.damaged(),
				(count) => `${plural(count, 'line')} of ${id} left out: damaged`,
			),
			...noticeOf(tree.orphans, (count) =>
				count === 1
					? `${id}: the parent of 1 turn is missing`
					: `${id}: the parents of ${count} turns are missing`,
			),
			...noticeOf(
				media.missing(),
				(count) => `${plural(count, 'attachment')} of ${id} ${count === 1 ? 'is' : 'are'} gone`,
			),
		],
	};
}

/** Returns the conversation, and the prompts without any answer; `draft` belongs to the head. */
export function buildConversation(
	tree: SessionTree,
	media: MediaReader,
): {
	readonly conversation: Conversation;
	readonly draft: TurnStart | undefined;
	readonly unanswered: readonly TreeTurn[];
} {
	const built = new Map(tree.turns.map((node) => [node, buildTurn(node, media)]));
	const head = tree.path.at(-1);
	const last = head && built.get(head);
	const isCut = last !== undefined && (last.turn === undefined || !hasAnswer(last.turn));
	const isDraft = isCut && head?.answer === undefined;
	return {
		...growTree(createOutline(tree), built, head),
		draft: isDraft && head ? {...startOf(head), prompt: last.prompt} : undefined,
	};
}

function createOutline({settings, compactions}: SessionTree): Conversation {
	const conversation = createConversation(settings?.system);
	if (compactions.length === 0) return conversation;
	return {...conversation, compactions: compactions.map(({type: _, ...compaction}) => compaction)};
}

function withoutAnswer(node: TurnNode, prompt: Prompt): Turn {
	const {startedAt, ...start} = startOf(node);
	const times = {startedAt, reasoningMs: 0, totalMs: 0};
	return {...start, prompt, messages: [], times, status: 'incomplete'};
}

function startOf({user}: TurnNode): Omit<TurnStart, 'prompt'> {
	const {id, model, at} = user;
	return {id, model, startedAt: Date.parse(at)};
}

function noticeOf(count: number, describe: (count: number) => string): readonly Notice[] {
	return count === 0 ? [] : [{code: 'session-damaged', message: describe(count)}];
}

/** A prompt and its turn, if it left one. */
type BuiltTurn = {readonly prompt: Prompt; readonly turn: Turn | undefined};

/** @param built each turn after its parent */
function growTree(
	conversation: Conversation,
	built: ReadonlyMap<TurnNode, BuiltTurn>,
	head: TurnNode | undefined,
): {readonly conversation: Conversation; readonly unanswered: readonly TreeTurn[]} {
	const otherTurns: TreeTurn[] = [];
	const unanswered: TreeTurn[] = [];
	/** The conversation's last turn up to each node. */
	const lastIds = new Map<TurnNode | undefined, string | null>([[undefined, null]]);
	for (const [node, {prompt, turn}] of built) {
		const parent = lastIds.get(node.parent) ?? null;
		lastIds.set(node, turn?.id ?? parent);
		if (turn !== undefined) otherTurns.push({turn, parent});
		else if (node !== head) unanswered.push({turn: withoutAnswer(node, prompt), parent});
	}
	const at = lastIds.get(head) ?? null;
	return {
		conversation: applyChange({...conversation, otherTurns}, {type: 'head-moved', at}),
		unanswered,
	};
}

/**
 * Returns the conversation with its unanswered prompts, as turns on other branches, without
 * messages.
 */
export function withUnanswered({
	conversation,
	unanswered,
}: Pick<StoredSession, 'conversation' | 'unanswered'>): Conversation {
	return {...conversation, otherTurns: [...conversation.otherTurns, ...unanswered]};
}

/** Replays the saved part of an answer, or of its continuation. */
export function buildTurn(node: TurnNode, media: MediaReader): BuiltTurn {
	const {user, answer, partials} = node;
	const {text, folds} = user;
	const attachments = user.attachments.flatMap((stored) => media.readAttachment(stored));
	const prompt = {text, attachments, folds};
	const start = {...startOf(node), prompt};
	let whole: Turn | undefined;
	if (answer !== undefined) {
		const {startedAt, ...rest} = start;
		const {status, usage, cut, quotations, reasoningMs, totalMs} = answer;
		const messages = answer.messages.map(
			(message): AnswerMessage =>
				message.role === 'tool' ? {...message, parts: media.readParts(message.parts)} : message,
		);
		const times = {startedAt, reasoningMs, totalMs};
		const checked = quotations === undefined ? {} : {quotations};
		whole = {...rest, messages, usage, status, cut, ...checked, times};
		if (partials.length === 0) return {prompt, turn: whole};
	}
	const before = createConversation();
	let conversation: Conversation =
		whole === undefined
			? beginTurn(before, start, 0)
			: (resumeTurn({...before, turns: [whole]}, 0) ?? before);
	let now = 0;
	for (const {events, ms} of partials) {
		now = ms;
		const read = events.map((event) =>
			event.type === 'tool-result' ? {...event, parts: media.readParts(event.parts)} : event,
		);
		conversation = applyChange(conversation, {type: 'turn-advanced', events: read, now});
	}
	const error = new ChatError('incomplete', 'the run ended before the answer');
	const [turn] = reduceConversation(conversation, {type: 'error', error}, now).turns;
	return {prompt, turn: turn ?? whole};
}

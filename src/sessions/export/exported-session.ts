/** A conversation on its way to a file for people or other programs, and back. */
import * as v from 'valibot';
import {completeCalls} from '../../chat/complete-calls.ts';
import {type AnswerMessage, type Conversation, type Turn, treeOf} from '../../chat/conversation.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {ChatError} from '../../errors.ts';
import {attachment, finishReason, folds, id, message, status, usage} from '../session-record.ts';

export type ExportedSession = {
	/** Undefined if it is not saved. */
	readonly id: string | undefined;
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly created: number;
	readonly model: string;
	readonly conversation: Conversation;
};

/** A file read back. What a person left out is undefined. */
export type ReadSession = {
	readonly id?: string | undefined;
	readonly title?: string | undefined;
	/** Milliseconds since 1970. */
	readonly created?: number | undefined;
	readonly conversation: Conversation;
};

/** @throws {ChatError} `data` if the text is not a conversation */
export type ReadExport = (text: string) => ReadSession;

/** Leaves out the reasoning, and what services sent with it. */
export function withoutReasoning(conversation: Conversation): Conversation {
	return mapAnswers(conversation, (messages) =>
		messages.map((answer) =>
			answer.role === 'tool'
				? answer
				: {...answer, parts: answer.parts.filter(({type}) => type !== 'reasoning')},
		),
	);
}

function mapAnswers(
	conversation: Conversation,
	change: (messages: Turn['messages']) => Turn['messages'],
): Conversation {
	const mapTurn = (turn: Turn) => ({...turn, messages: change(turn.messages)});
	return {
		...conversation,
		turns: conversation.turns.map(mapTurn),
		otherTurns: conversation.otherTurns.map((node) => ({...node, turn: mapTurn(node.turn)})),
	};
}

/** The limit of dates in milliseconds. */
const maxTime = 8.64e15;
const duration = v.pipe(v.number(), v.minValue(0));

const wholeAttachment = v.pipe(
	attachment,
	v.guard(
		(value): value is Attachment & typeof value => value.type === 'file' || !('blob' in value.part),
	),
);

const wholeMessage = v.pipe(
	message,
	v.guard(
		(value): value is AnswerMessage & typeof value =>
			value.role === 'assistant' || value.parts.every((part) => !('blob' in part)),
	),
);

const turn = v.object({
	id,
	model: v.string(),
	prompt: v.object({
		text: v.string(),
		attachments: v.array(wholeAttachment),
		folds: v.optional(folds),
	}),
	messages: v.array(wholeMessage),
	usage: v.optional(usage),
	times: v.object({
		startedAt: v.pipe(v.number(), v.minValue(-maxTime), v.maxValue(maxTime)),
		reasoningMs: duration,
		totalMs: duration,
	}),
	status,
	cut: v.optional(finishReason),
});

const conversation = v.pipe(
	v.object({
		system: v.string(),
		turns: v.array(turn),
		otherTurns: v.optional(v.array(v.object({turn, parent: v.nullable(id)})), []),
	}),
	v.check(
		(value) => hasSoundTree(value),
		'each turn needs an id of its own, and comes after its parent',
	),
);

function hasSoundTree(value: Conversation): boolean {
	const known = new Set<string | null>([null]);
	return treeOf(value).every(({turn: {id: own}, parent}) => {
		const isSound = known.has(parent) && !known.has(own);
		known.add(own);
		return isSound;
	});
}

/**
 * Returns a conversation that can be sent: a person may have removed the result of a call.
 *
 * @throws {ChatError} `data` if a part of it is missing or of the wrong type
 */
export function checkConversation(value: unknown): Conversation {
	const result = v.safeParse(conversation, value, {abortEarly: true});
	if (result.success) return mapAnswers(result.output, completeCalls);
	const [issue] = result.issues;
	const place = v.getDotPath(issue);
	const problem = place === null ? issue.message : `${place}: ${issue.message}`;
	throw new ChatError('data', `the conversation is not valid: ${problem}`);
}

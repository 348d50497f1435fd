/** The entries that a turn leaves in the transcript, besides those of a live answer. */
import {
	type AnswerMessage,
	type Conversation,
	hasAnswer,
	reasoningOf,
	type Turn,
} from '../chat/conversation.ts';
import {type AssistantMessage, messageRefusal, type ToolCall} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {textOutput} from '../chat/tool-output.ts';
import {plural} from '../wording.ts';
import type {TranscriptEntry} from './state.ts';

const shownTurns = 2;

/** Returns the last turns of a continued conversation, after the number of earlier ones. */
export function entriesOfPast({turns}: Conversation): readonly TranscriptEntry[] {
	const answered = turns.filter(hasAnswer);
	const past = answered.slice(-shownTurns).flatMap(entriesOfTurn);
	const earlier = answered.length - shownTurns;
	return earlier > 0 ? [{type: 'notice', text: plural(earlier, 'earlier turn')}, ...past] : past;
}

/** Returns the entries of a past turn, with its prompt and its answer. */
export function entriesOfTurn(turn: Turn): readonly TranscriptEntry[] {
	const shown = [
		...turn.messages.flatMap((message, index) => entriesOfMessage(turn, message, index)),
		...truncationOf(turn),
	];
	const answer = shown.findIndex(({type}) => type === 'answer');
	const place = answer === -1 ? shown.length : answer;
	const thought = summarizeReasoning(turn, false);
	return [
		{type: 'prompt', prompt: turn.prompt},
		...shown.slice(0, place),
		...thought,
		...shown.slice(place),
	];
}

function entriesOfMessage(
	{messages}: Turn,
	message: AnswerMessage,
	index: number,
): readonly TranscriptEntry[] {
	if (message.role === 'assistant') {
		const text = answerText(message);
		return text === '' ? [] : [{type: 'answer', text}];
	}
	const call = findCall(messages.slice(0, index), message.callId);
	return call === undefined ? [] : [toolEntry(call, message)];
}

/** Returns the text as a live view shows it: refusals are part of it. */
export function answerText({parts}: AssistantMessage): string {
	return parts
		.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
		.join('');
}

/** Returns the calls of the last step. */
function lastCalls(messages: readonly AnswerMessage[]): readonly ToolCall[] {
	const last = messages.findLast(({role}) => role === 'assistant');
	if (last?.role !== 'assistant') return [];
	return last.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

export function findCall(messages: readonly AnswerMessage[], wanted: string): ToolCall | undefined {
	return lastCalls(messages).find(({callId}) => callId === wanted);
}

/** Returns the calls of the last step if they have no results, because nothing here runs them. */
export function openCallEntries({open}: Conversation): readonly TranscriptEntry[] {
	const messages = open?.messages ?? [];
	if (messages.at(-1)?.role === 'tool') return [];
	return lastCalls(messages).map((call) => toolEntry(call, undefined));
}

export function toolEntry(call: ToolCall, result: ToolOutput | undefined): TranscriptEntry {
	const {name, arguments: text} = call;
	const shown = result && {parts: result.parts, isError: result.isError};
	return {type: 'tool', name, arguments: text, result: shown};
}

const stopped = textOutput('stopped before it finished', true);
const notRun = textOutput('not run', true);

/**
 * Returns the calls that the end of the turn cancelled; those running may have had an effect.
 *
 * @param count the messages before the end
 */
export function cancelledEntries(
	{messages}: Turn,
	count: number,
	running: readonly ToolCall[],
): readonly TranscriptEntry[] {
	return messages.slice(count).flatMap((message) => {
		const call = message.role === 'tool' ? findCall(messages, message.callId) : undefined;
		return call === undefined ? [] : [toolEntry(call, running.includes(call) ? stopped : notRun)];
	});
}

/** Returns the mark of an answer that is not whole. */
export function truncationOf(turn: Turn): readonly TranscriptEntry[] {
	if (!hasAnswer(turn)) return [];
	if (turn.status !== 'complete') return [{type: 'truncation', reason: turn.status}];
	const isRefused = turn.messages.some(
		(message) => message.role === 'assistant' && messageRefusal(message) !== '',
	);
	return isRefused ? [{type: 'truncation', reason: 'refused'}] : [];
}

/**
 * Returns the line for the reasoning of a finished turn.
 *
 * @param isOpen whether the reasoning follows
 */
export function summarizeReasoning(turn: Turn, isOpen: boolean): readonly TranscriptEntry[] {
	if (reasoningOf(turn) === '') return [];
	const {times, usage} = turn;
	const {reasoningMs} = times;
	return [{type: 'reasoning-summary', reasoningMs, tokens: usage?.reasoningTokens, isOpen}];
}

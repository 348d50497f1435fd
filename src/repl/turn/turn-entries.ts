/** The transcript entries left by a turn, besides a live answer's. */
import {
	type AnswerMessage,
	type Conversation,
	hasAnswer,
	type OpenTurn,
	reasoningOf,
	type Turn,
} from '../../chat/conversation.ts';
import {messageRefusal, type ToolCall} from '../../chat/message.ts';
import {linesOfSources} from '../../chat/source.ts';
import type {ToolOutput} from '../../chat/tool.ts';
import {textOutput} from '../../chat/tool-output.ts';
import {findCodeBlocks} from '../../terminal/markdown/stream/code-blocks.ts';
import {plural, shorten} from '../../wording.ts';
import {describeCompactions} from '../compact/describe-compaction.ts';
import type {TranscriptEntry, Truncation} from '../state.ts';
import {
	answerText,
	callsIn,
	numbersOf,
	pastTurns,
	type ShownTurn,
	type TurnNumbers,
} from './shown-turns.ts';

/**
 * Returns a continued conversation's last turns, after the number of earlier ones.
 *
 * @param shown has these turns
 */
export function entriesOfPast(
	conversation: Conversation,
	shown: readonly ShownTurn[],
): readonly TranscriptEntry[] {
	const turns = pastTurns(conversation);
	const past = turns.flatMap((turn) => entriesOfTurn(turn, numbersOf(shown, turn)));
	const earlier = conversation.turns.filter(hasAnswer).length - turns.length;
	const compacted = describeCompactions(conversation).map(
		(text) => ({type: 'notice', text}) as const,
	);
	const count = {type: 'notice', text: plural(earlier, 'earlier turn')} as const;
	return [...(earlier > 0 ? [count] : []), ...compacted, ...past];
}

/** Returns a past turn's entries, with its prompt and its answer. */
export function entriesOfTurn(
	turn: Turn,
	{number, codeBlocksAbove, callsAbove}: TurnNumbers,
): readonly TranscriptEntry[] {
	let above = codeBlocksAbove;
	const messages = turn.messages.flatMap((message, index) => {
		const entries = entriesOfMessage(turn, message, index, {codeBlocksAbove: above, callsAbove});
		if (message.role === 'assistant') above += findCodeBlocks(answerText(message)).length;
		return entries;
	});
	const shown = [...messages, ...sourcesOf(turn), ...quotationsOf(turn), ...truncationOf(turn)];
	const answer = shown.findIndex(({type}) => type === 'answer');
	const place = answer === -1 ? shown.length : answer;
	const thought = summarizeReasoning(turn, number, false);
	return [{type: 'prompt', prompt: turn.prompt}, ...shown.toSpliced(place, 0, ...thought)];
}

function entriesOfMessage(
	{messages}: Turn,
	message: AnswerMessage,
	index: number,
	{codeBlocksAbove, callsAbove}: Omit<TurnNumbers, 'number'>,
): readonly TranscriptEntry[] {
	if (message.role === 'assistant') {
		const text = answerText(message);
		return text === '' ? [] : [{type: 'answer', text, codeBlocksAbove}];
	}
	const call = findCall(messages.slice(0, index), message.callId);
	const number = call && numberOfCall(call, messages.slice(0, index), callsAbove);
	return call === undefined ? [] : [toolEntry(call, message, number)];
}

/** Returns the last step's calls. */
function lastCalls(messages: readonly AnswerMessage[]): readonly ToolCall[] {
	const last = messages.findLast(({role}) => role === 'assistant');
	if (last?.role !== 'assistant') return [];
	return last.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

export function findCall(messages: readonly AnswerMessage[], wanted: string): ToolCall | undefined {
	return lastCalls(messages).find(({callId}) => callId === wanted);
}

/** Returns the last step's calls if they have no results, because nothing here runs them. */
export function openCallEntries(
	{messages}: OpenTurn,
	callsAbove: number,
): readonly TranscriptEntry[] {
	if (messages.at(-1)?.role === 'tool') return [];
	return lastCalls(messages).map((call) =>
		toolEntry(call, undefined, numberOfCall(call, messages, callsAbove)),
	);
}

/**
 * Returns the scrollback number of a call in the last step; undefined without calls above, in a
 * single answer.
 */
export function numberOfCall(
	call: ToolCall,
	messages: readonly AnswerMessage[],
	callsAbove: number | undefined,
): number | undefined {
	if (callsAbove === undefined) return undefined;
	return callsAbove + callsIn(messages).findLastIndex((each) => each.call === call) + 1;
}

export function toolEntry(
	call: ToolCall,
	result: ToolOutput | undefined,
	number: number | undefined,
): Extract<TranscriptEntry, {type: 'tool'}> {
	const {name, arguments: text} = call;
	const shown = result && {parts: result.parts, isError: result.isError};
	return {type: 'tool', name, arguments: text, result: shown, number};
}

const stopped = textOutput('stopped before it finished', true);
const notRun = textOutput('not run', true);

/**
 * Returns the calls cancelled by the end of the turn; running ones may have had an effect.
 *
 * @param count the messages before the end
 */
export function cancelledEntries(
	{messages}: Turn,
	count: number,
	running: readonly ToolCall[],
	callsAbove: number | undefined,
): readonly TranscriptEntry[] {
	return messages.slice(count).flatMap((message) => {
		const call = message.role === 'tool' ? findCall(messages, message.callId) : undefined;
		if (call === undefined) return [];
		const result = running.includes(call) ? stopped : notRun;
		return [toolEntry(call, result, numberOfCall(call, messages, callsAbove))];
	});
}

/** Returns the pages cited in a turn, if any. */
export function sourcesOf({messages}: Pick<Turn, 'messages'>): readonly TranscriptEntry[] {
	const sources = messages.flatMap((message) =>
		message.role === 'assistant' ? (message.sources ?? []) : [],
	);
	return sources.length === 0 ? [] : [{type: 'sources', lines: linesOfSources(sources)}];
}

/** Returns a turn's checked quotations, if any. */
export function quotationsOf({quotations = []}: Turn): readonly TranscriptEntry[] {
	return quotations.length === 0 ? [] : [{type: 'quotations', quotations}];
}

/** Returns an incomplete answer's end mark. */
export function truncationOf(turn: Turn): readonly Truncation[] {
	if (!hasAnswer(turn)) return cutOf(turn);
	if (turn.status !== 'complete') return [{type: 'truncation', reason: turn.status}];
	const isRefused = turn.messages.some(
		(message) => message.role === 'assistant' && messageRefusal(message) !== '',
	);
	return isRefused ? [{type: 'truncation', reason: 'refused'}] : cutOf(turn);
}

/** Returns the end mark for a reply cut off by the service, even before an answer. */
export function cutOf({cut}: Pick<Turn, 'cut'>): readonly Truncation[] {
	if (cut === undefined) return [];
	if (cut.kind === 'length') return [{type: 'truncation', reason: 'length'}];
	const word = cut.raw === 'content_filter' ? undefined : (cut.raw ?? undefined);
	return [{type: 'truncation', reason: 'filter', detail: word && shorten(word, maxWordLength)}];
}

const maxWordLength = 40;

/**
 * Returns the line for a turn's reasoning, if any.
 *
 * @param number the turn's number in the scrollback
 * @param isOpen whether the reasoning follows
 */
export function summarizeReasoning(
	turn: Turn | undefined,
	number: number | undefined,
	isOpen: boolean,
): readonly TranscriptEntry[] {
	if (turn === undefined || reasoningOf(turn) === '') return [];
	const {times, usage} = turn;
	const {reasoningMs} = times;
	return [{type: 'reasoning-summary', reasoningMs, tokens: usage?.reasoningTokens, number, isOpen}];
}

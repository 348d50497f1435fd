/** The tool calls of a turn, as they go into the scrollback. */
import type {Conversation} from '../chat/conversation.ts';
import type {ToolCall} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {type Effect, print} from './action.ts';
import type {ReplState} from './state.ts';

/** The calls of the last step. */
function lastCalls({messages}: Conversation): readonly ToolCall[] {
	const last = messages.findLast(({role}) => role === 'assistant');
	if (last?.role !== 'assistant') return [];
	return last.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

export function findCall(conversation: Conversation, wanted: string): ToolCall | undefined {
	return lastCalls(conversation).find(({callId}) => callId === wanted);
}

/** A single answer prints its open calls as its output. */
export function printOpenCalls({conversation, hasPrompt}: ReplState): readonly Effect[] {
	const isAnswered = conversation.messages.at(-1)?.role === 'tool';
	if (!hasPrompt || isAnswered) return [];
	return lastCalls(conversation).map((call) => printCall(call, undefined));
}

export function printCall(call: ToolCall, result: ToolOutput | undefined): Effect {
	return print({type: 'tool', name: call.name, arguments: call.arguments, result});
}

const stopped: ToolOutput = {output: 'stopped before it finished', isError: true};
const notRun: ToolOutput = {output: 'not run', isError: true};

/**
 * The calls that the end of a turn left without a result of their own.
 *
 * @param running those that may have done something by then
 */
export function printCancelled(
	after: Conversation,
	before: Conversation,
	running: readonly ToolCall[],
): readonly Effect[] {
	return after.messages.slice(before.messages.length).flatMap((message) => {
		const call = message.role === 'tool' ? findCall(after, message.callId) : undefined;
		return call === undefined ? [] : [printCall(call, running.includes(call) ? stopped : notRun)];
	});
}

/** The tool calls of a turn, as they go into the scrollback. */
import type {Conversation} from '../chat/conversation.ts';
import type {ToolCall} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import type {TranscriptEntry} from './state.ts';

/** The calls of the last step. */
function lastCalls({messages}: Conversation): readonly ToolCall[] {
	const last = messages.findLast(({role}) => role === 'assistant');
	if (last?.role !== 'assistant') return [];
	return last.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

export function findCall(conversation: Conversation, wanted: string): ToolCall | undefined {
	return lastCalls(conversation).find(({callId}) => callId === wanted);
}

/** The calls that nothing here runs. */
export function openCallEntries(conversation: Conversation): readonly TranscriptEntry[] {
	const isAnswered = conversation.messages.at(-1)?.role === 'tool';
	return isAnswered ? [] : lastCalls(conversation).map((call) => toolEntry(call, undefined));
}

export function toolEntry(call: ToolCall, result: ToolOutput | undefined): TranscriptEntry {
	const {name, arguments: text} = call;
	const shown = result && {output: result.output, isError: result.isError};
	return {type: 'tool', name, arguments: text, result: shown};
}

const stopped: ToolOutput = {output: 'stopped before it finished', isError: true};
const notRun: ToolOutput = {output: 'not run', isError: true};

/**
 * The calls that the end of a turn left without a result of their own.
 *
 * @param running those that may have done something by then
 */
export function cancelledEntries(
	after: Conversation,
	before: Conversation,
	running: readonly ToolCall[],
): readonly TranscriptEntry[] {
	return after.messages.slice(before.messages.length).flatMap((message) => {
		const call = message.role === 'tool' ? findCall(after, message.callId) : undefined;
		return call === undefined ? [] : [toolEntry(call, running.includes(call) ? stopped : notRun)];
	});
}

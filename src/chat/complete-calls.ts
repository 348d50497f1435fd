/** Calls and their results, which services accept only in pairs. */
import type {AssistantMessage, ToolMessage} from './message.ts';
import {textOutput} from './tool-output.ts';

type Answer = AssistantMessage | ToolMessage;

/** Cancels calls without a result, and leaves out results without a call. */
export function completeCalls(messages: readonly Answer[]): readonly Answer[] {
	const completed: Answer[] = [];
	let waiting = new Set<string>();
	const cancelWaiting = () => {
		for (const callId of waiting) {
			completed.push({role: 'tool', callId, ...textOutput('cancelled', true)});
		}
	};
	for (const message of messages) {
		if (message.role === 'tool') {
			if (waiting.delete(message.callId)) completed.push(message);
			continue;
		}
		cancelWaiting();
		const {parts} = message;
		waiting = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? part.call.callId : [])));
		completed.push(message);
	}
	cancelWaiting();
	return completed;
}

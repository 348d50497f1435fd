/**
 * Checks that calls and their results belong together: each result answers a call of the assistant
 * message before it, and none is left open when the conversation goes on.
 */
import {invalidRequest} from '../service-error.ts';
import type {RequestMessage} from './request.ts';

/** @throws {ServiceError} 400 that names the message where the order breaks. */
export function checkToolOrder(messages: readonly RequestMessage[]): void {
	let open = new Set<string>();
	let callerPath = '';
	for (const [index, message] of messages.entries()) {
		const path = `messages[${index}]`;
		if (message.role === 'tool') {
			closeCall(open, message.toolCallId ?? '', path);
			continue;
		}
		refuseOpenCalls(open, callerPath, path);
		open = new Set(message.toolCalls.map((call) => call.id));
		callerPath = `${path}.tool_calls`;
	}
	refuseOpenCalls(open, callerPath, callerPath);
}

function closeCall(open: Set<string>, id: string, path: string): void {
	if (open.delete(id)) return;
	const at = `${path}.tool_call_id`;
	const name = JSON.stringify(id.slice(0, 80));
	throw invalidRequest(at, `${at} ${name} answers no open call of the assistant message before it`);
}

function refuseOpenCalls(open: ReadonlySet<string>, callerPath: string, path: string): void {
	const [id] = open;
	if (id === undefined) return;
	const name = JSON.stringify(id.slice(0, 80));
	const message = `the call ${name} of ${callerPath} has no tool message; every call needs one before the conversation goes on`;
	throw invalidRequest(path, message);
}

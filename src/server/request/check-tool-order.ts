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
		callerPath = `${path}.tool_calls`;
		open = readIds(message, callerPath);
	}
	refuseOpenCalls(open, callerPath, callerPath);
}

function readIds({toolCalls}: RequestMessage, path: string): Set<string> {
	const ids = new Set<string>();
	for (const [index, {id}] of toolCalls.entries()) {
		const at = `${path}[${index}].id`;
		if (ids.has(id))
			throw invalidRequest(at, `${at} is the id of another call of the same message`);
		ids.add(id);
	}
	return ids;
}

function closeCall(open: Set<string>, id: string, path: string): void {
	if (open.delete(id)) return;
	const at = `${path}.tool_call_id`;
	const name = JSON.stringify(id.slice(0, 80));
	throw invalidRequest(
		at,
		`${at} ${name} does not answer an open call of the assistant message before it`,
	);
}

function refuseOpenCalls(open: ReadonlySet<string>, callerPath: string, path: string): void {
	const [id] = open;
	if (id === undefined) return;
	const name = JSON.stringify(id.slice(0, 80));
	const message = `the call ${name} of ${callerPath} has no tool message; every call needs one before the conversation goes on`;
	throw invalidRequest(path, message);
}

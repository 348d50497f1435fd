/**
 * Hides result parts from the SDK, which refuses a whole list or result for one unknown part. The
 * parts are checked one by one where they are read.
 */
import type {JSONRPCMessage} from '@modelcontextprotocol/client';
import {isJsonObject} from '../json.ts';

const fields = [
	'content',
	'contents',
	'messages',
	'prompts',
	'resources',
	'resourceTemplates',
	'tools',
] as const;

const hidden = 'chat/parts';

/** Changes an incoming message. */
export function hideParts(message: JSONRPCMessage): void {
	const result: unknown = 'result' in message ? message.result : undefined;
	if (!isJsonObject(result)) return;
	const lists = fields.filter((field) => field in result);
	const empty = Object.fromEntries(lists.map((field) => [field, []]));
	Object.assign(result, {[hidden]: {...result}, ...empty});
}

/** Returns a result with its parts as they came. */
export function showParts(result: Readonly<Record<string, unknown>>): unknown {
	return result[hidden] ?? result;
}

/** A request's tools and tool choice. */
import * as v from 'valibot';
import {jsonObject, optional} from '../../check-json.ts';
import {isJsonObject} from '../../json.ts';
import {invalidRequest} from '../service-error.ts';
import type {ChatRequest, RequestMessage, RequestTool} from './request.ts';

export const toolName = v.pipe(
	v.string(),
	v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
);

/** Arguments are an object, and so is their schema; everything else may be anything. */
export const parameters = v.pipe(
	jsonObject,
	v.forward(
		v.check(({type}) => type === undefined || type === 'object', 'must be "object"'),
		['type'],
	),
	v.forward(
		v.check(({properties = {}}) => isJsonObject(properties), 'must be an object'),
		['properties'],
	),
);

export const tools = v.array(
	v.pipe(
		v.object({
			type: v.literal('function'),
			function: v.object({
				name: toolName,
				description: optional(v.string()),
				parameters: optional(parameters),
			}),
		}),
		v.transform(({function: described}): RequestTool => {
			const {name, description = '', parameters: schema = {}} = described;
			return {name, description, parameters: schema};
		}),
	),
);

export const choiceWords = v.picklist(['auto', 'none', 'required']);

const named = v.pipe(
	v.object({type: v.literal('function'), function: v.object({name: v.string()})}),
	v.transform(({function: {name}}) => ({name})),
);

export const toolChoice = v.lazy((input) => (typeof input === 'string' ? choiceWords : named));

/**
 * @param path where a tool's name is in the body, and the choice's
 * @throws {ServiceError} 400 when two tools have one name, or the choice is not among them
 */
export function checkToolNames(
	{tools: known, toolChoice: choice}: Pick<ChatRequest, 'tools' | 'toolChoice'>,
	path: '.function.name' | '.name',
): void {
	const names = new Set<string>();
	for (const [index, {name}] of known.entries()) {
		const at = `tools[${index}]${path}`;
		if (names.has(name)) throw invalidRequest(at, `${at} "${name}" names another tool, too`);
		names.add(name);
	}
	if (choice === 'auto' || choice === 'none') return;
	if (names.size === 0) {
		throw invalidRequest('tool_choice', 'tool_choice asks for a call, but there are no tools');
	}
	if (choice === 'required' || names.has(choice.name)) return;
	const at = `tool_choice${path}`;
	throw invalidRequest(at, `${at} "${choice.name.slice(0, 64)}" is not one of the tools`);
}

/**
 * Checks that calls and results match: each result answers a call in the assistant message before
 * it, and no call is left open when the conversation goes on.
 *
 * @throws {ServiceError} 400 naming the message where the order breaks
 */
export function checkToolOrder(messages: readonly RequestMessage[]): void {
	let open = new Map<string, string>();
	const refuseOpen = (path?: string) => {
		const [call] = open;
		if (call === undefined) return;
		const rule = 'has no result; every call needs one before the conversation goes on';
		const [id, at] = call;
		throw invalidRequest(path ?? at, `the call ${quoteId(id)} at ${at} ${rule}`);
	};
	for (const {role, toolCallId = '', toolCalls, path} of messages) {
		if (role === 'tool') {
			const rule = 'does not answer an open call in the preceding assistant message';
			if (open.delete(toolCallId)) continue;
			throw invalidRequest(path, `${path} ${quoteId(toolCallId)} ${rule}`);
		}
		refuseOpen(path);
		open = new Map();
		for (const {id, path: at} of toolCalls) {
			if (open.has(id)) throw invalidRequest(at, `${at} is another call's id in the same message`);
			open.set(id, at);
		}
	}
	refuseOpen();
}

function quoteId(id: string): string {
	return JSON.stringify(id.slice(0, 80));
}

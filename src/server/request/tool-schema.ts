/** A request's tools and tool choice. */
import * as v from 'valibot';
import {jsonObject, optional} from '../../check-json.ts';
import {isJsonObject} from '../../json.ts';
import {invalidRequest} from '../service-error.ts';
import type {RequestMessage, RequestTool, RequestToolChoice} from './request.ts';

export const toolName = v.pipe(
	v.string(),
	v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
);

/** Arguments are an object, and so is their schema; everything else may be anything. */
const parameters = v.pipe(
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

const words = v.picklist(['auto', 'none', 'required']);

const named = v.pipe(
	v.object({type: v.literal('function'), function: v.object({name: v.string()})}),
	v.transform(({function: {name}}) => ({name})),
);

export const toolChoice = v.lazy((input) => (typeof input === 'string' ? words : named));

/** @throws {ServiceError} 400 when two tools have one name, or the choice is not among them. */
export function checkToolNames(known: readonly RequestTool[], choice: RequestToolChoice): void {
	const names = new Set<string>();
	for (const [index, {name}] of known.entries()) {
		const path = `tools[${index}].function.name`;
		if (names.has(name)) throw invalidRequest(path, `${path} "${name}" names another tool, too`);
		names.add(name);
	}
	if (choice === 'auto' || choice === 'none') return;
	if (names.size === 0) {
		throw invalidRequest('tool_choice', 'tool_choice asks for a call, but there are no tools');
	}
	if (choice === 'required' || names.has(choice.name)) return;
	const path = 'tool_choice.function.name';
	throw invalidRequest(path, `${path} "${choice.name.slice(0, 64)}" is not one of the tools`);
}

/**
 * Checks that calls and results match: each result answers a call in the assistant message before
 * it, and no call is left open when the conversation goes on.
 *
 * @throws {ServiceError} 400 naming the message where the order breaks
 */
export function checkToolOrder(messages: readonly RequestMessage[]): void {
	let open = new Set<string>();
	let caller = '';
	const refuseOpen = (path: string) => {
		const [id] = open;
		if (id === undefined) return;
		const rule = 'has no tool message; every call needs one before the conversation goes on';
		throw invalidRequest(path, `the call ${quoteId(id)} of ${caller} ${rule}`);
	};
	for (const [index, {role, toolCallId = '', toolCalls}] of messages.entries()) {
		const path = `messages[${index}]`;
		if (role === 'tool') {
			const at = `${path}.tool_call_id`;
			const rule = 'does not answer an open call in the preceding assistant message';
			if (open.delete(toolCallId)) continue;
			throw invalidRequest(at, `${at} ${quoteId(toolCallId)} ${rule}`);
		}
		refuseOpen(path);
		caller = `${path}.tool_calls`;
		open = new Set();
		for (const [place, {id}] of toolCalls.entries()) {
			const at = `${caller}[${place}].id`;
			if (open.has(id)) throw invalidRequest(at, `${at} is another call's id in the same message`);
			open.add(id);
		}
	}
	refuseOpen(caller);
}

function quoteId(id: string): string {
	return JSON.stringify(id.slice(0, 80));
}

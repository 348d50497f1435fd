/**
 * Checks the conversation: each message by its role, then that every tool call has its answer.
 */
import type {JsonObject} from '../../json.ts';
import type {Tier} from '../models.ts';
import {invalidRequest} from '../service-error.ts';
import {checkContent} from './check-content.ts';
import {checkToolOrder} from './check-tool-order.ts';
import {toolNamePattern} from './check-tools.ts';
import {
	type Check,
	checkArray,
	checkObject,
	checkString,
	checkWord,
	joinPath,
	readField,
	requireField,
} from './checks.ts';
import type {RequestMessage, RequestToolCall} from './request.ts';

const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

/** @throws {ServiceError} 400 that names the message or the field in it. */
export function checkMessages(value: unknown, tier: Tier): readonly RequestMessage[] {
	const checkItem: Check<RequestMessage> = (item, path) => checkMessage(item, path, tier);
	const messages = checkArray(checkItem)(value, 'messages');
	if (messages.length === 0) {
		throw invalidRequest('messages', 'messages must have at least one message');
	}
	checkToolOrder(messages);
	return messages;
}

function checkMessage(value: unknown, path: string, tier: Tier): RequestMessage {
	const message = checkObject(value, path);
	const wireRole = requireField(message, 'role', path, checkWord(roles));
	const role = wireRole === 'developer' ? 'system' : wireRole;
	readField(message, 'name', path, checkString);
	const toolCalls = role === 'assistant' ? readToolCalls(message, path) : [];
	const checkThis = (content: unknown, at: string) => checkContent(content, at, role, tier);
	const content =
		toolCalls.length > 0
			? readField(message, 'content', path, checkThis)
			: requireField(message, 'content', path, checkThis);
	return {
		role,
		text: content?.texts.join('\n') ?? '',
		texts: content?.texts ?? [],
		images: content?.images ?? [],
		toolCalls,
		toolCallId:
			role === 'tool' ? requireField(message, 'tool_call_id', path, checkText) : undefined,
	};
}

function readToolCalls(message: JsonObject, path: string): readonly RequestToolCall[] {
	const calls = readField(message, 'tool_calls', path, checkArray(checkToolCall)) ?? [];
	const seen = new Set<string>();
	for (const [index, call] of calls.entries()) {
		if (seen.has(call.id)) {
			const at = `${path}.tool_calls[${index}].id`;
			throw invalidRequest(at, `${at} is the id of another call of the same message`);
		}
		seen.add(call.id);
	}
	return calls;
}

const checkToolCall: Check<RequestToolCall> = (value, path) => {
	const call = checkObject(value, path);
	const id = requireField(call, 'id', path, checkText);
	requireField(call, 'type', path, checkWord(['function']));
	const functionPath = joinPath(path, 'function');
	const called = requireField(call, 'function', path, checkObject);
	const name = requireField(called, 'name', functionPath, checkString);
	if (!toolNamePattern.test(name)) {
		const at = `${functionPath}.name`;
		throw invalidRequest(at, `${at} must be 1 to 64 letters, digits, _ or -`);
	}
	return {id, name, arguments: requireField(called, 'arguments', functionPath, checkString)};
};

const checkText: Check<string> = (value, path) => {
	const text = checkString(value, path);
	if (text === '') throw invalidRequest(path, `${path} must not be empty`);
	return text;
};

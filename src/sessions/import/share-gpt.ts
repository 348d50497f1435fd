/** ShareGPT: data sets of conversations. */
import * as v from 'valibot';
import {type JsonObject, parseJsonObject} from '../../json.ts';
import {list, objectsOf, text, toolCall} from './fields.ts';
import type {ForeignConversation, ForeignMessage, ImportFormat} from './foreign.ts';
import {readEach} from './read-each.ts';

const conversationFields = v.object({
	id: text,
	title: text,
	model: text,
	system: text,
	conversations: list,
});
const messageFields = v.object({from: text, value: text});

export const shareGptFormat: ImportFormat = {
	name: 'sharegpt',
	detect: isConversation,
	read: readEach('ShareGPT', isConversation, readConversation),
};

function isConversation({conversations}: JsonObject): boolean {
	return (
		Array.isArray(conversations) &&
		objectsOf(conversations).some((message) => typeof message['from'] === 'string')
	);
}

function readConversation(value: JsonObject): ForeignConversation {
	const {id, title, model, system, conversations} = v.parse(conversationFields, value);
	const omitted: string[] = [];
	const messages = objectsOf(conversations).flatMap((message) => readMessage(message, omitted));
	return {
		...{id, title, model},
		messages: [{role: 'system', text: system}, ...messages],
		omitted,
	};
}

type ReadMessage = (text: string) => ForeignMessage;

const readPrompt: ReadMessage = (value) => ({role: 'user', text: value, attachments: []});
const readAnswer: ReadMessage = (value) => ({
	role: 'assistant',
	parts: value === '' ? [] : [{type: 'text', text: value}],
});
const readResult: ReadMessage = (value) => ({
	...{role: 'tool', callId: '', isError: false},
	parts: [{type: 'text', text: value}],
});

/** Data sets name the same people differently. */
const readers: ReadonlyMap<string, ReadMessage> = new Map([
	['system', (value): ForeignMessage => ({role: 'system', text: value})],
	['human', readPrompt],
	['user', readPrompt],
	['gpt', readAnswer],
	['assistant', readAnswer],
	['model', readAnswer],
	['chatgpt', readAnswer],
	['bing', readAnswer],
	['bard', readAnswer],
	['function_call', readCall],
	['tool_call', readCall],
	['observation', readResult],
	['tool', readResult],
	['tool_response', readResult],
]);

function readMessage(value: JsonObject, omitted: string[]): readonly ForeignMessage[] {
	const {from, value: content} = v.parse(messageFields, value);
	const read = readers.get(from.toLowerCase());
	if (read === undefined) omitted.push('message');
	return read === undefined ? [] : [read(content)];
}

/** A call without a name is text. */
function readCall(value: string): ForeignMessage {
	const {name, arguments: given} = parseJsonObject(value) ?? {};
	if (typeof name !== 'string') return readAnswer(value);
	return {role: 'assistant', parts: [toolCall('', name, given)]};
}

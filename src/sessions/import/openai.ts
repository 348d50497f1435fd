/** Messages of the chat-completions convention: requests, fine-tuning files, exports. */
import * as v from 'valibot';
import type {AssistantPart, ToolCallPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import type {JsonObject} from '../../json.ts';
import {buildSession} from './build-turns.ts';
import {anything, dateTime, list, object, objectsOf, seconds, text, toolCall} from './fields.ts';
import type {ForeignConversation, ForeignMessage, ImportFormat} from './foreign.ts';
import {attach, readAudio, readDocument, readImageUrl} from './media.ts';
import {readEach} from './read-each.ts';

const conversationFields = v.object({
	id: text,
	title: text,
	model: text,
	messages: list,
	created: seconds,
	created_at: dateTime,
	updated_at: dateTime,
});

const messageFields = v.object({
	role: text,
	content: anything,
	reasoning: text,
	reasoning_content: text,
	refusal: text,
	tool_calls: list,
	tool_call_id: text,
	function_call: object,
});

const callFields = v.object({id: text, function: object});
const functionFields = v.object({name: text, arguments: anything});

const partFields = v.object({
	type: text,
	text,
	refusal: text,
	image_url: anything,
	input_audio: object,
	file: object,
});
const imageFields = v.fallback(v.object({url: text}), {url: ''});
const audioFields = v.object({data: text});
const fileFields = v.object({filename: text, file_data: text});

/** `{messages: […]}`, as the only value, in an array or in lines. */
export const openAiFormat: ImportFormat = {
	name: 'openai',
	detect: hasMessages,
	read: readEach('chat completions', hasMessages, (value) => readConversation(value)),
};

/** An array, or lines, of messages: one conversation. */
export const openAiMessagesFormat: ImportFormat = {
	name: openAiFormat.name,
	detect: ({role, content, messages}) =>
		typeof role === 'string' && content !== undefined && messages === undefined,
	*read(pieces, {now}) {
		const messages: JsonObject[] = [];
		for (const {place, value} of pieces) {
			if (value === undefined) yield {place, problem: 'not a JSON object'};
			else messages.push(value);
		}
		yield {place: 'all', session: buildSession(readConversation({messages}), now)};
	},
};

function hasMessages({messages}: JsonObject): boolean {
	return Array.isArray(messages);
}

function readConversation(value: JsonObject): ForeignConversation {
	const {id, title, model, messages, created, created_at, updated_at} = v.parse(
		conversationFields,
		value,
	);
	const omitted: string[] = [];
	return {
		...{id, title, model},
		created: created_at ?? created,
		updated: updated_at,
		messages: objectsOf(messages).flatMap((message) => readMessage(message, omitted)),
		omitted,
	};
}

function readMessage(value: JsonObject, omitted: string[]): readonly ForeignMessage[] {
	const message = v.parse(messageFields, value);
	const {role, content, tool_call_id: callId} = message;
	switch (role) {
		case 'system':
		case 'developer':
			return [{role: 'system', text: textOf(content)}];
		case 'user':
			return [{role, text: textOf(content), attachments: readAttachments(content, omitted)}];
		case 'assistant':
			return [{role, parts: readAnswer(message)}];
		case 'tool':
		case 'function':
			return [
				{
					role: 'tool',
					callId,
					parts: [{type: 'text', text: textOf(content)}],
					isError: false,
				},
			];
		default:
			omitted.push('message');
			return [];
	}
}

function partsOf(content: unknown) {
	return Array.isArray(content) ? objectsOf(content).map((part) => v.parse(partFields, part)) : [];
}

function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	return partsOf(content)
		.map((part) => part.text)
		.join('');
}

function readAttachments(content: unknown, omitted: string[]): readonly Attachment[] {
	return partsOf(content).flatMap((part): readonly Attachment[] => {
		const read = attachmentReaders.get(part.type);
		if (read === undefined) return [];
		const attachment = read(part);
		if (attachment === undefined) omitted.push('attachment');
		return attachment === undefined ? [] : [attachment];
	});
}

type Part = v.InferOutput<typeof partFields>;

type ReadAttachment = (part: Part) => Attachment | undefined;

const attachmentReaders: ReadonlyMap<string, ReadAttachment> = new Map<string, ReadAttachment>([
	['image_url', readImage],
	['input_audio', readRecording],
	['file', readFile],
]);

function readImage({image_url: image}: Part): Attachment | undefined {
	const url = typeof image === 'string' ? image : v.parse(imageFields, image).url;
	const part = readImageUrl(url);
	return part && attach(part, '');
}

function readRecording({input_audio: audio}: Part): Attachment | undefined {
	const part = readAudio(v.parse(audioFields, audio).data);
	return part && attach(part, '');
}

function readFile({file}: Part): Attachment | undefined {
	const {filename, file_data: data} = v.parse(fileFields, file);
	const part = readDocument(data, filename);
	return part && attach(part, filename);
}

function readAnswer(message: v.InferOutput<typeof messageFields>): readonly AssistantPart[] {
	const {content, reasoning, reasoning_content, tool_calls, function_call} = message;
	const refusal = partsOf(content)
		.map((part) => part.refusal)
		.join('');
	const texts = [
		{type: 'reasoning', text: reasoning || reasoning_content},
		{type: 'text', text: textOf(content)},
		{type: 'refusal', text: message.refusal || refusal},
	] as const;
	const calls = objectsOf(tool_calls).map((value) => {
		const call = v.parse(callFields, value);
		return readCall(call.id, call.function);
	});
	const old = Object.hasOwn(function_call, 'name') ? [readCall('', function_call)] : [];
	return [...texts.filter((part) => part.text !== ''), ...calls, ...old];
}

function readCall(callId: string, value: JsonObject): ToolCallPart {
	const {name, arguments: given} = v.parse(functionFields, value);
	return toolCall(callId, name, given);
}

/** Chat-completions messages: requests, fine-tuning files, exports. */
import * as v from 'valibot';
import type {AssistantPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {textOutput} from '../../chat/tool-output.ts';
import type {JsonObject} from '../../json.ts';
import {buildSession} from './build-turns.ts';
import {
	answerOf,
	anyList,
	anything,
	dateTime,
	fieldsOf,
	listOf,
	objectsOf,
	seconds,
	text,
	toolCall,
} from './fields.ts';
import type {ForeignConversation, ForeignMessage, ImportFormat} from './foreign.ts';
import {attach, readAudio, readDocument, readImageUrl} from './media.ts';
import {readEach} from './read-each.ts';

const conversationFields = v.object({
	id: text,
	title: text,
	model: text,
	messages: anyList,
	created: seconds,
	created_at: dateTime,
	updated_at: dateTime,
});

const callEntries = {name: text, arguments: anything};

const messageFields = v.object({
	role: text,
	content: anything,
	reasoning: text,
	reasoning_content: text,
	refusal: text,
	tool_calls: listOf({id: text, function: fieldsOf(callEntries)}),
	tool_call_id: text,
	function_call: fieldsOf(callEntries),
});

const partsOf = v.parser(
	listOf({
		type: text,
		text,
		refusal: text,
		image_url: anything,
		input_audio: fieldsOf({data: text}),
		file: fieldsOf({filename: text, file_data: text}),
	}),
);
const imageFields = fieldsOf({url: text});

/** `{messages: […]}`, as the only value, in an array or in lines. */
export const openAiFormat: ImportFormat = {
	name: 'openai',
	detect: hasMessages,
	read: readEach('chat completions', hasMessages, (value) => readConversation(value)),
};

/** A message array, or message lines: one conversation. */
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
			return [{role: 'tool', callId, ...textOutput(textOf(content), false)}];
		default:
			omitted.push('message');
			return [];
	}
}

function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	return partsOf(content)
		.map((part) => part.text)
		.join('');
}

function readAttachments(content: unknown, omitted: string[]): readonly Attachment[] {
	return partsOf(content).flatMap(({type, image_url: image, input_audio: audio, file}) => {
		switch (type) {
			case 'image_url': {
				const url = typeof image === 'string' ? image : v.parse(imageFields, image).url;
				return attach(readImageUrl(url), '', omitted);
			}
			case 'input_audio':
				return attach(readAudio(audio.data), '', omitted);
			case 'file':
				return attach(readDocument(file.file_data, file.filename), file.filename, omitted);
			default:
				return [];
		}
	});
}

function readAnswer(message: v.InferOutput<typeof messageFields>): readonly AssistantPart[] {
	const {content, reasoning, reasoning_content, tool_calls, function_call: old} = message;
	const refusal = partsOf(content)
		.map((part) => part.refusal)
		.join('');
	const texts = {
		reasoning: reasoning || reasoning_content,
		text: textOf(content),
		refusal: message.refusal || refusal,
	};
	const calls = tool_calls.map(({id, function: called}) => {
		return toolCall(id, called.name, called.arguments);
	});
	return answerOf(texts, old.name ? [...calls, toolCall('', old.name, old.arguments)] : calls);
}

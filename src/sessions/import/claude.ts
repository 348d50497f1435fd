/** The data export of Claude: `conversations.json`. */
import * as v from 'valibot';
import type {AssistantPart, ToolOutputPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import type {JsonObject} from '../../json.ts';
import {anything, dateTime, flag, list, objectsOf, text, toolCall} from './fields.ts';
import type {ForeignConversation, ForeignMessage, ImportFormat} from './foreign.ts';
import {readEach} from './read-each.ts';
import {pathsOf} from './tree-paths.ts';

const conversationFields = v.object({
	uuid: text,
	name: text,
	model: text,
	created_at: dateTime,
	updated_at: dateTime,
	chat_messages: list,
	current_leaf_message_uuid: text,
});

const messageFields = v.object({
	uuid: text,
	parent_message_uuid: text,
	sender: text,
	text,
	content: list,
	created_at: dateTime,
	attachments: list,
	files: list,
});
type Message = v.InferOutput<typeof messageFields>;

const blockFields = v.object({
	type: text,
	text,
	thinking: text,
	id: text,
	name: text,
	input: anything,
	tool_use_id: text,
	content: anything,
	is_error: flag,
});
const attachmentFields = v.object({file_name: text, extracted_content: text});

export const claudeFormat: ImportFormat = {
	name: 'claude',
	detect: isConversation,
	read: readEach('Claude', isConversation, readConversation),
};

function isConversation({chat_messages}: JsonObject): boolean {
	return Array.isArray(chat_messages);
}

function readConversation(value: JsonObject): ForeignConversation {
	const fields = v.parse(conversationFields, value);
	const omitted: string[] = [];
	const messages = objectsOf(fields.chat_messages).map((message) =>
		v.parse(messageFields, message),
	);
	return {
		id: fields.uuid,
		title: fields.name,
		created: fields.created_at,
		updated: fields.updated_at,
		model: fields.model,
		...orderMessages(messages, fields.current_leaf_message_uuid, omitted),
		omitted,
	};
}

/** Exports of 2024 have lists without branches. */
function orderMessages(
	messages: readonly Message[],
	current: string,
	omitted: string[],
): Pick<ForeignConversation, 'messages' | 'branches'> {
	const nodes = new Map(
		messages.map((message) => {
			const {uuid, parent_message_uuid: parent} = message;
			return [uuid, {parent, read: () => readMessage(message, omitted)}];
		}),
	);
	const isTree = messages.some((message) => nodes.has(message.parent_message_uuid));
	return isTree
		? pathsOf(nodes, current, omitted)
		: {messages: messages.flatMap((message) => readMessage(message, omitted))};
}

function readMessage(message: Message, omitted: string[]): readonly ForeignMessage[] {
	const common = {id: message.uuid, at: message.created_at};
	const blocks = objectsOf(message.content).map((block) => v.parse(blockFields, block));
	for (const _ of message.files) omitted.push('file');
	if (message.sender === 'human') {
		const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
		const written = texts.join('\n\n') || message.text;
		return [
			{...common, role: 'user', text: written, attachments: readAttachments(message.attachments)},
		];
	}
	if (message.sender !== 'assistant') {
		omitted.push('message');
		return [];
	}
	const answers = blocks.flatMap((block): readonly ForeignMessage[] => {
		if (block.type === 'tool_result') {
			const {tool_use_id: callId, is_error: isError} = block;
			return [{...common, role: 'tool', callId, parts: readResult(block.content), isError}];
		}
		const part = readPart(block);
		return part === undefined ? [] : [{...common, role: 'assistant', parts: [part]}];
	});
	if (answers.length > 0 || message.text === '') return answers;
	return [{...common, role: 'assistant', parts: [{type: 'text', text: message.text}]}];
}

function readPart(block: v.InferOutput<typeof blockFields>): AssistantPart | undefined {
	if (block.type === 'tool_use') return toolCall(block.id, block.name, block.input);
	if (block.type === 'thinking')
		return block.thinking === '' ? undefined : {type: 'reasoning', text: block.thinking};
	return block.text === '' ? undefined : {type: 'text', text: block.text};
}

function readAttachments(attachments: readonly unknown[]): readonly Attachment[] {
	return objectsOf(attachments).map((value) => {
		const {file_name: name, extracted_content: content} = v.parse(attachmentFields, value);
		// A long paste has no name.
		return {type: 'file', name: name || 'paste.txt', text: content};
	});
}

function readResult(content: unknown): readonly ToolOutputPart[] {
	if (typeof content === 'string') return [{type: 'text', text: content}];
	if (!Array.isArray(content)) return [{type: 'text', text: ''}];
	const texts = objectsOf(content).map((value) => v.parse(blockFields, value).text);
	return [{type: 'text', text: texts.filter((part) => part !== '').join('\n')}];
}

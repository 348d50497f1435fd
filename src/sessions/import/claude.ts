/** Claude's data export: `conversations.json`. */
import * as v from 'valibot';
import type {AssistantPart} from '../../chat/message.ts';
import {textOutput} from '../../chat/tool-output.ts';
import type {JsonObject} from '../../json.ts';
import {anyList, anything, dateTime, flag, listOf, text, toolCall} from './fields.ts';
import type {ForeignConversation, ForeignMessage, ImportFormat} from './foreign.ts';
import {readEach} from './read-each.ts';
import {pathsOf} from './tree-paths.ts';

const contentFields = v.fallback(v.union([v.string(), listOf({text})]), '');

const messageEntries = {
	uuid: text,
	parent_message_uuid: text,
	sender: text,
	text,
	content: listOf({
		type: text,
		text,
		thinking: text,
		id: text,
		name: text,
		input: anything,
		tool_use_id: text,
		content: contentFields,
		is_error: flag,
	}),
	created_at: dateTime,
	attachments: listOf({file_name: text, extracted_content: text}),
	files: anyList,
};

const conversationFields = v.object({
	uuid: text,
	name: text,
	model: text,
	created_at: dateTime,
	updated_at: dateTime,
	chat_messages: listOf(messageEntries),
	current_leaf_message_uuid: text,
});

type Message = v.InferOutput<typeof conversationFields>['chat_messages'][number];
type Block = Message['content'][number];

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
	return {
		id: fields.uuid,
		title: fields.name,
		created: fields.created_at,
		updated: fields.updated_at,
		model: fields.model,
		...orderMessages(fields.chat_messages, fields.current_leaf_message_uuid, omitted),
		omitted,
	};
}

/** Exports from 2024 have lists without branches. */
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
	for (const _ of message.files) omitted.push('file');
	if (message.sender === 'human') {
		const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
		const written = texts.join('\n\n') || message.text;
		const attachments = message.attachments.map(({file_name: name, extracted_content}) => {
			// A long paste has no name.
			return {type: 'file', name: name || 'paste.txt', text: extracted_content} as const;
		});
		return [{...common, role: 'user', text: written, attachments}];
	}
	if (message.sender !== 'assistant') {
		omitted.push('message');
		return [];
	}
	const answers = message.content.flatMap((block): readonly ForeignMessage[] => {
		if (block.type === 'tool_result') {
			const {tool_use_id: callId, is_error: isError} = block;
			return [{...common, role: 'tool', callId, ...textOutput(readResult(block), isError)}];
		}
		const part = readPart(block);
		return part === undefined ? [] : [{...common, role: 'assistant', parts: [part]}];
	});
	if (answers.length > 0 || message.text === '') return answers;
	return [{...common, role: 'assistant', parts: [{type: 'text', text: message.text}]}];
}

function readPart(block: Block): AssistantPart | undefined {
	if (block.type === 'tool_use') return toolCall(block.id, block.name, block.input);
	if (block.type === 'thinking')
		return block.thinking === '' ? undefined : {type: 'reasoning', text: block.thinking};
	return block.text === '' ? undefined : {type: 'text', text: block.text};
}

function readResult({content}: Block): string {
	if (typeof content === 'string') return content;
	const texts = content.map((part) => part.text);
	return texts.filter((part) => part !== '').join('\n');
}

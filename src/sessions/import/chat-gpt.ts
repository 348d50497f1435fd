/** ChatGPT's data export: `conversations.json`, or one of its parts. */
import * as v from 'valibot';
import type {AssistantPart, ToolOutputPart} from '../../chat/message.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {anyList, fieldsOf, flag, listOf, object, seconds, text, toolCall} from './fields.ts';
import type {
	FindFile,
	ForeignConversation,
	ForeignMessage,
	ImportContext,
	ImportFormat,
} from './foreign.ts';
import {attach, type MediaAttachment, readImageFile} from './media.ts';
import {readEach} from './read-each.ts';
import {pathsOf} from './tree-paths.ts';

const conversationFields = v.object({
	id: text,
	conversation_id: text,
	title: text,
	create_time: seconds,
	update_time: seconds,
	mapping: object,
	current_node: text,
	default_model_slug: text,
});

const nodeFields = v.object({parent: text, message: object});

const messageFields = v.object({
	author: fieldsOf({role: text}),
	create_time: seconds,
	content: fieldsOf({
		content_type: text,
		parts: anyList,
		text,
		result: text,
		language: text,
		thoughts: listOf({summary: text, content: text}),
	}),
	recipient: text,
	metadata: fieldsOf({
		model_slug: text,
		is_visually_hidden_from_conversation: flag,
		finished_duration_sec: seconds,
		attachments: listOf({mime_type: text, mimeType: text}),
	}),
});
type Message = v.InferOutput<typeof messageFields>;
type Content = Message['content'];

const partFields = v.object({content_type: text, asset_pointer: text, text});

export const chatGptFormat: ImportFormat = {
	name: 'chatgpt',
	detect: isConversation,
	read: readEach('ChatGPT', isConversation, readConversation),
};

function isConversation({mapping}: JsonObject): boolean {
	return isJsonObject(mapping);
}

function readConversation(value: JsonObject, {findFile}: ImportContext): ForeignConversation {
	const fields = v.parse(conversationFields, value);
	const omitted: string[] = [];
	const nodes = new Map(
		Object.entries(fields.mapping).flatMap(([id, node]) => {
			if (!isJsonObject(node)) return [];
			const {parent, message} = v.parse(nodeFields, node);
			return [[id, {parent, read: () => readNode(id, message, findFile, omitted)}] as const];
		}),
	);
	return {
		id: fields.conversation_id || fields.id,
		title: fields.title,
		created: fields.create_time,
		updated: fields.update_time,
		model: fields.default_model_slug,
		...pathsOf(nodes, fields.current_node, omitted),
		omitted,
	};
}

function readNode(
	id: string,
	value: JsonObject,
	findFile: FindFile,
	omitted: string[],
): readonly ForeignMessage[] {
	const message = v.parse(messageFields, value);
	const {author, content, metadata} = message;
	if (metadata.is_visually_hidden_from_conversation) return [];
	const common = {id, at: message.create_time, model: metadata.model_slug};
	// The user's instructions for all conversations, and the memory.
	if (content.content_type.endsWith('_editable_context')) return [];
	const media = readParts(content, findFile, omitted);
	// The images are message parts; the other files are missing from the export.
	for (const {mime_type, mimeType} of metadata.attachments) {
		if (!(mime_type || mimeType).startsWith('image/')) omitted.push('file');
	}
	switch (author.role) {
		case 'system':
			return [{...common, role: 'system', text: media.text}];
		case 'user':
			return [{...common, role: 'user', ...media}];
		case 'assistant':
			return [
				{
					...common,
					role: 'assistant',
					parts: readAnswer(message, media.text),
					reasoningMs: metadata.finished_duration_sec,
				},
			];
		case 'tool':
			return [{...common, role: 'tool', callId: '', ...readResult(content, media)}];
		default:
			return [];
	}
}

type Media = {readonly text: string; readonly attachments: readonly MediaAttachment[]};

function readParts(content: Content, findFile: FindFile, omitted: string[]): Media {
	const texts: string[] = [];
	const attachments: MediaAttachment[] = [];
	for (const part of content.parts) {
		if (typeof part === 'string') texts.push(part);
		if (!isJsonObject(part)) continue;
		const {content_type, asset_pointer: pointer, text: spoken} = v.parse(partFields, part);
		const name = pointer.replace(/^[\w-]+:\/\//, '');
		if (spoken !== '') texts.push(spoken);
		else if (content_type !== 'image_asset_pointer') omitted.push('attachment');
		else attachments.push(...attach(readImageFile(name, findFile), name, omitted, 'image'));
	}
	const whole = texts.filter((one) => one !== '').join('\n') || content.text || content.result;
	return {text: whole.replace(citation, ''), attachments};
}

/** A place in a source list missing from the export. */
const citation = /\ue200(?:file)?cite\ue202[^\ue200\ue201]*\ue201/g;

function readAnswer({recipient, content}: Message, whole: string): readonly AssistantPart[] {
	const isCall = recipient !== '' && recipient !== 'all';
	const isCode = content.content_type === 'code';
	if (isCall) return [toolCall('', recipient, isCode ? codeOf(whole) : whole)];
	if (content.content_type === 'reasoning_recap') return [];
	if (content.content_type === 'thoughts') {
		const thoughts = content.thoughts
			.map((thought) => thought.content || thought.summary)
			.join('\n\n');
		return thoughts === '' ? [] : [{type: 'reasoning', text: thoughts}];
	}
	if (whole === '') return [];
	const fence = `\`\`\`${content.language.replace(/\W/g, '')}\n${whole}\n\`\`\``;
	return [{type: 'text', text: isCode ? fence : whole}];
}

/** A program is sent as it is, not in the form of arguments. */
function codeOf(program: string): unknown {
	return program.trimStart().startsWith('{') ? program : {code: program};
}

function readResult(
	{content_type}: Content,
	{text: output, attachments}: Media,
): {readonly parts: readonly ToolOutputPart[]; readonly isError: boolean} {
	const images = attachments.flatMap(({part}) => (part.type === 'image' ? [part] : []));
	return {
		parts: [{type: 'text', text: output}, ...images],
		isError: content_type === 'system_error',
	};
}

/** pi: a file for each conversation, whose records name the one before them since version 2. */
import * as v from 'valibot';
import {writeDataUrl} from '../../data-url.ts';
import type {JsonObject} from '../../json.ts';
import {anything, dateTime, fieldsOf, flag, link, listOf, plainText, text} from './fields.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

const recordFields = v.object({
	...{type: text, id: text, parentId: link, timestamp: dateTime, cwd: text, name: text},
	...{modelId: text, summary: text},
	message: fieldsOf({
		...{role: text, content: anything, model: text, toolCallId: text, isError: flag},
		...{command: text, output: text},
	}),
});
type Fields = v.InferOutput<typeof recordFields>;

const blocksOf = v.parser(
	listOf({
		...{type: text, text, thinking: text, id: text, name: text, arguments: anything},
		...{data: text, mimeType: text},
	}),
);

export const piFormat = readLog({
	name: 'pi',
	detect: ({type, timestamp, cwd}) =>
		type === 'session' && typeof timestamp === 'string' && typeof cwd === 'string',
	read(value: JsonObject): LogRecord {
		const fields = v.parse(recordFields, value);
		const {type, id, parentId: parent, timestamp: at, cwd, modelId, message} = fields;
		if (type === 'session') return {about: {id, created: at, cwd}};
		const about = type === 'session_info' ? {title: fields.name, isChosen: true} : {};
		return {id, parent, at, about, model: message.model || modelId, said: sayWhat(fields)};
	},
});

function sayWhat({type, summary, message}: Fields): readonly Said[] {
	if (type === 'compaction' || type === 'branch_summary') return [{type: 'summary', text: summary}];
	if (type !== 'message') return [];
	const {role, content, toolCallId, isError, command, output} = message;
	switch (role) {
		case 'user':
			return sayUser(content);
		case 'assistant':
			return blocksOf(content).flatMap((block): readonly Said[] => {
				if (block.type === 'thinking') return [{type: 'reasoning', text: block.thinking}];
				if (block.type !== 'toolCall') return [{type: 'text', text: block.text}];
				return [{type: 'call', id: block.id, name: block.name, input: block.arguments}];
			});
		case 'toolResult':
			return [{type: 'result', id: toolCallId, text: plainText(content), isError}];
		case 'bashExecution':
			return [{type: 'prompt', text: `!${command}\n\n${output}`.trim()}];
		default:
			return [{type: 'left-out', what: 'injected text'}];
	}
}

function sayUser(content: unknown): readonly Said[] {
	const images = blocksOf(content).flatMap(({type, mimeType, data}) =>
		type === 'image' ? [writeDataUrl({mime: mimeType, base64: data})] : [],
	);
	return [{type: 'prompt', text: plainText(content), images}];
}

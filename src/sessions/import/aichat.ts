/** aichat: a file of YAML for each conversation, which is saved as a whole. */
import {basename} from 'node:path';
import * as v from 'valibot';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {anything, fieldsOf, listOf, objectsOf, plainText, text} from './fields.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

/** Marks an object read from YAML, in `unpack.ts`. */
export const yamlMark = 'chat-import-yaml';

const recordFields = v.object({model: text, role: text, content: anything});

const contentOf = v.parser(
	fieldsOf({
		text,
		tool_results: listOf({
			call: fieldsOf({id: text, name: text, arguments: anything}),
			output: anything,
		}),
	}),
);

const imagesOf = v.parser(listOf({image_url: fieldsOf({url: text})}));

export const aichatFormat = readLog({
	name: 'aichat',
	detect: ({[yamlMark]: mark, messages}) => mark !== undefined && Array.isArray(messages),
	split: ({messages, compressed_messages: older, model = ''}) => [
		{model},
		...objectsOf(older),
		...objectsOf(messages),
	],
	read(value: JsonObject): LogRecord {
		const {model, role, content} = v.parse(recordFields, value);
		// `openai:gpt-4o` has the name of a client before it.
		return {model: model.replace(/^[^:]*:/, ''), said: sayWhat(role, content)};
	},
	nameFile: (path) => basename(path).replace(/\.ya?ml$/i, ''),
	findTitle: ({path}) => path && basename(path).replace(/^\d{8}T\d{6}-|\.ya?ml$/gi, ''),
});

function sayWhat(role: string, content: unknown): readonly Said[] {
	switch (role) {
		case 'system':
			return [{type: 'system', text: plainText(content)}];
		case 'user': {
			const images = imagesOf(content).map(({image_url: {url}}) => url);
			return [{type: 'prompt', text: plainText(content), images: images.filter(Boolean)}];
		}
		case 'assistant':
		case 'tool':
			return sayAnswer(content);
		default:
			return [];
	}
}

function sayAnswer(content: unknown): readonly Said[] {
	const {text: own, tool_results: results} = contentOf(content);
	const [, reasoning = '', answer = ''] =
		/^\s*(?:<think>([\s\S]*?)<\/think>)?([\s\S]*)$/.exec(
			isJsonObject(content) ? own : plainText(content),
		) ?? [];
	return [
		{type: 'reasoning', text: reasoning.trim()},
		{type: 'text', text: answer.trim()},
		...results.map(({call, output}): Said => {
			const result = {text: plainText(output) || JSON.stringify(output ?? ''), isError: false};
			return {type: 'call', id: call.id, name: call.name, input: call.arguments, result};
		}),
	];
}

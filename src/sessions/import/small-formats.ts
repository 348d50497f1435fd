/** Formats of a few fields: gptme's log, the export of crush, and ATIF, which several agents write. */
import {basename, dirname} from 'node:path';
import * as v from 'valibot';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {
	anything,
	dateTime,
	fieldsOf,
	flag,
	listOf,
	moment,
	objectsOf,
	plainText,
	text,
} from './fields.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

const gptmeFields = v.object({
	...{role: text, content: text, timestamp: dateTime, hide: flag},
	metadata: fieldsOf({model: text}),
});

export const gptmeFormat = readLog({
	name: 'gptme',
	detect: ({role, content, timestamp}) =>
		typeof role === 'string' && typeof content === 'string' && typeof timestamp === 'string',
	read(value: JsonObject): LogRecord {
		const {role, content, timestamp: at, hide, metadata} = v.parse(gptmeFields, value);
		return {at, model: metadata.model, about: {created: at}, said: say(hide ? '' : role, content)};
	},
	nameFile: (path) =>
		basename(path) === 'conversation.jsonl' ? basename(dirname(path)) : undefined,
});

/** A system message is what a tool has printed, unless it is the first one. */
function say(role: string, content: string): readonly Said[] {
	if (role === 'user') return [{type: 'prompt', text: content}];
	if (role === 'assistant') return [{type: 'text', text: content}];
	if (role === '') return [{type: 'left-out', what: 'injected text'}];
	return [{type: 'result', id: '', text: content, isError: false}];
}

const crushFields = v.object({
	meta: fieldsOf({id: text, title: text, created: moment}),
	...{id: text, role: text, created: moment, model: text},
	parts: listOf({
		...{type: text, text, thinking: text, tool_call_id: text, id: text, name: text},
		...{input: anything, content: anything, is_error: flag},
	}),
});
type CrushPart = v.InferOutput<typeof crushFields>['parts'][number];

export const crushFormat = readLog({
	name: 'crush',
	detect: ({meta, messages}) =>
		isJsonObject(meta) && typeof meta['id'] === 'string' && Array.isArray(messages),
	split: ({messages, ...header}) => [header, ...objectsOf(messages)],
	read(value: JsonObject): LogRecord {
		const {meta, id, role, created: at, model, parts} = v.parse(crushFields, value);
		const said = parts.flatMap((part) => sayPart(role, part));
		return {id, at, model, said, about: {...meta, isChosen: true}};
	},
});

function sayPart(role: string, part: CrushPart): readonly Said[] {
	const {type, text: own, thinking, tool_call_id, id, name, input, content, is_error} = part;
	if (type === 'reasoning') return [{type, text: thinking || own}];
	if (type === 'tool_call') return [{type: 'call', id: tool_call_id || id, name, input}];
	if (type === 'tool_result') {
		return [{type: 'result', id: tool_call_id, text: plainText(content), isError: is_error}];
	}
	if (type !== 'text') return [];
	return [role === 'user' ? {type: 'prompt', text: own} : {type: 'text', text: own}];
}

const atifFields = v.object({
	...{session_id: text, agent: fieldsOf({model_name: text})},
	...{timestamp: dateTime, source: text, message: anything, model_name: text},
	reasoning_content: text,
	tool_calls: listOf({tool_call_id: text, function_name: text, arguments: anything}),
	observation: fieldsOf({results: listOf({source_call_id: text, content: anything})}),
});

export const atifFormat = readLog({
	name: 'atif',
	detect: ({schema_version, steps}) =>
		typeof schema_version === 'string' &&
		schema_version.startsWith('ATIF-') &&
		Array.isArray(steps),
	split: ({steps, ...header}) => [header, ...objectsOf(steps)],
	read(value: JsonObject): LogRecord {
		const fields = v.parse(atifFields, value);
		const {session_id: id, agent, timestamp: at, source, model_name, message} = fields;
		const shown = plainText(message);
		const results = new Map(fields.observation.results.map((one) => [one.source_call_id, one]));
		const calls = fields.tool_calls.map(
			({tool_call_id, function_name: name, arguments: input}): Said => {
				const found = results.get(tool_call_id);
				const result = found && {text: plainText(found.content), isError: false};
				return {type: 'call', id: tool_call_id, name, input, result};
			},
		);
		const reasoning = {type: 'reasoning', text: fields.reasoning_content} as const;
		const said = new Map<string, readonly Said[]>([
			['user', [{type: 'prompt', text: shown}]],
			['agent', [reasoning, {type: 'text', text: shown}, ...calls]],
			['system', [{type: 'left-out', what: 'injected text'}]],
		]);
		return {at, model: model_name || agent.model_name, about: {id}, said: said.get(source) ?? []};
	},
});

/** Copilot CLI: a file of events for each conversation. */
import {basename} from 'node:path';
import * as v from 'valibot';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {anything, dateTime, fieldsOf, listOf, plainText, text} from './fields.ts';
import {elements, sayPrompt} from './injected.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

const eventFields = v.object({
	...{type: text, id: text, timestamp: dateTime, agentId: text},
	data: fieldsOf({
		...{sessionId: text, context: fieldsOf({cwd: text}), content: text, source: text},
		...{reasoningText: text, newModel: text, model: text, selectedModel: text},
		toolRequests: listOf({toolCallId: text, name: text, arguments: anything}),
		...{toolCallId: text, result: anything, success: v.fallback(v.boolean(), true)},
	}),
});
type Fields = v.InferOutput<typeof eventFields>;

export const copilotFormat = readLog({
	name: 'copilot',
	detect: ({type, data}) =>
		typeof type === 'string' &&
		/^(?:session|user|assistant|tool)\.[a-z_]+$/.test(type) &&
		isJsonObject(data),
	read(value: JsonObject): LogRecord {
		const fields = v.parse(eventFields, value);
		const {type, id, timestamp: at, data} = fields;
		const isStart = type === 'session.start';
		return {
			...{id, at, said: sayWhat(fields)},
			model: data.newModel || data.model || data.selectedModel,
			about: isStart ? {id: data.sessionId, created: at, cwd: data.context.cwd} : {},
		};
	},
	findTitle({path = '', findFile}) {
		const file = basename(path) === 'events.jsonl' ? findFile('workspace.yaml') : undefined;
		const found = /^(?:name|summary): *(\S.*)$/m.exec(Buffer.from(file ?? []).toString('utf8'));
		return found?.[1]?.replace(/^(['"])(.*)\1$/, '$2');
	},
});

const injected = [elements('skill-context', 'current_datetime', 'system_notification')];

function sayWhat({type, agentId, data}: Fields): readonly Said[] {
	// A sub-agent's events are between the others.
	if (agentId !== '') return [];
	switch (type) {
		case 'user.message':
			return data.source.startsWith('skill-')
				? [{type: 'left-out', what: 'injected text'}]
				: sayPrompt(data.content, injected);
		case 'assistant.message':
			return [
				{type: 'reasoning', text: data.reasoningText},
				{type: 'text', text: data.content},
				...data.toolRequests.map(({toolCallId: id, name, arguments: input}): Said => {
					return {type: 'call', id, name, input};
				}),
			];
		case 'tool.execution_complete': {
			const {toolCallId: id, result, success} = data;
			return [{type: 'result', id, text: plainText(result), isError: !success}];
		}
		case 'subagent.started':
			return [{type: 'left-out', what: 'sub-agent'}];
		case 'system.message':
			return [{type: 'left-out', what: 'injected text'}];
		default:
			return type.startsWith('hook.start') ? [{type: 'left-out', what: 'hook'}] : [];
	}
}

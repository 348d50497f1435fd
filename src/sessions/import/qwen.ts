/** Qwen Code: a file for each conversation, whose records name the one before them. */
import * as v from 'valibot';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {anything, dateTime, fieldsOf, flag, link, text} from './fields.ts';
import {sayModelParts, sayUserParts} from './google-parts.ts';
import {elements} from './injected.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

const recordFields = v.object({
	...{uuid: text, parentUuid: link, sessionId: text, timestamp: dateTime, type: text},
	...{subtype: text, cwd: text, model: text, isSidechain: flag, provenance: text},
	message: fieldsOf({parts: anything}),
	systemPayload: fieldsOf({customTitle: text, titleSource: text}),
});
type Fields = v.InferOutput<typeof recordFields>;

export const qwenFormat = readLog({
	name: 'qwen',
	detect: ({sessionId, message}) =>
		typeof sessionId === 'string' && isJsonObject(message) && Array.isArray(message['parts']),
	read(value: JsonObject): LogRecord {
		const fields = v.parse(recordFields, value);
		const {uuid: id, parentUuid: parent, sessionId, timestamp: at, cwd, model} = fields;
		const {customTitle: title, titleSource} = fields.systemPayload;
		return {
			...{id, parent, at, model, said: sayWhat(fields)},
			about: {id: sessionId, created: at, cwd, title, isChosen: titleSource !== 'auto'},
		};
	},
});

const injected = [elements('system-reminder', 'hook_context', 'task-notification')];
/** Users' records that nobody typed. */
const unwritten = /^(?:notification|cron|background_task_completed|goal_runtime)$/;

function sayWhat({type, subtype, isSidechain, provenance, parentUuid, message}: Fields) {
	const leftOut = (what: string): readonly Said[] => [{type: 'left-out', what}];
	if (isSidechain) return parentUuid ? [] : leftOut('sub-agent');
	switch (type) {
		case 'assistant':
			return sayModelParts(message.parts);
		case 'user':
			return unwritten.test(subtype || provenance)
				? leftOut('injected text')
				: sayUserParts(message.parts, injected);
		case 'tool_result':
			return sayUserParts(message.parts, injected);
		default:
			return [];
	}
}

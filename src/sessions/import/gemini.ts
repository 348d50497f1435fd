/** Gemini CLI: a file of changes to a conversation; until 2026, one object. */
import * as v from 'valibot';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {anything, dateTime, fieldsOf, listOf, objectsOf, plainText, text} from './fields.ts';
import {readResponse, sayModelParts, sayUserParts} from './google-parts.ts';
import {elements} from './injected.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

const recordFields = v.object({
	...{id: text, timestamp: dateTime, type: text, content: anything, model: text},
	thoughts: listOf({subject: text, description: text}),
	toolCalls: listOf({id: text, name: text, args: anything, result: anything, status: text}),
	...{sessionId: text, startTime: dateTime, kind: text, summary: text},
	$set: anything,
	$rewindTo: text,
});
type Fields = v.InferOutput<typeof recordFields>;

export const geminiFormat = readLog({
	name: 'gemini',
	isUpdated: true,
	detect: ({sessionId, projectHash, startTime, id, type, content}) =>
		(typeof sessionId === 'string' && (projectHash ?? startTime) !== undefined) ||
		(typeof id === 'string' && content !== undefined && (type === 'user' || type === 'gemini')),
	split({messages, ...header}) {
		const records = objectsOf(messages);
		return records.length === 0 ? undefined : [header, ...records];
	},
	read,
});

function read(value: JsonObject): LogRecord | readonly LogRecord[] {
	const fields = v.parse(recordFields, value);
	const {id, timestamp: at, model, $set: change, $rewindTo: before} = fields;
	if (before !== '') return {goBack: {before}};
	if (!isJsonObject(change))
		return {id, at, model, said: sayWhat(fields), about: readAbout(fields)};
	const about = readAbout(v.parse(recordFields, change));
	// A summary may replace everything said so far.
	const isReplaced = Array.isArray(change['messages']);
	return [
		isReplaced ? {about, goBack: 'start'} : {about},
		...objectsOf(change['messages']).flatMap(read),
	];
}

function readAbout({sessionId: id, startTime: created, kind, summary: title}: Fields) {
	return {id, created, title, isSubAgent: kind === 'subagent'};
}

const injected = [elements('session_context', 'hook_context', 'system-reminder')];

function sayWhat({type, content, thoughts, toolCalls}: Fields): readonly Said[] {
	if (type === 'user') {
		const isCommand = /^\s*[/?]\w*\s*$/.test(plainText(content));
		const said = sayUserParts(content, injected);
		return isCommand
			? said.map((one) => (one.type === 'prompt' ? {...one, isCommand} : one))
			: said;
	}
	if (type !== 'gemini') return [];
	const reasoning = thoughts.map(({subject, description}) => {
		return [subject && `**${subject}**`, description].filter(Boolean).join('\n\n');
	});
	return [
		{type: 'reasoning', text: reasoning.join('\n\n')},
		...sayModelParts(content),
		...toolCalls.map(({id, name, args: input, result, status}): Said => {
			const [answer] = responsesOf(result);
			const given = answer && readResponse(answer.functionResponse.response);
			const isError = status === 'error' || given?.isError === true;
			return {type: 'call', id, name, input, result: given && {...given, isError}};
		}),
	];
}

const responsesOf = v.parser(listOf({functionResponse: fieldsOf({response: anything})}));

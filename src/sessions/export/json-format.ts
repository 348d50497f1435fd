/** The whole conversation as JSON, with all its branches; `output/schemas/conversation.schema.json` describes it. */
import {ChatError} from '../../errors.ts';
import {type JsonObject, parseJsonObject} from '../../json.ts';
import {
	checkConversation,
	type ExportedSession,
	type ReadExport,
	type ReadSession,
} from './exported-session.ts';

const format = 'chat-conversation';
const version = 1;

export function writeJson({id, title, created, model, conversation}: ExportedSession): string {
	const {system, turns, otherTurns} = conversation;
	const time = new Date(created).toISOString();
	const header = {format, version, id: id ?? null, title, created: time, model};
	return JSON.stringify({...header, system, turns, otherTurns}, undefined, 2);
}

export const readJson: ReadExport = (text) => {
	const value = parseJsonObject(text.replace(/^\ufeff/, ''));
	if (value === undefined) throw new ChatError('data', 'the file is not a JSON object');
	if (!isExport(value)) throw new ChatError('data', `the file has no "format": "${format}"`);
	return readJsonExport(value);
};

export function isExport(value: JsonObject): boolean {
	return value['format'] === format;
}

/** @throws {ChatError} `data` if it is not a conversation of this version */
export function readJsonExport(value: JsonObject): ReadSession {
	if (value['version'] !== version) {
		throw new ChatError('data', 'the file was written by a newer version of chat');
	}
	const {id, title, created, system, turns, otherTurns} = value;
	const time = Date.parse(String(created));
	return {
		id: typeof id === 'string' ? id : undefined,
		title: typeof title === 'string' ? title : undefined,
		created: Number.isNaN(time) ? undefined : time,
		conversation: checkConversation({system, turns, otherTurns}),
	};
}

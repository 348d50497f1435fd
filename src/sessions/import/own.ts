/** Conversations from `chat` itself: session files, and exports as JSON or Markdown. */
import {completeCalls} from '../../chat/complete-calls.ts';
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {mapAnswers} from '../export/exported-session.ts';
import {readMarkdown} from '../export/read-markdown.ts';
import {createMediaReader} from '../read-media.ts';
import {buildConversation, withUnanswered} from '../read-session.ts';
import {checkRecord, type RawRecord, type SessionRecord} from '../session-record.ts';
import {buildTree} from '../session-tree.ts';
import {endOf} from './build-turns.ts';
import {objectsOf} from './fields.ts';
import type {FoundSession, ImportFormat, Unreadable} from './foreign.ts';

/** Media missing from the records are beside the file, if anywhere. */
export const ownFormat: ImportFormat = {
	name: 'chat',
	detect: (value) => isHeader(value) || isOldExport(value),
	*read(pieces, {path}) {
		let found: Found | undefined;
		for (const {place, value = {}} of pieces) {
			const isOld = isOldExport(value);
			if (found === undefined || isOld || isHeader(value)) {
				if (found !== undefined) yield readRecords(found, path);
				found = {place, records: [], damaged: 0};
			}
			collect(found, isOld ? recordsOfOldExport(value) : [value]);
		}
		if (found !== undefined) yield readRecords(found, path);
	},
};

/** @param now the time of a conversation having none: a person may have written it */
export function readMarkdownFile(text: string, now: number): FoundSession | Unreadable {
	const place = 'line 1';
	try {
		return readRecords({place, records: [...readMarkdown(text, now)], damaged: 0}, undefined);
	} catch (error) {
		if (!(error instanceof ChatError)) throw error;
		return {place, problem: error.message};
	}
}

function isHeader({type, v}: JsonObject): boolean {
	return type === 'session' && typeof v === 'number';
}

/** A session's records. */
type Found = {
	readonly place: string;
	readonly records: SessionRecord[];
	/** How many others are not valid. */
	damaged: number;
};

function collect(found: Found, values: readonly RawRecord[]): void {
	for (const value of values) {
		const record = checkRecord(value);
		if (record === undefined) found.damaged += 1;
		else if (record !== 'unknown') found.records.push(record);
	}
}

/** A person may have removed a call's result; then the call is cancelled. */
function readRecords({place, records, damaged}: Found, path: string | undefined): FoundSession {
	const tree = buildTree(records);
	const {header, title, settings} = tree;
	const media = createMediaReader(path);
	const {draft, ...built} = buildConversation(tree, media);
	const conversation = mapAnswers(withUnanswered(built), completeCalls);
	const created = header && Date.parse(header.created);
	const {system} = conversation;
	const session = {
		...{id: header?.id ?? '', source: header?.source ?? undefined, title, created},
		updated: endOf(conversation.turns.at(-1)) ?? created,
		settings: settings ?? {model: '', service: '', system, options: {}},
		...{conversation, draft},
		omitted: {record: damaged, attachment: media.missing()},
	};
	return {place, session};
}

function isOldExport({format}: JsonObject): boolean {
	return format === 'chat-conversation';
}

/** Before it had records, an export was one object holding turns. */
function recordsOfOldExport(value: JsonObject): readonly RawRecord[] {
	const {id, created, title, model, system, turns, otherTurns} = value;
	let head: unknown = null;
	const path = objectsOf(turns).map((turn) => {
		const node = {turn, parent: head};
		head = turn['id'];
		return node;
	});
	return [
		{v: 1, type: 'session', id: id ?? path[0]?.turn['id'], created, cwd: ''},
		{type: 'title', text: title},
		{type: 'settings', model, service: '', system, options: {}},
		...[...path, ...objectsOf(otherTurns)].flatMap(recordsOfOldTurn),
		{type: 'head', at: head},
	];
}

function recordsOfOldTurn({turn, parent}: RawRecord): readonly RawRecord[] {
	const {id, model, prompt, times, messages, usage, ...rest} = objectOf(turn);
	const {startedAt, ...durations} = objectOf(times);
	const date = new Date(Number(startedAt));
	const at = Number.isNaN(date.getTime()) ? '' : date.toISOString();
	const user = {...objectOf(prompt), type: 'user', id, parent, model, at};
	const isAnswered = objectsOf(messages).length > 0 || usage !== undefined;
	return isAnswered
		? [user, {...rest, ...durations, type: 'answer', of: id, messages, usage}]
		: [user];
}

function objectOf(value: unknown): JsonObject {
	return isJsonObject(value) ? value : {};
}

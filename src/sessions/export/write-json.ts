/**
 * A conversation's records including their media; `output/schemas/conversation.schema.json`
 * describes them.
 */
import {toJsonLine} from '../../json.ts';
import {turnRecords} from '../turn-records.ts';
import type {ExportedSession} from './exported-session.ts';

/** Returns an array with a record a line. */
export function writeJsonExport(session: ExportedSession): string {
	return `[\n${linesOf(session).join(',\n')}\n]`;
}

/** Returns lines as in a session file. */
export function writeJsonLines(session: ExportedSession): string {
	return linesOf(session).join('\n');
}

function linesOf({id, title, created, model, conversation}: ExportedSession): readonly string[] {
	const [first] = conversation.turns;
	const {system} = conversation;
	const header = {
		...{v: 1, type: 'session'},
		// An unsaved conversation has its first turn's id: every export gives it the same.
		id: id ?? first?.id ?? 'none',
		created: new Date(created).toISOString(),
		cwd: '',
	};
	const settings = {type: 'settings', model, service: '', system, options: {}};
	const records = [header, {type: 'title', text: title}, settings, ...turnRecords(conversation)];
	return records.map((record) => toJsonLine(record).trimEnd());
}

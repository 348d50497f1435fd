/** The records of a conversation with their media in them; `output/schemas/conversation.schema.json` describes them. */
import {toJsonLine} from '../../json.ts';
import {turnRecords} from '../turn-records.ts';
import type {ExportedSession} from './exported-session.ts';

/** Returns an array with a record a line. */
export function writeJsonExport(session: ExportedSession): string {
	return `[\n${linesOf(session).join(',\n')}\n]`;
}

/** Returns lines as in the file of a session. */
export function writeJsonLines(session: ExportedSession): string {
	return linesOf(session).join('\n');
}

function linesOf({id, title, created, model, conversation}: ExportedSession): readonly string[] {
	const [first] = conversation.turns;
	const {system} = conversation;
	const header = {
		...{v: 1, type: 'session'},
		// A conversation that is not saved has the id of its first turn: it is the same in each export.
		id: id ?? first?.id ?? 'none',
		created: new Date(created).toISOString(),
		cwd: '',
	};
	const settings = {type: 'settings', model, service: '', system, options: {}};
	const records = [header, {type: 'title', text: title}, settings, ...turnRecords(conversation)];
	return records.map((record) => toJsonLine(record).trimEnd());
}

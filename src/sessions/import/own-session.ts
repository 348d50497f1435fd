/** The file of a saved session, as from another machine or a backup. */
import {createMediaReader} from '../read-media.ts';
import {buildConversation, withUnanswered} from '../read-session.ts';
import {checkRecord, type SessionRecord} from '../session-record.ts';
import {buildTree} from '../session-tree.ts';
import {endOf} from './build-turns.ts';
import type {FoundSession, ImportedSession, ImportFormat} from './foreign.ts';

/** Its images and other media are beside the file, if they are there. */
export const ownSessionFormat: ImportFormat = {
	name: 'chat',
	detect: ({type, v}) => type === 'session' && typeof v === 'number',
	*read(pieces, {path}) {
		let found: Found | undefined;
		for (const {place, value} of pieces) {
			const record = value && checkRecord(value);
			const isStart = record !== undefined && record !== 'unknown' && record.type === 'session';
			if (found !== undefined && isStart) yield finish(found, path);
			if (found === undefined || isStart) found = {place, records: [], damaged: 0};
			if (record === undefined) found.damaged += 1;
			else if (record !== 'unknown') found.records.push(record);
		}
		if (found !== undefined) yield finish(found, path);
	},
};

type Found = {readonly place: string; readonly records: SessionRecord[]; damaged: number};

function finish({place, records, damaged}: Found, path: string | undefined): FoundSession {
	return {place, session: readRecords(records, damaged, path)};
}

function readRecords(
	records: readonly SessionRecord[],
	damaged: number,
	path: string | undefined,
): ImportedSession {
	const tree = buildTree(records);
	const {header, title, settings} = tree;
	const media = createMediaReader(path);
	const {draft, ...built} = buildConversation(tree, media);
	const conversation = withUnanswered(built);
	const created = Date.parse(header?.created ?? '') || undefined;
	const {system} = conversation;
	return {
		...{id: header?.id ?? '', source: header?.source ?? undefined, title, created},
		updated: endOf(conversation.turns.at(-1)) ?? created,
		settings: settings ?? {model: '', service: '', system, options: {}},
		...{conversation, draft},
		omitted: {line: damaged, attachment: media.missing()},
	};
}

/** The conversations that were imported before, by where they come from. */
import {createHash} from 'node:crypto';
import {createRecordReader} from '../read-records.ts';
import {listSessionFiles} from '../session-files.ts';
import type {ImportedSession} from './foreign.ts';

/** Returns the ids of the saved sessions, by their sources. */
export function readSources(directory: string): Map<string, string> {
	const sources = new Map<string, string>();
	for (const {id, path} of listSessionFiles(directory)) {
		const [first] = createRecordReader(path, true).records();
		const source = first?.type === 'session' ? first.source : undefined;
		sources.set(source ?? sourceOfOwn(id), id);
	}
	return sources;
}

function sourceOfOwn(id: string): string {
	return `chat:${id}`;
}

const maxIdLength = 100;

/** Names a conversation in the same way each time: by its id, or by what was said. */
export function sourceOf(code: string, session: ImportedSession): string {
	const {id, source, conversation, draft} = session;
	if (source !== undefined) return source;
	if (id !== '' && id.length <= maxIdLength) return `${code}:${id}`;
	const {system, turns} = conversation;
	const said = turns.map(({prompt, messages}) => [prompt.text, messages]);
	const content = JSON.stringify([id, system, said, draft?.prompt.text]);
	const hash = createHash('sha256').update(content);
	return `${code}:sha256-${hash.digest('hex').slice(0, 32)}`;
}

/** Conversations imported before, by their sources. */
import {createHash} from 'node:crypto';
import {createRecordReader} from '../read-records.ts';
import {listSessionFiles, type SessionFile} from '../session-files.ts';
import type {ImportedSession} from './foreign.ts';

/** Returns the saved sessions, by their sources. */
export function readSources(directory: string): Map<string, SessionFile> {
	const sources = new Map<string, SessionFile>();
	for (const file of listSessionFiles(directory)) {
		const source = readSource(file);
		if (source) sources.set(source, file);
		// An export of the session itself may be imported.
		sources.set(`chat:${file.id}`, file);
	}
	return sources;
}

function readSource({path}: SessionFile): string | null | undefined {
	try {
		const [first] = createRecordReader(path, true).records();
		return first?.type === 'session' ? first.source : undefined;
	} catch {
		// An unreadable file must not stop an import.
		return undefined;
	}
}

const maxIdLength = 100;

/** Names a conversation in the same way each time: by its id, or by what was said. */
export function sourceOf(format: string, session: ImportedSession): string {
	const {id, source, conversation, draft} = session;
	if (source !== undefined) return source;
	if (id !== '' && id.length <= maxIdLength) return `${format}:${id}`;
	const {system, turns} = conversation;
	const said = turns.map(({prompt, messages}) => [prompt.text, messages]);
	const content = JSON.stringify([id, system, said, draft?.prompt.text]);
	const hash = createHash('sha256').update(content);
	return `${format}:sha256-${hash.digest('hex').slice(0, 32)}`;
}

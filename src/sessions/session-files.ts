/** The files of sessions: their names, and how they are found. */
import {existsSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';

export type SessionFile = {
	readonly id: string;
	readonly path: string;
	/** Milliseconds since 1970. */
	readonly updated: number;
};

const sessionsFolder = 'sessions';
const blobsFolder = 'blobs';

export function blobPath(directory: string, blob: string): string {
	return join(directory, blobsFolder, blob);
}

/** Returns the sessions, the last updated first. */
export function listSessionFiles(directory: string): readonly SessionFile[] {
	const root = join(directory, sessionsFolder);
	if (!existsSync(root)) return [];
	const files = readdirSync(root, {recursive: true, encoding: 'utf8'}).flatMap((name) => {
		const id = /-([0-9a-z]+)\.jsonl$/.exec(name)?.[1];
		const path = join(root, name);
		const stats = id === undefined ? undefined : statSync(path, {throwIfNoEntry: false});
		return id === undefined || stats?.isFile() !== true
			? []
			: [{id, path, updated: Math.round(stats.mtimeMs)}];
	});
	return files.sort((a, b) => b.updated - a.updated);
}

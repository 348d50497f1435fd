/**
 * Attachments from earlier versions, which kept those of all sessions in one folder. Nothing is
 * added to it, so one named by no session is garbage.
 */
import {existsSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {ChatError} from '../errors.ts';
import {readInput} from '../schedule-after-input.ts';
import {readLines} from './read-lines.ts';
import type {SessionFile} from './session-files.ts';
import {mediaFolder, oldBlobsFolder} from './session-path.ts';

export type OldBlob = {
	readonly path: string;
	readonly attachments: 1;
	readonly bytes: number;
};

/**
 * Returns the files no session needs: none names them, or has its own copy instead.
 *
 * @param sessions those keeping their attachments
 * @param candidates the names to look at; undefined means all
 */
export async function findUnnamedBlobs(
	directory: string,
	sessions: readonly SessionFile[],
	candidates?: ReadonlySet<string>,
): Promise<readonly OldBlob[]> {
	const folder = oldBlobsFolder(directory);
	const unnamed = new Set(namesIn(folder).filter((name) => candidates?.has(name) !== false));
	for (const session of sessions) {
		if (unnamed.size === 0) return [];
		const own = mediaFolder(session.path);
		for (const name of findBlobs(session)) {
			if (!existsSync(join(own, name))) unnamed.delete(name);
		}
		// A session list on a screen hears keys meanwhile.
		await readInput();
	}
	return [...unnamed].flatMap((name) => {
		const path = join(folder, name);
		const stats = statSync(path, {throwIfNoEntry: false});
		return stats?.isFile() === true ? [{path, attachments: 1, bytes: stats.size}] : [];
	});
}

/** Returns none for a missing folder. */
export function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

const blobName = /sha256-[0-9a-f]{64}/g;

/**
 * Returns the attachments' names in the records; none for a deleted session.
 *
 * @throws {ChatError} `input` when the file cannot be read: then all may be in use
 */
export function findBlobs({id, path}: Pick<SessionFile, 'id' | 'path'>): ReadonlySet<string> {
	const found = new Set<string>();
	try {
		for (const line of readLines(path)) {
			if (!line.includes('sha256-')) continue;
			for (const [name] of line.toString('latin1').matchAll(blobName)) found.add(name);
		}
	} catch (cause) {
		const {code, message} = cause as NodeJS.ErrnoException;
		if (code !== 'ENOENT') throw new ChatError('input', `cannot read ${id}: ${message}`, {cause});
	}
	return found;
}

/** Finds and deletes attachments that no session has. */
import {existsSync, readdirSync, renameSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {ChatError} from '../errors.ts';
import {readLines} from './read-lines.ts';
import {blobPath, type SessionFile} from './session-files.ts';

export type DeletedBlobs = {readonly blobs: number; readonly bytes: number};

export type LooseBlob = {readonly name: string; readonly path: string; readonly bytes: number};

/**
 * @param sessions those that keep their blobs
 * @param before the time since when none of the blobs may have been stored
 */
export function findLooseBlobs(
	directory: string,
	sessions: readonly SessionFile[],
	before: number,
): readonly LooseBlob[] {
	const folder = blobPath(directory, '');
	if (!existsSync(folder)) return [];
	const blobs = readdirSync(folder).flatMap((name) => {
		const path = join(folder, name);
		const stats = statSync(path, {throwIfNoEntry: false});
		const isOld = stats?.isFile() === true && stats.mtimeMs < before;
		return isOld ? [{name, path, bytes: stats.size}] : [];
	});
	if (blobs.length === 0) return [];
	const named = new Set(sessions.flatMap((session) => [...findBlobs(session)]));
	return blobs.filter(({name}) => !named.has(name));
}

const blobName = /sha256-[0-9a-f]{64}/g;

/**
 * Returns none for a session that is gone.
 *
 * @throws {ChatError} `input` when the file cannot be read: then all blobs may be in use
 */
export function findBlobs({id, path}: SessionFile): ReadonlySet<string> {
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

/** Deletes the blobs, except those that a run has stored again in the meantime. */
export function deleteBlobs(blobs: readonly LooseBlob[], before: number): DeletedBlobs {
	const deleted = blobs.filter(({path}) => deleteBlob(path, before));
	return {blobs: deleted.length, bytes: deleted.reduce((sum, {bytes}) => sum + bytes, 0)};
}

/** Under another name it is out of reach: a run that stores it now writes a new file. */
function deleteBlob(path: string, before: number): boolean {
	const aside = `${path}.deleted`;
	try {
		renameSync(path, aside);
		const isStillLoose = statSync(aside).mtimeMs < before;
		if (isStillLoose) rmSync(aside);
		else renameSync(aside, path);
		return isStillLoose;
	} catch (cause) {
		const {code, message} = cause as NodeJS.ErrnoException;
		// Another run deletes it, too.
		if (code === 'ENOENT') return false;
		throw new ChatError('output', `cannot delete ${path}: ${message}`, {cause});
	}
}

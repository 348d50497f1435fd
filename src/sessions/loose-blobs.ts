/** Finds and deletes attachments that no session has. */
import {existsSync, readdirSync, renameSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
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
	const named = new Set(sessions.flatMap(({path}) => [...findBlobs(path)]));
	return blobs.filter(({name}) => !named.has(name));
}

const blobName = /sha256-[0-9a-f]{64}/g;

/** @throws the system's error when the file cannot be read */
export function findBlobs(path: string): ReadonlySet<string> {
	const found = new Set<string>();
	for (const line of readLines(path)) {
		if (!line.includes('sha256-')) continue;
		for (const [name] of line.toString('latin1').matchAll(blobName)) found.add(name);
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
	renameSync(path, aside);
	const isStillLoose = statSync(aside).mtimeMs < before;
	if (isStillLoose) rmSync(aside);
	else renameSync(aside, path);
	return isStillLoose;
}

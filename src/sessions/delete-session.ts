/** Deletes a session, with the attachments that no other session has. */
import {rmSync} from 'node:fs';
import {readLines} from './read-lines.ts';
import {blobPath, listSessionFiles, type SessionFile} from './session-files.ts';

const blobName = /sha256-[0-9a-f]{64}/g;

/** @throws the system's error when it cannot be deleted */
export function deleteSession({path}: SessionFile, directory: string): void {
	const blobs = findBlobs(path);
	rmSync(path);
	if (blobs.size === 0) return;
	for (const other of listSessionFiles(directory)) {
		for (const blob of findBlobs(other.path)) blobs.delete(blob);
	}
	for (const blob of blobs) rmSync(blobPath(directory, blob), {force: true});
}

function findBlobs(path: string): Set<string> {
	const found = new Set<string>();
	for (const line of readLines(path)) {
		if (!line.includes('sha256-')) continue;
		for (const [blob] of line.toString('latin1').matchAll(blobName)) found.add(blob);
	}
	return found;
}

/** A session's paths. Apart from the session list, so a run only saving loads one file. */
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';

export const sessionsFolder = 'sessions';

/** Returns a new session's path: `sessions/2026/11/22T024745Z-k3f9q2xw.jsonl`. */
export function sessionPath(directory: string, id: string, created: number): string {
	const [date = '', time = ''] = new Date(created).toISOString().split('T');
	const [year = '', month = '', day = ''] = date.split('-');
	const name = `${day}T${time.slice(0, 8).replaceAll(':', '')}Z-${id}.jsonl`;
	return join(directory, sessionsFolder, year, month, name);
}

/** Returns the folder for a session's images, PDFs and recordings. */
export function mediaFolder(path: string): string {
	return path.replace(/\.jsonl$/, '.media');
}

/** Returns the path for writing a replacement of a session file. */
export function draftPath(path: string): string {
	return `${path}.new`;
}

/** Returns the saved conversations' folder containing a session file. */
export function directoryOf(path: string): string {
	return join(dirname(path), '..', '..', '..');
}

/** Returns the folder where earlier versions kept all sessions' media. */
export function oldBlobsFolder(directory: string): string {
	return join(directory, 'blobs');
}

/** Whether anything has ever been saved there. */
export function hasSessions(directory: string): boolean {
	return existsSync(join(directory, sessionsFolder));
}

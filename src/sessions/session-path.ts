/** The paths of a session. Apart from the list of sessions, so that a run that only saves loads one file. */
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';

export const sessionsFolder = 'sessions';

/** Returns the path of a new session: `sessions/2026/11/22T024745Z-k3f9q2xw.jsonl`. */
export function sessionPath(directory: string, id: string, created: number): string {
	const [date = '', time = ''] = new Date(created).toISOString().split('T');
	const [year = '', month = '', day = ''] = date.split('-');
	const name = `${day}T${time.slice(0, 8).replaceAll(':', '')}Z-${id}.jsonl`;
	return join(directory, sessionsFolder, year, month, name);
}

/** Returns the folder of the images, PDFs and recordings of a session. */
export function mediaFolder(path: string): string {
	return path.replace(/\.jsonl$/, '.media');
}

/** Returns where a file is written before it replaces that of a session. */
export function draftPath(path: string): string {
	return `${path}.new`;
}

/** Returns the folder of saved conversations that the file of a session is in. */
export function directoryOf(path: string): string {
	return join(dirname(path), '..', '..', '..');
}

/** Returns the folder in which earlier versions kept the media of all sessions. */
export function oldBlobsFolder(directory: string): string {
	return join(directory, 'blobs');
}

/** Whether anything has ever been saved there. */
export function hasSessions(directory: string): boolean {
	return existsSync(join(directory, sessionsFolder));
}

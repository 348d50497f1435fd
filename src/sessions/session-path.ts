/** The path of a new session. Apart from the other paths, so that a run that only saves loads one file. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';

export const sessionsFolder = 'sessions';

/** Returns the path of a new session: `sessions/2026/11/22T024745Z-k3f9q2xw.jsonl`. */
export function sessionPath(directory: string, id: string, created: number): string {
	const [date = '', time = ''] = new Date(created).toISOString().split('T');
	const [year = '', month = '', day = ''] = date.split('-');
	const name = `${day}T${time.slice(0, 8).replaceAll(':', '')}Z-${id}.jsonl`;
	return join(directory, sessionsFolder, year, month, name);
}

/** Whether anything has ever been saved there. */
export function hasSessions(directory: string): boolean {
	return existsSync(join(directory, sessionsFolder));
}

/** Session files: their names, and how they are found. */
import {existsSync, readdirSync, statSync} from 'node:fs';
import {join, sep} from 'node:path';
import {ChatError} from '../errors.ts';
import {sessionsFolder} from './session-path.ts';

export type SessionFile = {
	readonly id: string;
	readonly path: string;
	/** Milliseconds since 1970. */
	readonly updated: number;
};

/**
 * Returns the sessions, the last updated first.
 *
 * @param isWanted leaves sessions out by their ids, without a look at their files
 * @param most the number of files to look at: the newest ones
 * @throws {ChatError} `input` if a folder cannot be read
 */
export function listSessionFiles(
	directory: string,
	isWanted: (id: string) => boolean = () => true,
	most = Number.POSITIVE_INFINITY,
): readonly SessionFile[] {
	const root = join(directory, sessionsFolder);
	if (!existsSync(root)) return [];
	try {
		// Twice as fast as a recursive list.
		const months = foldersIn(root).flatMap(foldersIn).sort().reverse();
		const files: SessionFile[] = [];
		let left = most;
		for (const month of months) {
			if (left <= 0) break;
			const names = readdirSync(month).filter((name) => name.endsWith('.jsonl'));
			const newest = names.length > left ? names.sort().slice(-left) : names;
			for (const name of newest) files.push(...statFile(month, name, isWanted));
			left -= newest.length;
		}
		return files.sort((a, b) => b.updated - a.updated);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('input', `cannot read the saved conversations: ${message}`, {cause});
	}
}

function foldersIn(path: string): readonly string[] {
	return readdirSync(path, {withFileTypes: true})
		.filter((entry) => entry.isDirectory())
		.map(({name}) => join(path, name));
}

function statFile(
	folder: string,
	name: string,
	isWanted: (id: string) => boolean,
): readonly SessionFile[] {
	const id = /-([0-9a-z]+)\.jsonl$/.exec(name)?.[1];
	if (id === undefined || !isWanted(id)) return [];
	const path = `${folder}${sep}${name}`;
	const stats = statSync(path, {throwIfNoEntry: false});
	// A full disk may leave an empty file.
	const isSession = stats?.isFile() === true && stats.size > 0;
	return isSession ? [{id, path, updated: Math.round(stats.mtimeMs)}] : [];
}

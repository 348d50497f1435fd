/** Deletes sessions, with what only they have: attachments, and prompts of the history. */
import {statSync, unlinkSync} from 'node:fs';
import {ChatError} from '../errors.ts';
import {type DeletedBlobs, deleteBlobs, findBlobs, findLooseBlobs} from './loose-blobs.ts';
import {forgetPrompts, type SessionPrompts} from './prompt-history.ts';
import {createRecordReader} from './read-records.ts';
import {listSessionFiles, type SessionFile} from './session-files.ts';

/**
 * Returns what was deleted: its bytes are those of the sessions and of the blobs.
 *
 * @param now milliseconds since 1970
 * @param onDeleted called after each session
 * @throws {ChatError} `output` when a session cannot be deleted; those before it are
 */
export async function deleteSessions(
	files: readonly SessionFile[],
	directory: string,
	now: number,
	onDeleted: (file: SessionFile) => void = () => {},
): Promise<DeletedBlobs> {
	const names = new Set<string>();
	const prompts: SessionPrompts[] = [];
	let bytes = 0;
	try {
		for (const file of files) {
			const deleted = deleteFile(file);
			if (deleted === undefined) continue;
			for (const name of deleted.blobs) names.add(name);
			prompts.push(deleted.prompts);
			bytes += deleted.bytes;
			onDeleted(file);
		}
	} finally {
		await forgetAll(directory, prompts);
	}
	if (names.size === 0) return {blobs: 0, bytes};
	const loose = findLooseBlobs(directory, listSessionFiles(directory), now);
	const own = loose.filter(({name}) => names.has(name));
	const deleted = deleteBlobs(own, now);
	return {blobs: deleted.blobs, bytes: bytes + deleted.bytes};
}

async function forgetAll(directory: string, prompts: readonly SessionPrompts[]): Promise<void> {
	if (prompts.length === 0) return;
	try {
		await forgetPrompts(directory, prompts);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('output', `cannot change the prompt history: ${message}`, {cause});
	}
}

type DeletedFile = {
	readonly blobs: ReadonlySet<string>;
	readonly prompts: SessionPrompts;
	readonly bytes: number;
};

/** The clock of a file system may lag that of the history. */
const clockSlackMs = 1000;

function deleteFile(file: SessionFile): DeletedFile | undefined {
	const {id, path, updated} = file;
	const blobs = findBlobs(file);
	try {
		const texts = new Set<string>();
		let cwd = '';
		let since = updated;
		for (const record of createRecordReader(path, true).records()) {
			if (record.type === 'user') texts.add(record.text);
			if (record.type !== 'session') continue;
			cwd = record.cwd;
			since = Date.parse(record.created);
		}
		const {size} = statSync(path);
		unlinkSync(path);
		const until = updated + clockSlackMs;
		return {blobs, prompts: {cwd, since, until, texts}, bytes: size};
	} catch (cause) {
		const {code, message} = cause as NodeJS.ErrnoException;
		// Another run deletes it, too.
		if (code === 'ENOENT') return undefined;
		throw new ChatError('output', `cannot delete ${id}: ${message}`, {cause});
	}
}

/** Deletes sessions, along with everything only they have: attachments, and history prompts. */
import {rmSync, statSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import {ChatError} from '../errors.ts';
import {findBlobs, findUnnamedBlobs, namesIn} from './old-blobs.ts';
import {forgetPrompts} from './old-history.ts';
import {typedPrompt} from './prompt-history.ts';
import {createRecordReader} from './read-records.ts';
import {listSessionFiles, type SessionFile} from './session-files.ts';
import {draftPath, mediaFolder} from './session-path.ts';

/** The size of sessions and their attachments. */
export type DeletedFiles = {readonly attachments: number; readonly bytes: number};

/**
 * @param isThorough whether to delete every old attachment named by no session
 * @param onDeleted called after each session
 * @throws {ChatError} `output` when a session cannot be deleted; those before it are
 */
export async function deleteSessions(
	files: readonly SessionFile[],
	directory: string,
	isThorough: boolean,
	onDeleted: (file: SessionFile) => void = () => {},
): Promise<DeletedFiles> {
	const names = new Set<string>();
	const prompts = new Set<string>();
	const sizes: DeletedFiles[] = [];
	try {
		for (const file of files) {
			const size = sizeOf(file);
			const blobs = findBlobs(file);
			const deleted = deleteFile(file);
			if (deleted === undefined) continue;
			for (const name of blobs) names.add(name);
			for (const text of deleted) prompts.add(text);
			sizes.push(size);
			onDeleted(file);
		}
	} finally {
		await forgetAll(directory, prompts);
	}
	const sessions = listSessionFiles(directory);
	const old = await findUnnamedBlobs(directory, sessions, isThorough ? undefined : names);
	for (const {path} of old) deletePath(path, 'an attachment');
	return sumSizes([...sizes, ...old]);
}

export function sumSizes(sizes: readonly DeletedFiles[]): DeletedFiles {
	return {
		attachments: sizes.reduce((sum, {attachments}) => sum + attachments, 0),
		bytes: sizes.reduce((sum, {bytes}) => sum + bytes, 0),
	};
}

/** Returns a session's size including attachments; nothing for a deleted one. */
export function sizeOf({path}: SessionFile): DeletedFiles {
	const folder = mediaFolder(path);
	const media = namesIn(folder).map((name) => bytesOf(join(folder, name)));
	const bytes = media.reduce((sum, size) => sum + size, bytesOf(path));
	return {attachments: media.length, bytes};
}

function bytesOf(path: string): number {
	return statSync(path, {throwIfNoEntry: false})?.size ?? 0;
}

/** Removes prompts kept apart by an earlier version. */
async function forgetAll(directory: string, texts: ReadonlySet<string>): Promise<void> {
	try {
		await forgetPrompts(directory, texts);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('output', `cannot change the prompt history: ${message}`, {cause});
	}
}

/** Returns its prompts; undefined if another run has deleted it. */
function deleteFile({id, path}: SessionFile): readonly string[] | undefined {
	try {
		const records = [...createRecordReader(path, true).records()];
		// The records come last: without them nobody would find the media.
		rmSync(mediaFolder(path), {recursive: true, force: true});
		rmSync(draftPath(path), {force: true});
		unlinkSync(path);
		return records.flatMap((record) =>
			record.type === 'user' ? [record.text, typedPrompt(record).text] : [],
		);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw cannotDelete(id, cause);
	}
}

function deletePath(path: string, what: string): void {
	try {
		rmSync(path, {recursive: true, force: true});
	} catch (cause) {
		throw cannotDelete(what, cause);
	}
}

function cannotDelete(what: string, cause: unknown): ChatError {
	const {message} = cause as Error;
	return new ChatError('output', `cannot delete ${what}: ${message}`, {cause});
}

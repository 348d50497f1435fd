/** Files and folders for the user alone. */
import {chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {ChatError, toChatError} from '../errors.ts';

/**
 * Makes a folder one level at a time: where no folder can be made, as in `/proc`, the recursive
 * `mkdir` of Node never returns.
 */
export function makeFolders(path: string): void {
	if (existsSync(path)) return;
	if (dirname(path) !== path) makeFolders(dirname(path));
	try {
		mkdirSync(path, 0o700);
	} catch (error) {
		// Another run may have made it in the meantime.
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
}

/** Returns permissions as people write them: `600`. */
export function formatMode(mode: number): string {
	return (mode & 0o777).toString(8).padStart(3, '0');
}

/** Windows modes do not cover other users. */
export function isOpenToOthers(mode: number, platform: string): boolean {
	return platform !== 'win32' && (mode & 0o077) !== 0;
}

/**
 * Replaces a file as a whole, and makes its folder.
 *
 * @param writer a name that no other process uses at the same time
 * @param mode permissions; by default those of a file for the user alone
 */
export function replaceFile(
	path: string,
	data: string | Uint8Array,
	writer: string,
	mode?: number,
): void {
	const draft = `${path}.${writer}`;
	makeFolders(dirname(path));
	try {
		writeFileSync(draft, data, {mode: 0o600, flush: true});
		if (mode !== undefined) chmodSync(draft, mode);
		renameSync(draft, path);
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	}
}

/**
 * Replaces a file that a command was told to write.
 *
 * @param writer as for `replaceFile`
 * @throws {ChatError} `create` when it cannot be written
 */
export function writeUserFile(path: string, data: string | Uint8Array, writer: string): void {
	try {
		replaceFile(path, data, writer);
	} catch (cause) {
		throw cannotWrite(path, cause);
	}
}

export function cannotWrite(path: string, cause: unknown): ChatError {
	return new ChatError('create', `cannot write ${path}: ${toChatError(cause).message}`, {cause});
}

/**
 * Files of others that the user has agreed to, by their hashes: templates of a repository, files of
 * servers. A change ends the agreement.
 */
import {createHash} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {isJsonObject, parseJsonObject} from '../json.ts';
import {mebibyte} from '../wording.ts';
import {withLock} from './lock-file.ts';
import {makeFolders, replaceFile} from './private-files.ts';

/** Hashes by absolute path. */
export type TrustedFiles = Readonly<Record<string, string>>;

/** @param path the file of agreements; one that cannot be read has none */
export function readTrust(path: string | undefined): TrustedFiles {
	if (path === undefined) return {};
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch {
		return {};
	}
	const {files} = parseJsonObject(text) ?? {};
	const entries = Object.entries(isJsonObject(files) ? files : {});
	return Object.fromEntries(
		entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);
}

/** @param hash that of the text to be used, if it has been read */
export function isTrusted(file: string, trusted: TrustedFiles, hash = hashFile(file)): boolean {
	return hash !== '' && Object.hasOwn(trusted, file) && trusted[file] === hash;
}

/** Agrees to files as they are now; `id` as for `trustHashes`. */
export async function trustFiles(
	path: string,
	files: readonly string[],
	id: string,
): Promise<void> {
	const hashes = files.map((file) => [file, hashFile(file)] as const);
	await trustHashes(path, Object.fromEntries(hashes), id);
}

/**
 * Agrees to files with these hashes, whatever is in them by now.
 *
 * @param id random, for the name of a draft
 */
export async function trustHashes(path: string, hashes: TrustedFiles, id: string): Promise<void> {
	makeFolders(dirname(path));
	await withLock(`${path}.lock`, () => {
		const all = {...readTrust(path), ...hashes};
		replaceFile(path, `${JSON.stringify({files: all}, undefined, '\t')}\n`, id);
	});
}

/** Returns nothing for a file that is not for reading: a pipe would wait for its writer. */
function hashFile(file: string): string {
	try {
		const stats = statSync(file);
		if (!stats.isFile() || stats.size > mebibyte) return '';
		return hashOf(readFileSync(file));
	} catch {
		return '';
	}
}

export function hashOf(data: string | Uint8Array): string {
	return createHash('sha256').update(data).digest('hex');
}

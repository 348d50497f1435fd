/**
 * The templates that the user has agreed to, by the hash of their files: those of a folder that others
 * write to, such as a repository, and those whose paths lead elsewhere. A change ends the agreement.
 */
import {createHash} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {withLock} from '../files/lock-file.ts';
import {makeFolders, replaceFile} from '../files/private-files.ts';
import {isJsonObject, parseJsonObject} from '../json.ts';
import {mebibyte} from '../wording.ts';
import {findInWork} from './find-templates.ts';
import type {FoundTemplate} from './template.ts';

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

export function isTrusted(file: string, trusted: TrustedFiles): boolean {
	const hash = Object.hasOwn(trusted, file) ? trusted[file] : '';
	return hash !== '' && hash === hashFile(file);
}

/** Returns the templates of this folder and those above it that the user has agreed to. */
export function findTrusted(folder: string, trusted: TrustedFiles): readonly FoundTemplate[] {
	const paths = Object.keys(trusted);
	const here = paths.some((path) => path.startsWith(join(folder, '.')))
		? findInWork(folder).filter(({path}) => isTrusted(path, trusted))
		: [];
	const above = dirname(folder);
	return above === folder || paths.length === 0 ? here : [...here, ...findTrusted(above, trusted)];
}

/**
 * Agrees to files as they are now.
 *
 * @param id random, for the name of a draft
 */
export async function trustFiles(
	path: string,
	files: readonly string[],
	id: string,
): Promise<void> {
	makeFolders(dirname(path));
	await withLock(`${path}.lock`, () => {
		const hashes = files.map((file) => [file, hashFile(file)] as const);
		const all = {...readTrust(path), ...Object.fromEntries(hashes)};
		replaceFile(path, `${JSON.stringify({files: all}, undefined, '\t')}\n`, id);
	});
}

/** Returns nothing for a file that cannot be a template: reading a pipe would wait for its writer. */
function hashFile(file: string): string {
	try {
		const stats = statSync(file);
		if (!stats.isFile() || stats.size > mebibyte) return '';
		return createHash('sha256').update(readFileSync(file)).digest('hex');
	} catch {
		return '';
	}
}

/**
 * Changes of the files of the user. `conf` keeps them: it reads, sets, unsets, and replaces the file
 * as a whole. It is loaded here and nowhere else, because no run that only reads should wait for it.
 *
 * Around it stands what it does not do: one run changes a file at a time, folders are for the user
 * alone, a file with a mistake and a link without a target stay as they are, and nothing is written
 * where another user could swap the file: `conf` sets owners and modes by path.
 */
import {lstatSync, realpathSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import type Conf from 'conf';
import {ChatError, toChatError} from '../../errors.ts';
import {parseJsonObject, readJsonFile, UnreadableError, withoutByteOrderMark} from './json-file.ts';
import {withLock} from './lock-file.ts';
import {makeFolders} from './make-folders.ts';

/** The values of one file. What is set is on the disk. */
export type Store = Conf<Record<string, unknown>>;

/**
 * A link stays one, and its target is changed. The folder is made if there is none.
 *
 * @param hint how to fix a file that is not a JSON object
 * @throws {ChatError} `create` when the file cannot be written, `config` when it is not a JSON
 * object; whatever `change` throws
 */
export async function changeFile<Result>(
	path: string,
	hint: string,
	change: (store: Store) => Result,
): Promise<Result> {
	const {default: Store} = await import('conf');
	try {
		const {text} = readJsonFile(path);
		const target = text === undefined ? path : realpathSync(path);
		makeFolders(dirname(target));
		return await withLock(`${target}.lock`, (uid) => {
			const current = readJsonFile(target).text;
			if (current !== undefined) parseJsonObject(current, path, hint);
			if (uid === 0) checkOwners(target);
			const store = new Store<Record<string, unknown>>({
				cwd: dirname(target),
				configName: basename(target),
				fileExtension: '',
				configFileMode: 0o600,
				accessPropertiesByDotNotation: false,
				clearInvalidConfig: false,
				serialize: (values) => `${JSON.stringify(values, undefined, '\t')}\n`,
				deserialize: (json) => JSON.parse(withoutByteOrderMark(json)),
			});
			return change(store);
		});
	} catch (cause) {
		throw cause instanceof ChatError ? cause : cannotWrite(path, cause);
	}
}

/** @throws {ChatError} `create` when a user other than root could swap the file */
function checkOwners(target: string): void {
	for (let path = target; ; path = dirname(path)) {
		const stats = lstatSync(path, {throwIfNoEntry: false});
		if (stats !== undefined && stats.uid !== 0) {
			throw new ChatError('create', `cannot write ${target}: ${path} belongs to another user`, {
				hint: 'Run this as that user, or set HOME to a folder that belongs to root.',
			});
		}
		if (dirname(path) === path) return;
	}
}

function cannotWrite(path: string, cause: unknown): ChatError {
	const reason =
		cause instanceof UnreadableError
			? cause.message
			: `cannot write ${path}: ${toChatError(cause).message}`;
	return new ChatError('create', reason, {cause});
}

/**
 * Changes a file of the user. `conf` keeps it: reads, sets, unsets, and replaces it as a whole. Only
 * this file imports `conf`, because runs that only read should not load it.
 */
import {lstatSync, realpathSync, statSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import type Conf from 'conf';
import {ChatError, toChatError} from '../../errors.ts';
import {withLock} from '../../files/lock-file.ts';
import {makeFolders} from '../../files/private-files.ts';
import type {Hint} from '../../hint.ts';
import {parseJsonFile, readJsonFile, UnreadableError, withoutByteOrderMark} from './json-file.ts';

/** The values of one file. A value that is set is on the disk. */
export type Store = Conf<Record<string, unknown>>;

/**
 * Creates the file and its folder if they do not exist. Of a link, the target is changed.
 *
 * @param hint how to fix a file that is not a JSON object
 * @throws {ChatError} `create` when the file cannot be written, `config` when it is not a JSON
 * object; whatever `change` throws
 */
export async function changeFile<Result>(
	path: string,
	hint: Hint,
	change: (store: Store) => Result,
): Promise<Result> {
	const {default: Store} = await import('conf');
	try {
		const {text} = readJsonFile(path);
		const target = text === undefined ? path : realpathSync(path);
		const lock = `${target}.lock`;
		makeFolders(dirname(target));
		return await withLock(lock, () => {
			const current = readJsonFile(target).text;
			// `conf` would quote the file in its error.
			if (current !== undefined) parseJsonFile(current, path, hint);
			if (statSync(lock).uid === 0) checkOwners(target);
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
		if (cause instanceof ChatError) throw cause;
		const isUnreadable = cause instanceof UnreadableError;
		const reason = isUnreadable ? '' : `cannot write ${path}: `;
		throw new ChatError('create', `${reason}${toChatError(cause).message}`, {cause});
	}
}

/**
 * Threat: root changes the file of a user, who swaps it for a link while `conf` sets its owner and
 * mode by path.
 *
 * @throws {ChatError} `create` when a user other than root could swap the file
 */
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

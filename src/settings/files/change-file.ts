/**
 * Changes a file of the user. `conf` keeps it: reads, sets, unsets, and replaces it as a whole. Only
 * this file imports `conf`, because runs that only read should not load it.
 */
import {mkdirSync, realpathSync, statSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import type Conf from 'conf';
import {ChatError, toChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {parseJsonFile, readJsonFile, UnreadableError, withoutByteOrderMark} from './json-file.ts';
import {withLock} from './lock-file.ts';

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
		const folder = dirname(target);
		mkdirSync(folder, {recursive: true, mode: 0o700});
		const lock = `${target}.lock`;
		return await withLock(lock, () => {
			const current = readJsonFile(target).text;
			// `conf` would quote the file in its error.
			if (current !== undefined) parseJsonFile(current, path, hint);
			if (statSync(lock).uid === 0) checkOwner(folder);
			const store = new Store<Record<string, unknown>>({
				cwd: folder,
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
 * @throws {ChatError} `create` when the folder belongs to a user other than root
 */
function checkOwner(folder: string): void {
	if (statSync(folder).uid === 0) return;
	throw new ChatError('create', `cannot write to ${folder} as root: it belongs to another user`, {
		hint: {code: 'run-as-owner'},
	});
}

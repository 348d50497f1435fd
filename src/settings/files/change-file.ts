/**
 * Changes a JSON file of the user. `conf` replaces it as a whole. Only this file imports `conf`,
 * because runs that only read should not load it.
 */
import {lstatSync, realpathSync, statSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import {ChatError} from '../../errors.ts';
import {withLock} from '../../files/lock-file.ts';
import {cannotWrite, makeFolders} from '../../files/private-files.ts';
import type {Hint} from '../../hint.ts';
import {isJsonObject, type JsonObject, without} from '../../json.ts';
import {parseJsonFile, readJsonFile, UnreadableError, withoutByteOrderMark} from './json-file.ts';

/** Returns the same object if nothing changes. */
export type Change = (values: JsonObject) => JsonObject;

/**
 * Creates the file and its folder if they do not exist. Of a link, the target is changed.
 *
 * @param hint how to fix a file that is not a JSON object
 * @returns whether anything has changed; it is then on the disk
 * @throws {ChatError} `create` when the file cannot be written, `config` when it is not a JSON
 * object; whatever `change` throws
 */
export async function changeFile(path: string, hint: Hint, change: Change): Promise<boolean> {
	const {default: Conf} = await import('conf');
	try {
		const {text} = readJsonFile(path);
		const target = text === undefined ? path : realpathSync(path);
		const lock = `${target}.lock`;
		makeFolders(dirname(target));
		return await withLock(lock, () => {
			const current = readJsonFile(target).text;
			// `conf` would quote the file in its error.
			const values = current === undefined ? {} : parseJsonFile(current, path, hint);
			if (statSync(lock).uid === 0) checkOwners(target);
			const next = change(values);
			if (next === values) return false;
			const file = new Conf<Record<string, unknown>>({
				cwd: dirname(target),
				configName: basename(target),
				fileExtension: '',
				configFileMode: 0o600,
				accessPropertiesByDotNotation: false,
				clearInvalidConfig: false,
				serialize: (all) => `${JSON.stringify(all, undefined, '\t')}\n`,
				deserialize: (json) => JSON.parse(withoutByteOrderMark(json)),
			});
			file.store = next;
			return true;
		});
	} catch (cause) {
		if (cause instanceof ChatError) throw cause;
		if (!(cause instanceof UnreadableError)) throw cannotWrite(path, cause);
		throw new ChatError('create', cause.message, {cause});
	}
}

/**
 * Changes the object under a key; an empty one is removed.
 *
 * @param name of the object, for messages
 * @throws {ChatError} `config` when something else is there; whatever `change` throws
 */
export function changeIn(
	parent: JsonObject,
	key: string,
	{name, hint}: {readonly name: string; readonly hint: Hint},
	change: Change,
): JsonObject {
	const part = Object.hasOwn(parent, key) ? parent[key] : {};
	if (!isJsonObject(part)) throw new ChatError('config', `${name} must be an object`, {hint});
	const next = change(part);
	if (next === part) return parent;
	return Object.keys(next).length === 0 ? without(parent, key) : {...parent, [key]: next};
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

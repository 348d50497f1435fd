/**
 * API keys on disk, each for one origin. The file is for its owner alone, and one with a mistake is
 * never overwritten.
 */
import {ChatError} from '../../errors.ts';
import type {JsonObject} from '../../json.ts';
import type {Store} from '../files/change-file.ts';
import {parseJsonObject, readJsonFile} from '../files/json-file.ts';

export type StoredKey = {
	/** Undefined: none is stored for this origin. Not checked. */
	readonly key: string | undefined;
	/** Why others on this machine may know the keys, as a sentence. */
	readonly warning: string | undefined;
};

const fixHint = 'Fix the file by hand, or delete it and store the keys again.';

/**
 * @throws {ChatError} `config` when the file is not what it should be
 * @throws {UnreadableError} when it cannot be read
 */
export function readStoredKey(path: string, origin: string, platform: string): StoredKey {
	const {text, mode} = readJsonFile(path);
	const key = text === undefined ? undefined : findKey(parseKeys(text, path), origin, path);
	// On Windows the mode says nothing about other users.
	const isOpen = key !== undefined && platform !== 'win32' && (mode & 0o077) !== 0;
	return {key, warning: isOpen ? warnOfReaders(path, mode) : undefined};
}

function parseKeys(text: string, path: string): JsonObject {
	return parseJsonObject(text, path, fixHint);
}

function findKey(keys: JsonObject, origin: string, path: string): string | undefined {
	if (!Object.hasOwn(keys, origin)) return undefined;
	const key = keys[origin];
	if (typeof key === 'string') return key;
	throw new ChatError('config', `the key for ${origin} in ${path} must be a text`, {hint: fixHint});
}

function warnOfReaders(path: string, mode: number): string {
	const bits = (mode & 0o777).toString(8).padStart(3, '0');
	return `${path} holds API keys, and its mode ${bits} opens it to other users; close it: chmod 600`;
}

/**
 * @throws {ChatError} `config` when the file is not what it should be, `create` when it cannot be
 * written
 */
export async function storeKey(path: string, origin: string, key: string): Promise<void> {
	await changeKeys(path, (store) => store.set(origin, key));
}

/**
 * @returns whether there was one
 * @throws {ChatError} as `storeKey` does
 */
export async function removeStoredKey(path: string, origin: string): Promise<boolean> {
	return await changeKeys(path, (store) => {
		const wasThere = store.has(origin);
		if (wasThere) store.delete(origin);
		return wasThere;
	});
}

async function changeKeys<Result>(path: string, change: (store: Store) => Result): Promise<Result> {
	// Runs that only read the keys do not need the code that writes them.
	const {changeFile} = await import('../files/change-file.ts');
	return await changeFile(path, fixHint, change);
}

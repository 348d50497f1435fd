/** Stores API keys on disk, each for one origin. Logins to MCP servers are in the same file. */
import {ChatError} from '../../errors.ts';
import type {Store} from '../files/change-file.ts';
import {parseJsonFile, readJsonFile, UnreadableError} from '../files/json-file.ts';

export type StoredKey = {
	/** Undefined if none is stored for this origin. Not checked. */
	readonly key: string | undefined;
	/** Why the keys are not read, or why others may know them, as a sentence. */
	readonly warning: string | undefined;
};

/** The only key of the file that is not an origin. */
export const loginsKey = 'mcp';

export const fixHint = 'Fix the file by hand, or delete it and store the keys again.';

/** @throws {ChatError} `config` when the file is not an object of keys */
export function readStoredKey(path: string, origin: string, platform: string): StoredKey {
	const none = {key: undefined, warning: undefined};
	try {
		const {text, mode} = readJsonFile(path);
		const keys = text === undefined ? {} : parseJsonFile(text, path, fixHint);
		if (!Object.hasOwn(keys, origin)) return none;
		const key = keys[origin];
		// On Windows the mode does not cover other users.
		const isOpen = platform !== 'win32' && (mode & 0o077) !== 0;
		if (typeof key === 'string')
			return {key, warning: isOpen ? describeMode(path, mode) : undefined};
	} catch (error) {
		if (error instanceof UnreadableError) return {...none, warning: error.message};
		throw error;
	}
	throw notAString(origin, path);
}

/**
 * Returns the origins with a stored key. Checks the whole file.
 *
 * @throws {ChatError} `config` when the file is not an object of keys
 * @throws {UnreadableError} when it cannot be read
 */
export function listStoredOrigins(path: string): readonly string[] {
	const {text} = readJsonFile(path);
	const keys = text === undefined ? {} : parseJsonFile(text, path, fixHint);
	const origins = Object.keys(keys).filter((name) => name !== loginsKey);
	const wrong = origins.find((origin) => typeof keys[origin] !== 'string');
	if (wrong !== undefined) throw notAString(wrong, path);
	return origins;
}

function notAString(origin: string, path: string): ChatError {
	const message = `the key for ${origin} in ${path} must be a string`;
	return new ChatError('config', message, {hint: fixHint});
}

function describeMode(path: string, mode: number): string {
	const bits = (mode & 0o777).toString(8).padStart(3, '0');
	return `${path} contains API keys, and its mode ${bits} opens it to other users. To close it: chmod 600 ${path}`;
}

/** @throws {ChatError} as `changeFile` does */
export async function storeKey(path: string, origin: string, key: string): Promise<void> {
	await changeCredentials(path, (store) => store.set(origin, key));
}

/** Returns whether a key was stored. Throws as `changeFile` does. */
export async function removeStoredKey(path: string, origin: string): Promise<boolean> {
	return await changeCredentials(path, (store) => {
		const isStored = store.has(origin);
		if (isStored) store.delete(origin);
		return isStored;
	});
}

/** Throws as `changeFile` does. */
export async function changeCredentials<Result>(
	path: string,
	change: (store: Store) => Result,
): Promise<Result> {
	// Runs that only read keys should not load the code that writes them.
	const {changeFile} = await import('../files/change-file.ts');
	return await changeFile(path, fixHint, change);
}

/**
 * API keys on disk, each for one origin. The file is for its owner alone, and is never mended by
 * overwriting it.
 */
import {closeSync, fsyncSync, openSync, writeFileSync} from 'node:fs';
import {ChatError} from '../errors.ts';
import type {JsonObject} from '../json.ts';
import {parseJsonObject, readJsonFile} from './json-file.ts';

export type StoredKey = {
	/** Undefined: none is stored for this origin. Not checked. */
	readonly key: string | undefined;
	/** Why others on this machine may know the keys, as a sentence. */
	readonly warning: string | undefined;
};

const mendHint = 'Mend the file by hand, or delete it and store the keys again.';

/**
 * @throws {ChatError} `config` when the file is not what it should be
 * @throws {UnreadableError} when it cannot be read
 */
export function readStoredKey(path: string, origin: string, platform: string): StoredKey {
	const {text, stats} = readJsonFile(path);
	const key = text === undefined ? undefined : findKey(parseKeys(text, path), origin, path);
	// On Windows the mode says nothing about other users.
	const isOpen = key !== undefined && platform !== 'win32' && (stats.mode & 0o077) !== 0;
	return {key, warning: isOpen ? warnOfReaders(path, stats.mode) : undefined};
}

function parseKeys(text: string, path: string): JsonObject {
	return parseJsonObject(text, path, mendHint);
}

function findKey(keys: JsonObject, origin: string, path: string): string | undefined {
	if (!Object.hasOwn(keys, origin)) return undefined;
	const key = keys[origin];
	if (typeof key === 'string') return key;
	throw new ChatError('config', `what ${path} holds for ${origin} is no key`, {hint: mendHint});
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
	await changeKeys(path, (keys) => ({...keys, [origin]: key}));
}

/**
 * @returns whether there was one
 * @throws {ChatError} as `storeKey` does
 */
export async function removeStoredKey(path: string, origin: string): Promise<boolean> {
	let wasThere = false;
	await changeKeys(path, ({[origin]: key, ...others}) => {
		wasThere ||= key !== undefined;
		return key === undefined ? undefined : others;
	});
	return wasThere;
}

async function changeKeys(
	path: string,
	change: (keys: JsonObject) => JsonObject | undefined,
): Promise<void> {
	// Runs that only read the keys do not need the code that writes them.
	const {rewriteFile} = await import('./rewrite-file.ts');
	await rewriteFile(path, {
		change: (text) => change(text === undefined ? {} : parseKeys(text, path)),
		stage: writeKeys,
	});
}

function writeKeys(keys: JsonObject, path: string): void {
	const descriptor = openSync(path, 'wx', 0o600);
	try {
		writeFileSync(descriptor, `${JSON.stringify(keys, undefined, '\t')}\n`);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

/** Keeps the names of the models that each service listed last, so that they can be completed. */
import {readFileSync} from 'node:fs';
import {replaceFile} from '../files/private-files.ts';
import {type JsonObject, parseJsonObject} from '../json.ts';

/** Threat: a service that lists names without end. */
const maxModels = 5_000;
const maxLength = 200;

/**
 * Does nothing where no file can be written.
 *
 * @param path of the file; undefined if there is no folder for it
 * @param service its base URL, without secrets
 * @param writer a name that no other process uses at the same time
 */
export function keepModelNames(
	path: string | undefined,
	service: string,
	names: readonly string[],
	writer: string,
): void {
	if (path === undefined) return;
	const kept = names.filter(isPlain).slice(0, maxModels);
	const others = readFile(path);
	if (kept.length === 0 || JSON.stringify(others[service]) === JSON.stringify(kept)) return;
	try {
		replaceFile(path, JSON.stringify({...others, [service]: kept}), writer);
	} catch {
		// A name that cannot be completed must not fail a run.
	}
}

/** Returns none for a service that has not listed any. */
export function readModelNames(path: string | undefined, service: string): readonly string[] {
	const file = path === undefined ? {} : readFile(path);
	const names = Object.hasOwn(file, service) ? file[service] : [];
	if (!Array.isArray(names)) return [];
	return names.filter((name) => typeof name === 'string' && isPlain(name));
}

function readFile(path: string): JsonObject {
	try {
		return parseJsonObject(readFileSync(path, 'utf8')) ?? {};
	} catch {
		return {};
	}
}

function isPlain(name: string): boolean {
	return name.length <= maxLength && /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(name);
}

/** Reads a JSON object from a file of the user. A mistake in it is reported, never repaired. */
import {existsSync, lstatSync, readFileSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {ChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {parseUserJson} from '../../json-error.ts';

export type JsonFile = {
	/** Undefined if there is no such file. */
	readonly text: string | undefined;
	/** The mode bits of stat(2). */
	readonly mode: number;
};

/** More than anyone writes by hand. */
const maxBytes = 16 * 1_048_576;

export class UnreadableError extends Error {
	override readonly name = 'UnreadableError';

	constructor(path: string, reason: string) {
		super(`cannot read ${path} (${reason})`);
	}
}

/** @throws {UnreadableError} when it exists and cannot be read */
export function readJsonFile(path: string): JsonFile {
	try {
		const stats = statSync(path);
		if (stats.isDirectory()) throw new UnreadableError(path, 'EISDIR');
		// Reading a pipe would wait for its writer, deaf to every signal.
		if (!stats.isFile()) throw new UnreadableError(path, 'not a regular file');
		if (stats.size > maxBytes) throw new UnreadableError(path, 'larger than 16 MiB');
		return {text: readFileSync(path, 'utf8'), mode: stats.mode};
	} catch (cause) {
		if (cause instanceof UnreadableError) throw cause;
		const {code = 'unknown error'} = cause as NodeJS.ErrnoException;
		if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new UnreadableError(path, code);
		const link = findDanglingLink(path);
		if (link === undefined) return {text: undefined, mode: 0};
		throw new UnreadableError(path, `the link ${link} leads nowhere`);
	}
}

/**
 * Finds the file or a folder above it that is a link without a target. Threat: a home folder that is
 * not mounted, and a run that takes the built-in service for the configured one.
 */
function findDanglingLink(path: string): string | undefined {
	const stats = statLink(path);
	if (stats !== undefined) return stats.isSymbolicLink() && !existsSync(path) ? path : undefined;
	return dirname(path) === path ? undefined : findDanglingLink(dirname(path));
}

/** Undefined also below a file: the home folder of some users of the system is /dev/null. */
function statLink(path: string): Stats | undefined {
	try {
		return lstatSync(path);
	} catch {
		return undefined;
	}
}

/**
 * @param hint how to fix a file that is not a JSON object
 * @returns no values without the file
 * @throws {UnreadableError} when it exists and cannot be read
 * @throws {ChatError} as `parseJsonFile` does
 */
export function readJsonObject(
	path: string,
	hint: Hint,
): {readonly values: JsonObject | undefined; readonly mode: number} {
	const {text, mode} = readJsonFile(path);
	return {values: text === undefined ? undefined : parseJsonFile(text, path, hint), mode};
}

/** @throws {ChatError} `config` with the position of the mistake, without any text of the file */
export function parseJsonFile(text: string, path: string, hint: Hint): JsonObject {
	const parsed = parseUserJson(withoutByteOrderMark(text));
	if ('problem' in parsed) throw new ChatError('config', `${path} ${parsed.problem}`, {hint});
	if (isJsonObject(parsed.value)) return parsed.value;
	throw new ChatError('config', `${path} must be a JSON object`, {hint});
}

/** Some editors on Windows write a mark that JSON does not allow. */
export function withoutByteOrderMark(text: string): string {
	return text.replace(/^\ufeff/, '');
}

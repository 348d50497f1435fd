/**
 * A JSON object in a file of ours, as it is read. A mistake in it is reported and never repaired: the
 * file stays as the user left it.
 */
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {parseUserJson} from '../../json-error.ts';

export type JsonFile = {
	/** Undefined: there is no such file. */
	readonly text: string | undefined;
	/** Who may read and write it, as stat(2) has it. */
	readonly mode: number;
};

/** More than anybody writes by hand. */
const maxBytes = 16 * 1_048_576;

/** @throws {UnreadableError} when it exists and cannot be read */
export function readJsonFile(path: string): JsonFile {
	let descriptor: number | undefined;
	try {
		// Opening a pipe must not wait for its writer: no signal would be heard.
		descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const stats = fstatSync(descriptor);
		if (stats.isDirectory()) throw new UnreadableError(path, 'EISDIR');
		if (!stats.isFile()) throw new UnreadableError(path, 'not a regular file');
		if (stats.size > maxBytes) throw new UnreadableError(path, 'larger than 16 MiB');
		return {text: readFileSync(descriptor, 'utf8'), mode: stats.mode};
	} catch (cause) {
		if (cause instanceof UnreadableError) throw cause;
		const {code = 'unknown error'} = cause as NodeJS.ErrnoException;
		if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new UnreadableError(path, code);
		const link = findDanglingLink(path);
		if (link === undefined) return {text: undefined, mode: 0};
		throw new UnreadableError(path, `the link ${link} leads nowhere`);
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}

/** The file or the folder above it that is a link without a target: it was meant to be there. */
function findDanglingLink(path: string): string | undefined {
	let place = path;
	for (;;) {
		const stats = lstatSync(place, {throwIfNoEntry: false});
		if (stats !== undefined)
			return stats.isSymbolicLink() && !existsSync(place) ? place : undefined;
		if (dirname(place) === place) return undefined;
		place = dirname(place);
	}
}

/** A file that is there and cannot be read, which need not matter. */
export class UnreadableError extends Error {
	override readonly name = 'UnreadableError';

	constructor(path: string, reason: string) {
		super(`cannot read ${path} (${reason})`);
	}
}

/**
 * @param hint how to fix the file
 * @throws {ChatError} `config` with the place of the mistake; no text of the file is in it
 */
export function parseJsonObject(text: string, path: string, hint: string): JsonObject {
	const parsed = parseUserJson(withoutByteOrderMark(text));
	if ('problem' in parsed) throw new ChatError('config', `${path} ${parsed.problem}`, {hint});
	if (isJsonObject(parsed.value)) return parsed.value;
	throw new ChatError('config', `${path} must be a JSON object`, {hint});
}

/** Some editors of Windows put a mark at the beginning, which JSON does not know. */
export function withoutByteOrderMark(text: string): string {
	return text.replace(/^\ufeff/, '');
}

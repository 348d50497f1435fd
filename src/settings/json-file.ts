/**
 * A JSON object in a file of ours, as it is read. What is wrong with it is told and never mended:
 * the file stays as the user left it.
 */
import {closeSync, fstatSync, openSync, readFileSync} from 'node:fs';
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {findJsonError} from './json-error.ts';

export type JsonFile = {
	/** Undefined: there is no such file. */
	readonly text: string | undefined;
	/**
	 * Tells this state of the file from every other one it ever had, also from one with the same
	 * text.
	 */
	readonly version: string;
	/** Whose it is, and who may read it, as stat(2) has it. */
	readonly stats: {readonly mode: number; readonly uid: number; readonly gid: number};
};

const noStats = {mode: 0, uid: 0, gid: 0};

/** @throws {UnreadableError} when it exists and cannot be read */
export function readJsonFile(path: string): JsonFile {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, 'r');
		const {ino, mtimeNs, mode, uid, gid} = fstatSync(descriptor, {bigint: true});
		const text = readFileSync(descriptor, 'utf8');
		const stats = {mode: Number(mode), uid: Number(uid), gid: Number(gid)};
		return {text, version: `${ino.toString(36)}-${mtimeNs.toString(36)}`, stats};
	} catch (cause) {
		const {code = 'unknown error'} = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT' || code === 'ENOTDIR') {
			return {text: undefined, version: 'none', stats: noStats};
		}
		throw new UnreadableError(path, code);
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}

/** A file that is there and cannot be read, which need not matter. */
export class UnreadableError extends Error {
	override readonly name = 'UnreadableError';

	constructor(path: string, code: string) {
		super(`cannot read ${path} (${code})`);
	}
}

/**
 * @param hint how to mend the file
 * @throws {ChatError} `config` with the place of the mistake; no text of the file is in it
 */
export function parseJsonObject(text: string, path: string, hint: string): JsonObject {
	// Some editors of Windows put a mark at the beginning, which JSON does not know.
	const json = text.replace(/^\ufeff/, '');
	let value: unknown;
	try {
		value = JSON.parse(json);
	} catch {
		throw new ChatError('config', `${path} is no JSON${placeOfError(json)}`, {hint});
	}
	if (isJsonObject(value)) return value;
	throw new ChatError('config', `${path} holds no JSON object`, {hint});
}

function placeOfError(json: string): string {
	const mistake = findJsonError(json);
	if (mistake === undefined) return '';
	const {line, column, reason} = mistake;
	return `: line ${line}, column ${column}: ${reason}`;
}

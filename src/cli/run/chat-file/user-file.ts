/**
 * A file of the user's that is written in place: its exact text, replaced as a whole, and only if
 * nobody has changed it meanwhile.
 */
import {
	accessSync,
	chmodSync,
	constants,
	existsSync,
	readFileSync,
	realpathSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {withLock} from '../../../files/lock-file.ts';
import {cannotWrite, replaceFile} from '../../../files/private-files.ts';
import {maxFileBytes, readFileBytes} from '../../../input/read-bytes.ts';
import {quoteWord} from '../../../wording.ts';

export type UserFile = {
	/** The path as given. */
	readonly name: string;
	/** The absolute path, without links. */
	readonly path: string;
	/** The text with its byte order mark and line ends. */
	readonly text: string;
};

/** @throws {ChatError} `input` for a missing or unreadable file, `data` for other than UTF-8 text */
export async function readUserFile(
	name: string,
	{cwd}: Pick<Environment, 'cwd'>,
	signal: AbortSignal,
): Promise<UserFile> {
	if (!existsSync(resolve(cwd, name))) {
		const asPrompt = `To send the words as a prompt: chat -- run ${quoteWord(name)}`;
		throw new ChatError('input', `there is no file ${name}`, {
			hint: `A new one needs the line "## User", and a prompt below it. ${asPrompt}`,
		});
	}
	const bytes = await readFileBytes(name, maxFileBytes, {cwd, signal, isPipeAllowed: false});
	const path = realpathSync(resolve(cwd, name));
	try {
		const text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
		if (!text.includes('\0')) return {name, path, text};
	} catch {
		// Reported below.
	}
	throw new ChatError('data', `${name} is not UTF-8 text`);
}

/**
 * Replaces the file's text, keeping its permissions.
 *
 * @throws {ChatError} `busy` if it has changed: the new text is then in a file beside it; `create` if
 * it cannot be written
 */
export function replaceUserFile(
	{name, path, text: before}: UserFile,
	text: string,
	{createId}: Pick<Environment, 'createId'>,
): UserFile {
	if (!isSame(path, before)) {
		const beside = writeBeside(path, text);
		const place = join(dirname(name), basename(beside));
		throw new ChatError('busy', `${name} was changed meanwhile; the answer is in ${place}`);
	}
	try {
		replaceFile(path, text, createId(), statSync(path).mode & 0o777);
	} catch (cause) {
		throw cannotWrite(name, cause);
	}
	return {name, path, text};
}

function isSame(path: string, text: string): boolean {
	try {
		return readFileSync(path).equals(Buffer.from(text));
	} catch {
		return false;
	}
}

/** Never replaces a file: it may hold an earlier answer. */
function writeBeside(path: string, text: string): string {
	for (let number = 1; ; number++) {
		const beside = `${path}.new${number === 1 ? '' : number}`;
		try {
			writeFileSync(beside, text, {flag: 'wx', mode: 0o600, flush: true});
			if (existsSync(path)) chmodSync(beside, statSync(path).mode & 0o777);
			return beside;
		} catch (cause) {
			if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(beside, cause);
		}
	}
}

/**
 * Works on the file while no other run does.
 *
 * @throws {ChatError} `busy` if one does, `create` if it or its folder cannot be written
 */
export async function withUserFile<Result>(
	{name, path}: Pick<UserFile, 'name' | 'path'>,
	signal: AbortSignal,
	work: () => Promise<Result>,
): Promise<Result> {
	const lock = join(dirname(path), `.${basename(path)}.lock`);
	const refuse = () => new ChatError('busy', `another run is writing ${name}`);
	let isBegun = false;
	const begin = async () => {
		isBegun = true;
		return await work();
	};
	try {
		accessSync(path, constants.W_OK);
		return await withLock(lock, begin, {signal, refuse});
	} catch (cause) {
		if (isBegun || cause instanceof ChatError) throw cause;
		throw cannotWrite(name, cause);
	}
}

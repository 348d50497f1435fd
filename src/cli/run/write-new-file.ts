/** Writes files named by the user in a session. */
import {existsSync, rmSync, writeFileSync} from 'node:fs';
import {extname, resolve} from 'node:path';
import {ChatError} from '../../errors.ts';

type NewFile = {
	readonly name: string;
	readonly text: string;
	/** The writing command, before the name. */
	readonly command: string;
	/** Default: the mode for any user file. */
	readonly mode?: number;
};

/**
 * Never replaces a file.
 *
 * @throws {ChatError} `usage` if the file exists, `output` if it cannot be written
 */
export function writeNewFile({name, text, command, mode}: NewFile, folder: string): void {
	const path = resolve(folder, name);
	let isOurs = false;
	try {
		writeFileSync(path, '', {flag: 'wx', mode});
		isOurs = true;
		writeFileSync(path, text, {flush: true});
	} catch (cause) {
		const {code, message} = cause as NodeJS.ErrnoException;
		if (isOurs) rmSync(path, {force: true});
		if (code !== 'EEXIST')
			throw new ChatError('output', `cannot write ${name}: ${message}`, {cause});
		const next = `${command} ${findFreeName(name, folder)}`;
		throw new ChatError('usage', `${name} exists already; ${next} writes a new file`);
	}
}

function findFreeName(name: string, folder: string): string {
	const ending = extname(name);
	const stem = name.slice(0, name.length - ending.length);
	for (let number = 2; ; number++) {
		const candidate = `${stem}-${number}${ending}`;
		if (!existsSync(resolve(folder, candidate))) return candidate;
	}
}

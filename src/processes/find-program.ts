/** Checks that a program can be started. */
import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import type {Environment} from '../environment.ts';

/** The system's default `PATH`. */
const defaultPath = '/usr/bin:/bin';

/**
 * Returns why a program cannot be started, as the end of a sentence about its place in the tools
 * file; undefined if it can.
 *
 * @param program an absolute path, or a name to look for in `path`
 */
export function findStartProblem(program: string, path = defaultPath): string | undefined {
	if (!isAbsolute(program)) {
		const places = path.split(delimiter).map((folder) => join(folder, program));
		return places.some(isExecutable) ? undefined : `is a program that is not in PATH: ${program}`;
	}
	if (statSync(program, {throwIfNoEntry: false})?.isFile() !== true) {
		return `is a program that does not exist: ${program}`;
	}
	return isExecutable(program) ? undefined : `is a file that is not executable: ${program}`;
}

/** Returns the absolute path of a program; undefined if it is not in an absolute folder of `path`. */
export function findProgram(name: string, path = defaultPath): string | undefined {
	return path
		.split(delimiter)
		.filter(isAbsolute)
		.map((folder) => join(folder, name))
		.find(isExecutable);
}

/**
 * Returns a system program's path. Windows would first start one with this name in the current
 * folder.
 */
export function findSystemProgram(
	name: string,
	{platform, variables}: Pick<Environment, 'platform' | 'variables'>,
): string | undefined {
	if (platform !== 'win32') return findProgram(name, variables['PATH']);
	return `${variables['SystemRoot'] ?? 'C:\\Windows'}\\System32\\${name}`;
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

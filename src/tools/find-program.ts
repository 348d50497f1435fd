/** Whether a program can be started, before anybody relies on it. */
import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';

/** Where the system looks without a `PATH`. */
const defaultPath = '/usr/bin:/bin';

/**
 * Why a program cannot be started, as the end of a sentence about it; undefined if nothing is
 * known against it.
 *
 * @param program an absolute path, or a name to look for in `path`
 */
export function findStartProblem(program: string, path = defaultPath): string | undefined {
	if (!isAbsolute(program)) {
		const places = path.split(delimiter).map((folder) => join(folder, program));
		return places.some(isExecutable)
			? undefined
			: `names a program that is not in PATH: ${program}`;
	}
	if (statSync(program, {throwIfNoEntry: false})?.isFile() !== true) {
		return `names a program that does not exist: ${program}`;
	}
	return isExecutable(program) ? undefined : `names a file that is not executable: ${program}`;
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

/** Checks that the program of a server can be started. */
import {statSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import {findStartProblem} from '../processes/find-program.ts';

/** Returns why it cannot, as the end of a sentence about its command. */
export function findProgramProblem(
	[program = '']: readonly string[],
	folder: string,
	path: string | undefined,
): string | undefined {
	if (statSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) {
		return `would run in a folder that does not exist: ${folder}`;
	}
	const isName = !program.includes('/');
	return findStartProblem(isName || isAbsolute(program) ? program : join(folder, program), path);
}

/** Checks that a server program can start. */
import {statSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {Environment} from '../environment.ts';
import {findStartProblem} from '../processes/find-program.ts';
import type {ProgramAccess} from './server-entry.ts';

/**
 * Returns why it cannot start, as the end of a sentence about its command. On Windows, only
 * starting it shows that.
 *
 * @param access with its variables filled in
 */
export function findProgramProblem(
	{argv: [program = ''], variables: own, cwd}: ProgramAccess,
	{variables, homedir = '/', platform}: Pick<Environment, 'variables' | 'homedir' | 'platform'>,
): string | undefined {
	if (platform === 'win32') return undefined;
	const folder = cwd ?? homedir;
	if (statSync(folder, {throwIfNoEntry: false})?.isDirectory() !== true) {
		return `would run in a folder that does not exist: ${folder}`;
	}
	const isName = !program.includes('/');
	return findStartProblem(
		isName || isAbsolute(program) ? program : join(folder, program),
		own['PATH'] ?? variables['PATH'],
	);
}

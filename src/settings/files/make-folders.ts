import {existsSync, mkdirSync} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Makes a folder for the user alone, one level at a time: where no folder can be made, as in `/proc`,
 * the recursive `mkdir` of Node never returns.
 */
export function makeFolders(path: string): void {
	if (existsSync(path)) return;
	if (dirname(path) !== path) makeFolders(dirname(path));
	try {
		mkdirSync(path, 0o700);
	} catch (error) {
		// Another run may have made it in the meantime.
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
}

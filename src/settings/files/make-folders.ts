/** Folders for the files of the user. */
import {existsSync, mkdirSync} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Makes a folder for the user alone, with every folder above it that is missing. One by one: where
 * no folder can be made, as in `/proc`, the recursive `mkdir` of Node never returns.
 *
 * @throws the system's error
 */
export function makeFolders(path: string): void {
	if (existsSync(path)) return;
	const parent = dirname(path);
	if (parent !== path) makeFolders(parent);
	try {
		mkdirSync(path, 0o700);
	} catch (error) {
		// Another run may have made it in the meantime.
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
}

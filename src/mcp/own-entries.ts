/** Reads the user's own servers, from `mcp.json` beside the config file. */
import {dirname} from 'node:path';
import {ChatError} from '../errors.ts';
import {mcpPath, type PathSource} from '../settings/files/config-path.ts';
import {readJsonFile, UnreadableError} from '../settings/files/json-file.ts';
import {type ReadEntry, readEntries} from './read-entries.ts';

export const ownFileName = 'mcp.json';

/**
 * Returns none without the file.
 *
 * @throws {ChatError} `config` for an unreadable file, or for a mistake outside its servers
 */
export function readOwnEntries(source: PathSource): readonly ReadEntry[] {
	const path = mcpPath(source);
	const text = path && readServersText(path);
	if (path === undefined || text === undefined) return [];
	return readEntries(text, {name: ownFileName, directory: dirname(path)});
}

/**
 * Returns undefined without the file.
 *
 * @throws {ChatError} `config` for an unreadable file
 */
export function readServersText(path: string): string | undefined {
	try {
		return readJsonFile(path).text;
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw error;
		throw new ChatError('config', error.message);
	}
}

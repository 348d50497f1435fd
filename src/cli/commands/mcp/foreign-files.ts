/** The files in which other programs keep the MCP servers of a user. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Environment} from '../../../environment.ts';

/** Below the home folder. */
const files = ['.claude.json', '.cursor/mcp.json', '.gemini/settings.json', '.qwen/settings.json'];

/** Below the folder where programs with windows keep their settings. */
const desktopFiles = ['Claude/claude_desktop_config.json', 'Code/User/mcp.json'];

/** Returns the paths of those that exist. Nothing is looked for in the current folder. */
export function findForeignFiles({
	homedir,
	platform,
	variables,
}: Pick<Environment, 'homedir' | 'platform' | 'variables'>): readonly string[] {
	if (homedir === undefined) return [];
	const desktopFolders: Readonly<Record<string, string>> = {
		darwin: join(homedir, 'Library', 'Application Support'),
		win32: variables['APPDATA'] ?? join(homedir, 'AppData', 'Roaming'),
	};
	const desktop = desktopFolders[platform] ?? join(homedir, '.config');
	return [
		...files.map((file) => join(homedir, file)),
		...desktopFiles.map((file) => join(desktop, file)),
	].filter((path) => existsSync(path));
}

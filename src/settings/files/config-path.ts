/**
 * Locates the files and folders of the user, where `conf` has them (by env-paths), without loading
 * it. A path is absolute; undefined without a home folder.
 */
import {isAbsolute, join, win32} from 'node:path';
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';

export type PathSource = Pick<Environment, 'variables' | 'platform' | 'homedir'>;

type FindPath = (source: PathSource) => string | undefined;

/** Any system besides macOS and Windows follows the XDG specification. */
type System = 'xdg' | 'darwin' | 'win32';

type Folder = {
	/** Names the parent folder, if it is set. */
	readonly variable?: string;
	/** The parent folder otherwise, in the home folder. */
	readonly base: string;
	readonly below: string;
};

const folders = {
	config: {
		xdg: {variable: 'XDG_CONFIG_HOME', base: '.config', below: 'chat'},
		darwin: {base: 'Library/Preferences', below: 'chat'},
		win32: {variable: 'APPDATA', base: 'AppData/Roaming', below: 'chat/Config'},
	},
	cache: {
		xdg: {variable: 'XDG_CACHE_HOME', base: '.cache', below: 'chat'},
		darwin: {base: 'Library/Caches', below: 'chat'},
		win32: {variable: 'LOCALAPPDATA', base: 'AppData/Local', below: 'chat/Cache'},
	},
	state: {
		xdg: {variable: 'XDG_STATE_HOME', base: '.local/state', below: 'chat'},
		darwin: {base: 'Library/Application Support', below: 'chat'},
		win32: {variable: 'LOCALAPPDATA', base: 'AppData/Local', below: 'chat/Data'},
	},
} as const satisfies Record<string, Record<System, Folder>>;

/**
 * @param name of a file or folder there; empty for the folder itself
 * @param fixed the system whose folder is used on every other one too
 */
function locate(kind: keyof typeof folders, name = '', fixed?: System): FindPath {
	return ({platform, variables, homedir}) => {
		const isXdg = platform !== 'darwin' && platform !== 'win32';
		const system = fixed ?? (isXdg ? 'xdg' : platform);
		const {variable = '', base, below}: Folder = folders[kind][system];
		const named = variables[variable] ?? '';
		// The XDG specification: nothing is read from the current folder.
		const isNamed = system === 'win32' ? win32.isAbsolute(named) : isAbsolute(named);
		const parent = isNamed ? named : homedir && join(homedir, base);
		return parent && join(parent, below, name);
	};
}

export const configDirectory = locate('config');
export const configPath = locate('config', 'config.json');
/** A file of its own for the API keys, so that the settings can be shown and shared. */
export const credentialsPath = locate('config', 'credentials.json');
/** The user's own file of servers. */
export const mcpPath = locate('config', 'mcp.json');
/** The user's own prompt templates. */
export const templatesDirectory = locate('config', 'templates');
/** The hashes of the templates that the user has agreed to. */
export const trustedTemplatesPath = locate('config', 'trusted-templates.json');
/** Hashes of trusted server files. */
export const trustedServersPath = locate('config', 'trusted-servers.json');

/** Fetched data about models, which may be deleted at any time. */
export const modelsPath = locate('cache', 'models.json');
/** The names of the models that services have listed, which may be deleted too. */
export const offeredModelsPath = locate('cache', 'offered-models.json');

/** Saved conversations, and offers of servers. */
export const stateDirectory = locate('state');
/** Offers of servers, so that a run need not ask for them. */
export const manifestsDirectory = locate('state', 'mcp');

/** The compiled code of the program, which `bin/chat.js` keeps: in the same place on every system. */
export const compiledCodePath = locate('cache', 'compiled', 'xdg');

/** @throws {ChatError} `create` without a home folder */
export function requirePath(path: string | undefined): string {
	if (path !== undefined) return path;
	throw new ChatError('create', 'there is no home folder for settings and keys', {
		hint: homeHint,
	});
}

export const homeHint = 'Set HOME or XDG_CONFIG_HOME.';

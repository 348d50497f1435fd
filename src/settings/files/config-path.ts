/** Locates the config folder: the one that `conf` computes (by env-paths), without loading it. */
import {isAbsolute, join, win32} from 'node:path';
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';

export type PathSource = Pick<Environment, 'variables' | 'platform' | 'homedir'>;

/**
 * Returns an absolute path; undefined without a home folder. A relative path in a variable is
 * ignored, as the XDG specification says: nothing is read from the current folder.
 */
export function configDirectory(source: PathSource): string | undefined {
	return (directoryOf[source.platform] ?? xdgDirectory)(source);
}

type FindDirectory = (source: PathSource) => string | undefined;

const directoryOf: Readonly<Record<string, FindDirectory>> = {
	darwin: ({homedir}) => homedir && join(homedir, 'Library', 'Preferences', 'chat'),
	win32: ({homedir, variables}) => {
		const {APPDATA: named = ''} = variables;
		const base = win32.isAbsolute(named) ? named : homedir && join(homedir, 'AppData', 'Roaming');
		return base && join(base, 'chat', 'Config');
	},
};

const xdgDirectory: FindDirectory = ({homedir, variables}) => {
	const {XDG_CONFIG_HOME: named = ''} = variables;
	const base = isAbsolute(named) ? named : homedir && join(homedir, '.config');
	return base && join(base, 'chat');
};

export function configPath(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'config.json');
}

/** Locates the user's own prompt templates. */
export function templatesDirectory(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'templates');
}

/** Locates the user's own file of servers. */
export function mcpPath(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'mcp.json');
}

/** Locates the hashes of the templates that the user has agreed to. */
export function trustPath(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'trusted-templates.json');
}

/** Locates the hashes of the files of servers that the user has agreed to. */
export function trustedServersPath(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'trusted-servers.json');
}

/** The API keys have a file of their own, so that the settings can be shown and shared. */
export function credentialsPath(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'credentials.json');
}

const findCache: Readonly<Record<string, FindDirectory>> = {
	darwin: ({homedir}) => homedir && join(homedir, 'Library', 'Caches', 'chat'),
	win32: ({homedir, variables}) => {
		const {LOCALAPPDATA: named = ''} = variables;
		const base = win32.isAbsolute(named) ? named : homedir && join(homedir, 'AppData', 'Local');
		return base && join(base, 'chat', 'Cache');
	},
};

const xdgCache: FindDirectory = ({homedir, variables}) => {
	const {XDG_CACHE_HOME: named = ''} = variables;
	const base = isAbsolute(named) ? named : homedir && join(homedir, '.cache');
	return base && join(base, 'chat');
};

function cacheDirectory(source: PathSource): string | undefined {
	return (findCache[source.platform] ?? xdgCache)(source);
}

/** Locates the fetched data about models, which may be deleted at any time. */
export function modelsPath(source: PathSource): string | undefined {
	const directory = cacheDirectory(source);
	return directory && join(directory, 'models.json');
}

/** Locates the names of the models that services have listed, which may be deleted too. */
export function offeredModelsPath(source: PathSource): string | undefined {
	const directory = cacheDirectory(source);
	return directory && join(directory, 'offered-models.json');
}

/** Locates the compiled code of the program, which `bin/chat.js` keeps: on every system here. */
export function compiledCodePath(source: PathSource): string | undefined {
	const directory = xdgCache(source);
	return directory && join(directory, 'compiled');
}

const findState: Readonly<Record<string, FindDirectory>> = {
	darwin: ({homedir}) => homedir && join(homedir, 'Library', 'Application Support', 'chat'),
	win32: ({homedir, variables}) => {
		const {LOCALAPPDATA: named = ''} = variables;
		const base = win32.isAbsolute(named) ? named : homedir && join(homedir, 'AppData', 'Local');
		return base && join(base, 'chat', 'Data');
	},
};

const xdgState: FindDirectory = ({homedir, variables}) => {
	const {XDG_STATE_HOME: named = ''} = variables;
	const base = isAbsolute(named) ? named : homedir && join(homedir, '.local', 'state');
	return base && join(base, 'chat');
};

/** Locates the folder of saved conversations, and of what servers offer. */
export function stateDirectory(source: PathSource): string | undefined {
	return (findState[source.platform] ?? xdgState)(source);
}

/** Locates what is known of servers without asking them. */
export function manifestsDirectory(source: PathSource): string | undefined {
	const directory = stateDirectory(source);
	return directory && join(directory, 'mcp');
}

/** @throws {ChatError} `create` without a home folder */
export function requirePath(path: string | undefined): string {
	if (path !== undefined) return path;
	throw new ChatError('create', 'there is no home folder for settings and keys', {
		hint: {code: 'set-home'},
	});
}

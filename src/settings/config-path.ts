/**
 * Where the files of the settings are. The folder is the one that `conf` computes for this
 * platform (by env-paths), without loading it.
 */
import {join, resolve} from 'node:path';
import type {Environment} from '../environment.ts';

/** What the places depend on. */
export type PathSource = Pick<Environment, 'variables' | 'platform' | 'homedir' | 'cwd'>;

/** Absolute. Undefined: there is no home folder, and nothing else names a place. */
export function configDirectory(source: PathSource): string | undefined {
	const base = (baseOf[source.platform] ?? xdgBase)(source);
	return base === undefined ? undefined : resolve(source.cwd, base);
}

const baseOf: Readonly<Record<string, (source: PathSource) => string | undefined>> = {
	darwin: ({homedir}) => homedir && join(homedir, 'Library', 'Preferences', 'chat'),
	win32: ({homedir, variables}) => {
		const base = variables['APPDATA'] || (homedir && join(homedir, 'AppData', 'Roaming'));
		return base && join(base, 'chat', 'Config');
	},
};

function xdgBase({homedir, variables}: PathSource): string | undefined {
	const base = variables['XDG_CONFIG_HOME'] || (homedir && join(homedir, '.config'));
	return base && join(base, 'chat');
}

export function configPath(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'config.json');
}

/** The API keys, apart from the settings, so that these may be shown and shared. */
export function credentialsPath(source: PathSource): string | undefined {
	const directory = configDirectory(source);
	return directory && join(directory, 'credentials.json');
}

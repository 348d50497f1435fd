import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	compiledCodePath,
	configPath,
	credentialsPath,
	modelsPath,
	stateDirectory,
} from '../../../src/settings/files/config-path.ts';

type Folders = readonly [config: string, cache: string, state: string];

const xdg: Folders = ['.config/chat', '.cache/chat', '.local/state/chat'];
const windows: Folders = [
	'AppData/Roaming/chat/Config',
	'AppData/Local/chat/Cache',
	'AppData/Local/chat/Data',
];

/** Where `conf` has the file of settings, and where each system has the others. */
test.each<[string, Readonly<Record<string, string>>, Folders]>([
	['linux', {}, xdg],
	['linux', {XDG_CONFIG_HOME: '', XDG_CACHE_HOME: './c', XDG_STATE_HOME: 's'}, xdg],
	['freebsd', {XDG_CONFIG_HOME: './xdg'}, xdg],
	[
		'darwin',
		{XDG_CONFIG_HOME: '/xdg'},
		['Library/Preferences/chat', 'Library/Caches/chat', 'Library/Application Support/chat'],
	],
	['win32', {APPDATA: 'roaming', LOCALAPPDATA: 'local'}, windows],
])('the folders of %s are in the home folder: %j', (platform, variables, folders) => {
	const source = {platform, variables, homedir: '/home/ada'};
	const [config = '', cache = '', state = ''] = folders.map((one) => join('/home/ada', one));
	expect(configPath(source)).toBe(join(config, 'config.json'));
	expect(credentialsPath(source)).toBe(join(config, 'credentials.json'));
	expect(modelsPath(source)).toBe(join(cache, 'models.json'));
	expect(stateDirectory(source)).toBe(state);
	expect(compiledCodePath(source)).toBe('/home/ada/.cache/chat/compiled');
	expect(configPath({platform, variables, homedir: undefined})).toBeUndefined();
});

test.each<[string, Readonly<Record<string, string>>, ...string[]]>([
	['linux', {XDG_CONFIG_HOME: '/x', XDG_CACHE_HOME: '/c', XDG_STATE_HOME: '/s'}, '/x', '/c', '/s'],
	['win32', {APPDATA: '/r', LOCALAPPDATA: '/l'}, '/r', '/l', '/l'],
])(
	'an absolute variable names them, without a home folder too: %s',
	(platform, variables, ...at) => {
		const isWindows = platform === 'win32';
		const [config, cache, state] = at.map((folder) => join(folder, 'chat'));
		for (const homedir of ['/home/ada', undefined]) {
			const source = {platform, variables, homedir};
			expect(configPath(source)).toBe(join(config ?? '', isWindows ? 'Config' : '', 'config.json'));
			expect(modelsPath(source)).toBe(join(cache ?? '', isWindows ? 'Cache' : '', 'models.json'));
			expect(stateDirectory(source)).toBe(join(state ?? '', isWindows ? 'Data' : ''));
		}
	},
);

import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
	compiledCodePath,
	configDirectory,
	configPath,
	credentialsPath,
	modelsPath,
	stateDirectory,
} from '../../../src/settings/files/config-path.ts';
import {createDirectory} from '../../input/input-helpers.ts';

type Place = readonly [platform: string, variables: Readonly<Record<string, string>>];

/** `conf` creates its folder, so it only gets the ones of this platform; it uses `env-paths`. */
const askConf = `
	const {default: Conf} = await import('conf');
	const {default: envPaths} = await import('env-paths');
	const paths = JSON.parse(process.argv[1]).map(([platform, variables]) => {
		Object.defineProperty(process, 'platform', {value: platform});
		for (const name of ['XDG_CONFIG_HOME', 'APPDATA']) delete process.env[name];
		Object.assign(process.env, variables);
		return platform === 'linux'
			? new Conf({projectName: 'chat', projectSuffix: ''}).path
			: envPaths('chat', {suffix: ''}).config + '/config.json';
	});
	process.stdout.write(JSON.stringify(paths));`;

describe('the config file', () => {
	test('is where conf has it', () => {
		const homedir = createDirectory();
		const places: readonly Place[] = [
			['linux', {}],
			['linux', {XDG_CONFIG_HOME: join(homedir, 'xdg')}],
			['linux', {XDG_CONFIG_HOME: ''}],
			['freebsd', {}],
			['darwin', {XDG_CONFIG_HOME: join(homedir, 'xdg')}],
			['win32', {}],
			['win32', {APPDATA: join(homedir, 'roaming')}],
		];
		const argv = ['--input-type=module', '-e', askConf, JSON.stringify(places)];
		const env = {HOME: homedir};
		const asked = execFileSync(process.execPath, argv, {env, encoding: 'utf8'});
		const found = places.map(([platform, variables]) => {
			return configPath({platform, variables, homedir});
		});
		expect(found).toEqual(JSON.parse(asked));
	});

	test('is next to the keys', () => {
		const source = {platform: 'linux', variables: {}, homedir: '/home/ada'};
		expect(configDirectory(source)).toBe('/home/ada/.config/chat');
		expect(credentialsPath(source)).toBe('/home/ada/.config/chat/credentials.json');
	});

	test.each(['linux', 'darwin', 'win32'])('has no path without a home folder on %s', (platform) => {
		const source = {platform, variables: {}, homedir: undefined};
		expect(configPath(source)).toBeUndefined();
		expect(credentialsPath(source)).toBeUndefined();
	});

	test.each([
		['linux', {XDG_CONFIG_HOME: 'xdg'}, '/home/ada/.config/chat/config.json'],
		['linux', {XDG_CONFIG_HOME: './xdg'}, '/home/ada/.config/chat/config.json'],
		['win32', {APPDATA: 'roaming'}, '/home/ada/AppData/Roaming/chat/Config/config.json'],
	])('is in no relative folder: %s %j', (platform, variables, path) => {
		expect(configPath({platform, variables, homedir: '/home/ada'})).toBe(path);
	});

	test('needs no home folder if a variable names the folder', () => {
		const variables = {XDG_CONFIG_HOME: '/etc/xdg'};
		const source = {platform: 'linux', variables, homedir: undefined};
		expect(configPath(source)).toBe('/etc/xdg/chat/config.json');
	});
});

describe('the cache and the state', () => {
	const home = '/home/ada';

	test.each([
		['linux', {}, '.cache/chat', '.local/state/chat'],
		['freebsd', {XDG_CACHE_HOME: 'c', XDG_STATE_HOME: ''}, '.cache/chat', '.local/state/chat'],
		['darwin', {}, 'Library/Caches/chat', 'Library/Application Support/chat'],
		['win32', {}, 'AppData/Local/chat/Cache', 'AppData/Local/chat/Data'],
		['win32', {LOCALAPPDATA: 'local'}, 'AppData/Local/chat/Cache', 'AppData/Local/chat/Data'],
	])('are in the home folder: %s %j', (platform, variables, cache, state) => {
		const source = {platform, variables, homedir: home};
		expect(modelsPath(source)).toBe(join(home, cache, 'models.json'));
		expect(stateDirectory(source)).toBe(join(home, state));
	});

	test.each([
		['linux', {XDG_CACHE_HOME: '/c', XDG_STATE_HOME: '/s'}, '/c/chat', '/s/chat'],
		['win32', {LOCALAPPDATA: '/local'}, '/local/chat/Cache', '/local/chat/Data'],
	])('are where an absolute variable says: %s %j', (platform, variables, cache, state) => {
		for (const homedir of [home, undefined]) {
			const source = {platform, variables, homedir};
			expect(modelsPath(source)).toBe(join(cache, 'models.json'));
			expect(stateDirectory(source)).toBe(join(state));
		}
	});

	test.each(['linux', 'darwin', 'win32'])('have the compiled code in one place: %s', (platform) => {
		const source = {platform, variables: {LOCALAPPDATA: '/local'}, homedir: home};
		expect(compiledCodePath(source)).toBe(join(home, '.cache/chat/compiled'));
		const named = {...source, variables: {XDG_CACHE_HOME: '/c'}};
		expect(compiledCodePath(named)).toBe(join('/c/chat/compiled'));
	});
});

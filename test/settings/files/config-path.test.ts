import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
	configDirectory,
	configPath,
	credentialsPath,
} from '../../../src/settings/files/config-path.ts';
import {createDirectory} from '../../input/input-helpers.ts';

const askConfItself = `
	const {default: Conf} = await import('conf');
	process.stdout.write(new Conf({projectName: 'chat', projectSuffix: ''}).path);`;

/** `conf` uses this package. */
const askItsPaths = `
	const {default: envPaths} = await import('env-paths');
	process.stdout.write(envPaths('chat', {suffix: ''}).config + '/config.json');`;

/** Returns the path that `conf` computes for a platform. */
function askConf(platform: string, variables: Readonly<Record<string, string>>): string {
	// It creates the folder, so it only gets the one of this platform.
	const isOwn = platform === 'linux';
	const script = `
		Object.defineProperty(process, 'platform', {value: ${JSON.stringify(platform)}});
		${isOwn ? askConfItself : askItsPaths}`;
	return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
		env: {...variables},
		encoding: 'utf8',
		cwd: process.cwd(),
	});
}

describe('the config file', () => {
	test.each([
		['linux', {}],
		['linux', {XDG_CONFIG_HOME: 'xdg'}],
		['linux', {XDG_CONFIG_HOME: ''}],
		['freebsd', {}],
		['darwin', {}],
		['darwin', {XDG_CONFIG_HOME: 'xdg'}],
		['win32', {}],
		['win32', {APPDATA: 'roaming'}],
	])('is where conf has it: %s %j', (platform, folders) => {
		const home = createDirectory();
		const variables = Object.fromEntries(
			Object.entries(folders).map(([name, folder]) => [name, folder && join(home, folder)]),
		);
		const source = {platform, variables, homedir: home};
		expect(configPath(source)).toBe(askConf(platform, {...variables, HOME: home}));
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

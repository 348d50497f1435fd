import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {readConfig, selectLayers} from '../../../src/settings/files/config-file.ts';
import {createHome} from '../../helpers/settings-home.ts';

const isWindows = process.platform === 'win32';

describe('the config file', () => {
	test('holds settings and unknown keys, and may begin with a byte order mark', () => {
		const {configPath} = createHome({config: '\ufeff{"model": "terra", "later": {"x": 1}}'});
		const {exists, problem, values} = readConfig(configPath, 'linux');
		expect({exists, problem, values}).toEqual({
			exists: true,
			problem: undefined,
			values: {model: 'terra', later: {x: 1}},
		});
	});

	test.each([
		['{"model": "terra"\n"usage": true}', /not valid JSON: line 2, column 1: expected a comma/],
		['{"base-url": hunter2hunter2}', /^(?!.*hunter2)/],
		['', /config\.json is not valid JSON: line 1, column 1: unexpected end/],
		['[]', /config\.json must be a JSON object/],
		['{"profiles": []}', /profiles in .*config\.json must be an object/],
	])('reports the position of a mistake and how to fix it: %j', (config, message) => {
		const {configPath} = createHome({config});
		expect(() => readConfig(configPath, 'linux')).toThrow(
			expect.objectContaining({
				kind: 'config',
				message: expect.stringMatching(message),
				details: {hint: 'To fix it: chat config edit'},
			}),
		);
	});

	test.skipIf(isWindows).each([
		['a folder', (path: string) => mkdirSync(path), '(EISDIR)'],
		['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'not a regular file'],
		[
			'too large',
			(path: string) => {
				writeFileSync(path, '');
				truncateSync(path, 2 ** 34);
			},
			'larger than 16 MiB',
		],
		['a link without a target', (path: string) => symlinkSync('gone', path), 'leads nowhere'],
	])('is not read if it is %s', (_, make, reason) => {
		const {configPath, directory} = createHome();
		mkdirSync(directory, {recursive: true});
		make(configPath);
		const {exists, problem, values} = readConfig(configPath, 'linux');
		expect({exists, values}).toEqual({exists: true, values: {}});
		expect(problem).toContain(`cannot read ${configPath} (`);
		expect(problem).toContain(reason);
	});

	test.skipIf(isWindows)('is used with a warning if others can write it or its folder', () => {
		const {configPath, directory} = createHome({config: {model: 'x'}});
		expect(readConfig(configPath, 'linux').warning).toBeUndefined();
		chmodSync(directory, 0o777);
		expect(readConfig(configPath, 'linux')).toMatchObject({
			values: {model: 'x'},
			warning: expect.stringMatching(`^other users can write ${directory}, .* chmod go-w`),
		});
		expect(readConfig(configPath, 'win32').warning).toBeUndefined();
		chmodSync(configPath, 0o606);
		expect(readConfig(configPath, 'linux').warning).toContain(`chmod go-w ${configPath}`);
	});
});

describe('the layers of the config file', () => {
	const values = {model: 'terra', profiles: {work: {model: 'luna'}, odd: 5}};

	test.each(['nope', '', 'toString', '__proto__', 'profiles'])(
		'reports the existing profiles for an unknown one: %j',
		(profile) => {
			const config = readConfig(createHome({config: values}).configPath, 'linux');
			expect(() => selectLayers(config, {name: profile, isFromFlag: false})).toThrow(
				expect.objectContaining({
					kind: 'config',
					message: expect.stringContaining('; there are: work, odd'),
				}),
			);
		},
	);
});

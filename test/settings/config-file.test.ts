import {mkdirSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {readConfig, selectLayers} from '../../src/settings/config-file.ts';
import {createHome} from '../helpers/settings-home.ts';

describe('the config file', () => {
	test('may be missing, also its folder', () => {
		const {configPath} = createHome();
		const nothing = {isThere: false, problem: undefined, values: {}, profiles: {}};
		expect(readConfig(configPath)).toEqual({path: configPath, ...nothing});
		expect(readConfig(undefined)).toEqual({path: undefined, ...nothing});
	});

	test('holds settings, unknown keys and profiles', () => {
		const {configPath} = createHome({
			config: {model: 'terra', later: {x: 1}, profiles: {work: {model: 'luna'}}},
		});
		expect(readConfig(configPath)).toEqual({
			path: configPath,
			isThere: true,
			problem: undefined,
			values: {model: 'terra', later: {x: 1}},
			profiles: {work: {model: 'luna'}},
		});
	});

	test('may begin with the mark that editors of Windows put there', () => {
		const {configPath} = createHome({config: '\ufeff{"model": "terra"}'});
		expect(readConfig(configPath).values).toEqual({model: 'terra'});
	});

	test.each([
		['{"model": "terra"\n"usage": true}', /config\.json is no JSON: line 2, column 1: a string/],
		['', /config\.json is no JSON: line 1, column 1: it ends too early/],
		['[]', /config\.json holds no JSON object/],
		['"text"', /config\.json holds no JSON object/],
		['{"profiles": []}', /profiles in .*config\.json must be an object/],
		['{"profiles": "work"}', /profiles in .*config\.json must be an object/],
	])('%j is a failure that says where, and how to mend it', (config, message) => {
		const {configPath} = createHome({config});
		expect(() => readConfig(configPath)).toThrow(
			expect.objectContaining({
				kind: 'config',
				message: expect.stringMatching(message),
				details: {hint: 'Mend it with: chat config edit'},
			}),
		);
	});

	test('never shows its text in a failure', () => {
		const {configPath} = createHome({config: '{"base-url": hunter2hunter2}'});
		expect(() => readConfig(configPath)).toThrow(/^(?!.*hunter2)/);
	});

	test('that cannot be read is told, and holds nothing', () => {
		const {configPath} = createHome();
		mkdirSync(configPath, {recursive: true});
		const {isThere, problem, values} = readConfig(configPath);
		expect({isThere, values}).toEqual({isThere: true, values: {}});
		expect(problem).toBe(`cannot read ${configPath} (EISDIR)`);
	});
});

describe('the layers of the config file', () => {
	const values = {model: 'terra', profiles: {work: {model: 'luna'}, odd: 5}};

	test('are none without a file', () => {
		expect(selectLayers(readConfig(createHome().configPath), undefined)).toEqual([]);
	});

	test('are the file, and the profile over it', () => {
		const {configPath} = createHome({config: values});
		const config = readConfig(configPath);
		const [base, ...none] = selectLayers(config, undefined);
		expect(base).toMatchObject({source: 'config', values: {model: 'terra'}});
		expect(none).toEqual([]);
		expect(selectLayers(config, {name: 'work', isFromFlag: false})).toMatchObject([
			{source: 'config', place: `in ${configPath}`},
			{source: 'profile', place: `of the profile work in ${configPath}`, values: {model: 'luna'}},
		]);
	});

	test.each(['nope', '', 'toString', '__proto__', 'profiles'])(
		'of a profile that does not exist are a failure that lists those that do: %j',
		(profile) => {
			const config = readConfig(createHome({config: values}).configPath);
			expect(() => selectLayers(config, {name: profile, isFromFlag: false})).toThrow(
				expect.objectContaining({
					kind: 'config',
					message: expect.stringContaining('; there are: work, odd'),
				}),
			);
		},
	);

	test('of a profile are a failure without a file, or when it is no object', () => {
		const none = readConfig(createHome().configPath);
		expect(() => selectLayers(none, {name: 'work', isFromFlag: false})).toThrow(
			'there is no profile work',
		);
		const config = readConfig(createHome({config: values}).configPath);
		expect(() => selectLayers(config, {name: 'odd', isFromFlag: false})).toThrow(
			/profile odd .* must be an object/,
		);
	});
});

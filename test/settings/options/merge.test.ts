import {describe, expect, test} from 'vitest';
import {ChatError} from '../../../src/errors.ts';
import type {ConfigLayer} from '../../../src/settings/files/config-file.ts';
import {mergeSettings} from '../../../src/settings/options/merge.ts';
import {longFlagOf} from '../../../src/settings/options/option-row.ts';
import {optionRows} from '../../../src/settings/options/option-rows.ts';
import {settingNames} from '../../../src/settings/options/settings.ts';

function failureOf(run: () => unknown): ChatError {
	try {
		run();
	} catch (error) {
		if (error instanceof ChatError) return error;
	}
	throw new Error('no ChatError was thrown');
}

function layer(source: ConfigLayer['source'], values: ConfigLayer['values']): ConfigLayer {
	return {
		source,
		location: `in the ${source}`,
		directory: '/etc/chat',
		values,
		beatsVariables: false,
	};
}

describe('settings', () => {
	test('are the defaults if nothing is set', () => {
		const {settings, sources} = mergeSettings({}, {});
		for (const name of settingNames) {
			expect(settings[name]).toEqual(optionRows[name].defaultValue);
			expect(sources[name]).toBe('default');
		}
	});

	test('of a layer override those of earlier layers, key by key', () => {
		const layers = [
			layer('config', {model: 'a', family: 'a', system: 'a', usage: true, 'base-url': 'http://a'}),
			layer('profile', {model: 'b', family: 'b', system: 'b'}),
		];
		const variables = {CHAT_MODEL: 'c', CHAT_FAMILY: 'c'};
		const {settings, sources} = mergeSettings({model: ['d']}, variables, layers);
		expect(settings).toMatchObject({model: 'd', family: 'c', system: {text: 'b'}, usage: true});
		expect(settings.baseUrl?.href).toBe('http://a/');
		expect(sources).toMatchObject({
			model: 'flag',
			family: 'environment',
			system: 'profile',
			usage: 'config',
			baseUrl: 'config',
			output: 'default',
		});
	});

	test('of a profile of the command line override variables', () => {
		const named = {...layer('profile', {model: 'b'}), beatsVariables: true};
		const layers = [layer('config', {model: 'a', family: 'a'}), named];
		const variables = {CHAT_MODEL: 'c', CHAT_FAMILY: 'c'};
		const {settings, sources} = mergeSettings({}, variables, layers);
		expect(settings).toMatchObject({model: 'b', family: 'c'});
		expect(sources).toMatchObject({model: 'profile', family: 'environment'});
		expect(mergeSettings({model: ['d']}, variables, layers).settings.model).toBe('d');
	});

	test('may be numbers and booleans in the file, or strings', () => {
		const plain = {temperature: 0.5, stream: false, 'idle-timeout': '3s', 'max-tokens': 5};
		const texts = {temperature: '0.5', stream: 'no', 'idle-timeout': '3s', 'max-tokens': '5'};
		for (const values of [plain, texts]) {
			expect(mergeSettings({}, {}, [layer('config', values)]).settings).toMatchObject({
				temperature: 0.5,
				stream: false,
				idleTimeout: 3000,
				maxTokens: 5,
			});
		}
	});

	test('that are paths in the file start at its folder', () => {
		const values = {'api-key-file': 'key.txt', system: '@style.txt'};
		const {settings} = mergeSettings({}, {}, [layer('config', values)]);
		expect(settings).toMatchObject({
			apiKeyFile: '/etc/chat/key.txt',
			system: {file: '/etc/chat/style.txt'},
		});
		const said = mergeSettings({}, {}, [layer('config', {system: 'mail me @home'})]).settings;
		expect(said.system).toEqual({text: 'mail me @home'});
	});

	test('that are lists are a string in the file, or several', () => {
		const values = {stop: ['END', 'STOP'], tools: ['a.json', '/b.json']};
		const {settings} = mergeSettings({}, {}, [layer('config', values)]);
		expect(settings).toMatchObject({
			stop: ['END', 'STOP'],
			tools: ['/etc/chat/a.json', '/b.json'],
		});
		expect(mergeSettings({}, {}, [layer('config', {stop: 'END'})]).settings.stop).toEqual(['END']);
		const cleared = mergeSettings({stop: ['', 'X']}, {}, [layer('config', values)]).settings;
		expect(cleared.stop).toEqual(['X']);
		for (const stop of [5, [5], {a: 'b'}]) {
			const failure = failureOf(() => mergeSettings({}, {}, [layer('config', {stop})]));
			expect(failure.message).toContain('but it must be a string in quotes');
		}
	});

	test('that the file cannot hold, and unknown keys, are ignored', () => {
		const values = {image: ['x.png'], profile: 'x', maxTokens: 5, 'api-key': 'x'};
		expect(mergeSettings({}, {}, [layer('config', values)])).toEqual(mergeSettings({}, {}));
	});

	test('use the last value of a flag, and all values of a list', () => {
		const {settings} = mergeSettings({model: ['a', 'b'], image: ['x.png', 'y.png']}, {});
		expect(settings.model).toBe('b');
		expect(settings.image).toEqual(['x.png', 'y.png']);
	});

	test('are unset by an empty text in a flag or in the file', () => {
		const layers = [layer('config', {temperature: 1, 'max-tokens': 5})];
		const profile = layer('profile', {'max-tokens': ''});
		const {settings} = mergeSettings({temperature: ['']}, {}, [...layers, profile]);
		expect(settings.temperature).toBeUndefined();
		expect(settings.maxTokens).toBeUndefined();
		expect(failureOf(() => mergeSettings({baseUrl: ['']}, {})).kind).toBe('usage');
	});

	test('ignore an empty variable', () => {
		const empty = Object.fromEntries(
			settingNames.flatMap((name) => {
				const {variable} = {variable: undefined, ...optionRows[name]};
				return variable === undefined ? [] : [[variable, '']];
			}),
		);
		expect(mergeSettings({}, {...empty, CHAT_MODEL: undefined})).toEqual(mergeSettings({}, {}));
	});

	test('drop a model by an empty variable', () => {
		const {settings, sources} = mergeSettings({}, {CHAT_MODEL: ''}, [
			layer('config', {model: 'a'}),
		]);
		expect(settings.model).toBeUndefined();
		expect(sources.model).toBe('environment');
	});

	test('ignore variables of other programs', () => {
		const other = {chat_model: 'x', CHAT_IMAGE: 'y.png', MODEL: 'z', CHAT_TOOLS: 'tools.json'};
		expect(mergeSettings({}, other)).toEqual(mergeSettings({}, {}));
	});
});

describe('a value that is not valid', () => {
	test('of a flag is a usage error that names the flag, the value and the rule', () => {
		const failure = failureOf(() => mergeSettings({maxTokens: ['0']}, {}));
		expect(failure.kind).toBe('usage');
		expect(failure.message).toBe(
			'--max-tokens is "0", but it must be a whole number of at least 1',
		);
	});

	test('of a variable is a configuration error that names the variable', () => {
		const failure = failureOf(() => mergeSettings({}, {CHAT_TEMPERATURE: 'hot'}));
		expect(failure.kind).toBe('config');
		expect(failure.message).toBe('CHAT_TEMPERATURE is "hot", but it must be a number from 0 to 2');
	});

	test.each([
		[{temperature: 3}, 'temperature in the config is "3", but it must be a number from 0 to 2'],
		[{temperature: null}, 'temperature in the config is "null", but it must be a number'],
		[{temperature: [1]}, 'temperature in the config is "[1]", but it must be a number'],
		[{model: 5}, 'model in the config is "5", but it must be a string in quotes'],
		[{model: {a: 1}}, 'model in the config is "{"a":1}", but it must be a string in quotes'],
		[{'idle-timeout': 10}, 'idle-timeout in the config is "10", but it must be a duration'],
		[{usage: 'perhaps'}, 'usage in the config is "perhaps", but it must be true or false'],
		[
			{'base-url': 'https://u:hunter2hunter2@x'},
			'base-url in the config is "https://[redacted]@x"',
		],
	])('of the config file names the key and the file: %j', (values, message) => {
		const failure = failureOf(() => mergeSettings({}, {}, [layer('config', values)]));
		expect(failure.kind).toBe('config');
		expect(failure.message.startsWith(message)).toBe(true);
		expect(failure.details.hint).toBe('To fix it: chat config edit');
	});

	test('of the config file is ignored if a later source has one', () => {
		const wrong = layer('config', {temperature: 'hot', model: 5});
		const profile = layer('profile', {model: 'terra'});
		const {settings} = mergeSettings({temperature: ['1']}, {}, [wrong, profile]);
		expect(settings).toMatchObject({temperature: 1, model: 'terra'});
	});

	test('of a flag is an error, also if a valid one follows', () => {
		expect(failureOf(() => mergeSettings({topP: ['7', '1']}, {})).kind).toBe('usage');
	});

	test('is shown without possible secrets', () => {
		const text = 'htp://user:hunter2hunter2@host/?api_key=hunter2hunter2';
		for (const run of [
			() => mergeSettings({baseUrl: [text]}, {}),
			() => mergeSettings({}, {CHAT_BASE_URL: text}),
		]) {
			expect(failureOf(run).message).not.toContain('hunter2');
		}
	});

	test('is ignored on request', () => {
		const flags = {output: ['json'], temperature: ['7'], maxTokens: ['-']};
		const {settings} = mergeSettings(flags, {CHAT_VERBOSE: 'perhaps'}, [], [], () => {});
		expect(settings).toMatchObject({output: 'json', verbose: false});
		expect(settings.temperature).toBeUndefined();
	});
});

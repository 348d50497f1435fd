import {describe, expect, test} from 'vitest';
import {ChatError} from '../../../src/errors.ts';
import type {ConfigLayer} from '../../../src/settings/files/config-file.ts';
import {mergeSettings} from '../../../src/settings/options/merge.ts';
import {optionRows} from '../../../src/settings/options/option-rows.ts';
import {type FlagTexts, settingNames} from '../../../src/settings/options/settings.ts';

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
	const config = (values: ConfigLayer['values']) => layer('config', values);
	const profile = (values: ConfigLayer['values']) => layer('profile', values);
	const named = {...profile({model: 'b'}), beatsVariables: true};
	const variables = {CHAT_MODEL: 'c', CHAT_FAMILY: 'c'};
	const numbers = {temperature: 0.5, stream: false, 'idle-timeout': '3s', 'max-tokens': 5};
	const read = {temperature: 0.5, stream: false, idleTimeout: 3000, maxTokens: 5};
	const paths = {'api-key-file': 'key.txt', system: '@style.txt', tools: ['a.json', '/b.json']};
	const ofFolder = {
		apiKeyFile: '/etc/chat/key.txt',
		system: {file: '/etc/chat/style.txt'},
		tools: ['/etc/chat/a.json', '/b.json'],
	};
	type Sources = readonly [
		flags: FlagTexts,
		variables: Readonly<Record<string, string>>,
		...layers: readonly ConfigLayer[],
	];

	test.each<[string, Sources, object]>([
		['a flag before a variable', [{model: ['d']}, variables], {model: 'd', family: 'c'}],
		['a variable before layers', [{}, variables, profile({family: 'b'})], {family: 'c'}],
		['a profile before the file', [{}, {}, config({model: 'a'}), named], {model: 'b'}],
		['the file key by key', [{}, {}, config({usage: true}), named], {model: 'b', usage: true}],
		['a profile of a flag before variables', [{}, variables, named], {model: 'b', family: 'c'}],
		['numbers and booleans of the file', [{}, {}, config(numbers)], read],
		['paths from the folder of the file', [{}, {}, config(paths)], ofFolder],
		['a text with an @ in it', [{}, {}, config({system: 'a @b'})], {system: {text: 'a @b'}}],
		['a list', [{}, {}, config({stop: ['END', 'STOP']})], {stop: ['END', 'STOP']}],
		['a list after an empty text', [{stop: ['', 'X']}, {}, config({stop: 'END'})], {stop: ['X']}],
		['nothing after an empty flag', [{topP: ['']}, {CHAT_TOP_P: '1'}], {topP: undefined}],
	])('are %s', (_, [flags, given, ...layers], expected) => {
		expect(mergeSettings(flags, given, layers).settings).toMatchObject(expected);
	});

	test('ignore empty variables, those of others, and keys that no file can hold', () => {
		const empty = Object.fromEntries(
			settingNames.flatMap((name) => {
				const {variable} = {variable: undefined, ...optionRows[name]};
				return variable === undefined ? [] : [[variable, '']];
			}),
		);
		const none = mergeSettings({}, {});
		expect(mergeSettings({}, {...empty, CHAT_MODEL: undefined})).toEqual(none);
		const others = {chat_model: 'x', CHAT_IMAGE: 'y.png', MODEL: 'z', CHAT_TOOLS: 'tools.json'};
		expect(mergeSettings({}, others)).toEqual(none);
		const values = {image: ['x.png'], profile: 'x', maxTokens: 5, 'api-key': 'x'};
		expect(mergeSettings({}, {}, [config(values)])).toEqual(none);
	});
});

describe('a value that is not valid', () => {
	test('of a flag is a usage error, of a variable one of the configuration', () => {
		const ofFlag = failureOf(() => mergeSettings({maxTokens: ['0']}, {}));
		expect(ofFlag.kind).toBe('usage');
		expect(ofFlag.message).toBe('--max-tokens is "0", but it must be a whole number of at least 1');
		expect(failureOf(() => mergeSettings({baseUrl: ['']}, {})).kind).toBe('usage');
		const failure = failureOf(() => mergeSettings({}, {CHAT_TEMPERATURE: 'hot'}));
		expect(failure.kind).toBe('config');
		expect(failure.message).toBe('CHAT_TEMPERATURE is "hot", but it must be a number from 0 to 2');
	});

	test.each([
		[{temperature: 3}, 'temperature in the config is "3", but it must be a number from 0 to 2'],
		[{model: 5}, 'model in the config is "5", but it must be a string in quotes'],
		[{usage: 'perhaps'}, 'usage in the config is "perhaps", but it must be true or false'],
		[{'base-url': 'https://u:hunter2hunter2@x'}, 'base-url in the config is "https://[redacted'],
	])('of the config file names the key and the file: %j', (values, message) => {
		const failure = failureOf(() => mergeSettings({}, {}, [layer('config', values)]));
		expect(failure.kind).toBe('config');
		expect(failure.message.startsWith(message)).toBe(true);
		expect(failure.details.hint).toBe('To fix it: chat config edit');
	});
});

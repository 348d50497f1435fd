import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createTextReader} from '../../../src/input/read-bytes.ts';
import {isLoopback} from '../../../src/loopback.ts';
import {loadSettings} from '../../../src/settings/options/load-settings.ts';
import type {FlagTexts} from '../../../src/settings/options/settings.ts';
import {
	resolveService,
	type ServiceSettings,
} from '../../../src/settings/service/service-settings.ts';
import {createHome} from '../../helpers/settings-home.ts';

type Variables = Readonly<Record<string, string>>;

type Source = {readonly variables: Variables; readonly homedir: string};

async function resolveFrom(
	flags: FlagTexts,
	{variables, homedir}: Source,
): Promise<ServiceSettings> {
	const source = {variables: {HOME: '/', ...variables}, platform: 'linux', homedir};
	const readers = {
		readText: createTextReader(homedir),
		runCommand: () => Promise.reject(new Error('no command is configured')),
	};
	return await resolveService(loadSettings(flags, source), readers);
}

type Given = {
	readonly config?: object;
	readonly credentials?: unknown;
	/** The text of `key.txt` in the working folder and beside the config file. */
	readonly keyFile?: string;
	readonly variables?: Variables;
	readonly flags?: FlagTexts;
};

async function resolve({keyFile = '', variables = {}, flags = {}, ...files}: Given) {
	const home = createHome(files);
	for (const folder of [home.home, home.directory]) {
		mkdirSync(folder, {recursive: true});
		writeFileSync(join(folder, 'key.txt'), keyFile);
	}
	return await resolveFrom(flags, {variables, homedir: home.home});
}

const url = 'https://api.example.com/';
const other = 'https://other.example/';
const plain = 'http://192.0.2.1:8080/v1';
const key = 'sk-0123456789';
const credentials = {'https://api.example.com': key, 'http://192.0.2.1:8080': key};
const pair = {OPENAI_BASE_URL: url, OPENAI_API_KEY: key};
const config = {'base-url': url, 'api-key-file': 'key.txt'};
const work = {profile: ['work']};

describe('a key', () => {
	const at = (CHAT_BASE_URL: string, more: Variables = {}) => {
		return {variables: {CHAT_BASE_URL, ...more}};
	};

	test.each<[string, Given]>([
		['of OpenAI with its base URL', {variables: pair}],
		[
			'of a file, without the line end',
			{...at(url), keyFile: `${key}\r\n`, flags: {apiKeyFile: ['key.txt']}},
		],
		['of a flag over http', {...at(plain, {CHAT_API_KEY: key}), flags: {insecureHttp: ['true']}}],
		['for this machine', at('http://127.1:1', {CHAT_API_KEY: key})],
		['stored for its origin, with any path', {...at(`${url}v1/?x=1`), credentials}],
		['stored, if that is allowed', {...at(plain, {CHAT_INSECURE_HTTP: '1'}), credentials}],
		['beside a mistake in the store', {...at(url, {CHAT_API_KEY: key}), credentials: '['}],
		['of a file beside the base URL', {config, keyFile: key}],
		[
			'of a profile, for the base URL of the file',
			{
				config: {'base-url': url, profiles: {work: {'api-key-file': 'key.txt'}}},
				...{keyFile: key, flags: work},
			},
		],
		[
			'of a profile, for its own',
			{config: {profiles: {work: {...config, 'base-url': other}}}, keyFile: key, flags: work},
		],
		[
			'of the file, if that of the run is for another service',
			{...at(other, {CHAT_API_KEY: 'sk-run'}), config, keyFile: key, flags: {baseUrl: [url]}},
		],
	])('is used: %s', async (_, given) => {
		expect((await resolve(given)).apiKey).toBe(key);
	});

	test.each<[string, Given]>([
		['of OpenAI alone', {variables: {OPENAI_API_KEY: key}}],
		['of OpenAI for CHAT_BASE_URL', at(url, {OPENAI_API_KEY: key})],
		['of OpenAI that is empty', {variables: {...pair, OPENAI_API_KEY: ''}}],
		['of a provider, for its URL', at('https://openrouter.ai/api/v1', {OPENROUTER_API_KEY: key})],
		['of a provider, for another', at('groq:', {OPENROUTER_API_KEY: key})],
		[
			'of a variable, for another provider than that beside it',
			{...at('groq:', {CHAT_API_KEY: key}), flags: {baseUrl: ['mistral:']}},
		],
		['stored, over http', {...at('http://api.example.com'), credentials}],
		['stored, for another port', {...at('https://api.example.com:8443'), credentials}],
		['stored, for a longer name', {...at('https://api.example.com.evil.example'), credentials}],
		['of the file, for a variable', {...at(other), config, keyFile: key}],
		[
			'of the file, for a profile',
			{
				config: {...config, profiles: {work: {'base-url': other}}},
				...{keyFile: key, flags: work},
			},
		],
	])('is not used: %s', async (_, given) => {
		expect((await resolve(given)).apiKey).toBeUndefined();
	});

	const line = 'does not contain a valid API key';
	const stored = (content: unknown) => ({...at(url), credentials: content});
	test.each<[Given, string, string]>([
		[at(url, {CHAT_API_KEY: ' \n'}), 'auth', 'CHAT_API_KEY is empty'],
		[at(url, {CHAT_API_KEY: 'two words'}), 'auth', line],
		[at(url, {CHAT_API_KEY: 'sk-1\nx-evil: 1'}), 'auth', line],
		[{variables: {OPENAI_BASE_URL: 'ftp://u:p@host'}}, 'config', 'OPENAI_BASE_URL is "'],
		[{variables: {OPENAI_BASE_URL: plain, OPENAI_API_KEY: key}}, 'config', 'unencrypted'],
		[at(`${plain}?key=hunter2`, {CHAT_API_KEY: key}), 'config', plain],
		[{...at('http://192.0.2.1:8080'), credentials}, 'config', 'unencrypted'],
		[stored('{"https://api.example.com": "sk-'), 'config', 'not valid JSON: line 1, column 29'],
		[stored({'https://api.example.com': 5}), 'config', 'must be a string'],
		[stored({'https://api.example.com': 'a b'}), 'auth', line],
	])('is an error, and not shown: %j', async (given, kind, message) => {
		const error = await resolve(given).catch((reason: unknown) => reason);
		expect(error).toMatchObject({kind, message: expect.stringContaining(message)});
		const {CHAT_API_KEY = 'hunter2'} = given.variables ?? {};
		if (CHAT_API_KEY.trim() !== '') expect((error as Error).message).not.toContain(CHAT_API_KEY);
		expect((error as Error).message).not.toContain('hunter2');
	});

	test('of CHAT_API_KEY is not for OPENAI_BASE_URL, and another is offered', async () => {
		const variables = {OPENAI_BASE_URL: url, CHAT_API_KEY: key};
		await expect(resolve({variables})).rejects.toMatchObject({
			kind: 'config',
			details: {
				hint: 'OPENAI_BASE_URL is not used with CHAT_API_KEY, only with OPENAI_API_KEY. Set CHAT_BASE_URL or use --base-url. For the built-in service: --base-url built-in:',
			},
		});
		const unused = await resolve({variables: {OPENAI_API_KEY: key}});
		expect(unused).toMatchObject({unusedKeys: [{name: 'openai'}]});
		expect(await resolve(at(url, {OPENAI_API_KEY: key}))).toMatchObject({unusedKeys: []});
	});

	test.each([
		[0o600, 0],
		[0o640, 1],
		[0o604, 1],
	])('is used from a store of mode %i, with %i warnings', async (mode, warnings) => {
		const {credentialsPath, home} = createHome({credentials});
		chmodSync(credentialsPath, mode);
		const service = await resolveFrom({}, {variables: {CHAT_BASE_URL: url}, homedir: home});
		expect(service.apiKey).toBe(key);
		expect(service.warnings.map(({problem}) => problem)).toEqual(
			Array(warnings).fill(expect.stringMatching(/mode \d{3} .*chmod 600/)),
		);
	});

	test('in a store that cannot be read is left out with a warning', async () => {
		const {credentialsPath, home} = createHome();
		mkdirSync(credentialsPath, {recursive: true});
		const service = await resolveFrom({}, {variables: {CHAT_BASE_URL: url}, homedir: home});
		expect(service.apiKey).toBeUndefined();
		expect(service.warnings).toEqual([{problem: `cannot read ${credentialsPath} (EISDIR)`}]);
	});
});

test('this machine has these names alone', () => {
	const names = ['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '[::1]'];
	expect(names.filter((host) => !isLoopback(host))).toEqual([]);
	const others = [
		'api.localhost',
		'localhost.example.com',
		'127.0.0.1.example.com',
		'notlocalhost',
	];
	expect([...others, '0.0.0.0', '128.0.0.1', '[::2]'].filter(isLoopback)).toEqual([]);
});

describe('of all sources of a key', () => {
	const beside = {'base-url': 'https://openrouter.ai/api/v1'};
	const profiles = {work: {...beside, 'api-key-file': 'profile.txt'}};
	const byCommand = {...beside, 'api-key-command': ['pass'], 'api-key-file': undefined};
	const sources: ReadonlyArray<readonly [name: string, given: Given]> = [
		['the file flag.txt', {flags: {apiKeyFile: ['flag.txt']}}],
		['the file profile.txt', {config: {profiles}}],
		['the file variable.txt', {variables: {CHAT_API_KEY_FILE: 'variable.txt'}}],
		['CHAT_API_KEY', {variables: {CHAT_API_KEY: 'sk-variable'}}],
		['the file file.txt', {config: {...beside, 'api-key-file': 'file.txt'}}],
		['the command pass', {config: byCommand}],
		['the store', {credentials: {'https://openrouter.ai': 'sk-stored'}}],
		['OPENROUTER_API_KEY', {variables: {OPENROUTER_API_KEY: 'sk-provider'}}],
	];

	/** Returns the service with all sources from this place on: the file before the command. */
	async function resolveFromPlace(place: number, baseUrl: string) {
		const givens = sources
			.slice(place)
			.filter(([name]) => name !== 'the command pass' || place > 4);
		const merge = (part: keyof Given) =>
			Object.assign({}, ...givens.map(([, given]) => given[part] ?? {}));
		const home = createHome({
			config: {profiles: {work: {}}, ...merge('config')},
			credentials: merge('credentials'),
		});
		const variables = {HOME: '/', ...merge('variables')};
		const source = {variables, platform: 'linux', homedir: home.home};
		const flags = {...merge('flags'), baseUrl: [baseUrl], profile: ['work']};
		const found = await resolveService(loadSettings(flags, source), {
			readText: async (path) => `sk-${path.slice(path.lastIndexOf('/') + 1)}`,
			runCommand: async () => 'sk-command\n',
		});
		const shown = found.keySource?.replace(`${home.directory}/`, '');
		return {...found, keySource: shown?.replace('credentials.json (chat auth)', 'the store')};
	}

	test('each comes before the following ones', async () => {
		for (const [place, name] of [...sources.map(([name]) => name), undefined].entries()) {
			expect(await resolveFromPlace(place, 'openrouter:')).toMatchObject({
				keySource: name,
				isKeyMissing: name === undefined,
				isKeyFixed: name?.endsWith('_API_KEY') ?? false,
			});
		}
	});

	test('only that of a flag, or of a variable alone, is for another service', async () => {
		const found = [];
		for (const place of sources.keys()) {
			found.push((await resolveFromPlace(place, 'https://other.example/v1')).keySource);
		}
		const any = ['the file variable.txt', 'the file variable.txt', 'CHAT_API_KEY'];
		expect(found.filter(Boolean)).toEqual(['the file flag.txt', ...any]);
	});
});

test('headers of the file go to the model beside them, and to no other one', async () => {
	const own = {'base-url': 'llama:model.gguf', headers: {'x-team': 'green'}};
	const {home} = createHome({config: own});
	const headersFor = async (flags: FlagTexts) =>
		(await resolveFrom(flags, {variables: {}, homedir: home})).headers;
	expect(await headersFor({})).toEqual({'x-team': 'green'});
	for (const baseUrl of ['llama:other.gguf', 'llama:owner/name', 'local:']) {
		expect(await headersFor({baseUrl: [baseUrl]})).toEqual({});
	}
});

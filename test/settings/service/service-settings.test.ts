import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {ChatError} from '../../../src/errors.ts';
import {createTextReader} from '../../../src/input/read-bytes.ts';
import {isLoopback} from '../../../src/loopback.ts';
import {loadSettings} from '../../../src/settings/options/load-settings.ts';
import type {FlagTexts} from '../../../src/settings/options/settings.ts';
import {
	resolveService,
	type ServiceSettings,
} from '../../../src/settings/service/service-settings.ts';
import {createHome, type SettingsHome} from '../../helpers/settings-home.ts';
import {createDirectory} from '../../input/input-helpers.ts';

type Variables = Readonly<Record<string, string>>;

type Source = {readonly variables: Variables; readonly cwd?: string; readonly homedir?: string};

async function resolveFrom(
	flags: FlagTexts,
	{variables, cwd = '/', homedir = '/'}: Source,
): Promise<ServiceSettings> {
	const source = {variables: {HOME: '/', ...variables}, platform: 'linux', homedir};
	const readers = {
		readText: createTextReader(cwd),
		runCommand: () => Promise.reject(new Error('no command is configured')),
	};
	return await resolveService(loadSettings(flags, source), readers);
}

function resolve(variables: Variables, flags: FlagTexts = {}, cwd = '/'): Promise<ServiceSettings> {
	return resolveFrom(flags, {variables, cwd});
}

async function failureOf(
	variables: Variables,
	flags: FlagTexts = {},
	cwd = '/',
): Promise<ChatError> {
	try {
		await resolve(variables, flags, cwd);
	} catch (error) {
		if (error instanceof ChatError) return error;
	}
	throw new Error('no ChatError was thrown');
}

const url = 'https://api.example.com/';
const key = 'sk-0123456789';

describe('the service', async () => {
	test('is the built-in one without a base URL', async () => {
		expect(await resolve({})).toEqual({
			baseUrl: undefined,
			wire: 'chat',
			apiKey: undefined,
			keySource: undefined,
			isKeyFixed: false,
			headers: {},
			headerSecrets: [],
			isBuiltInChosen: false,
			isKeyMissing: false,
			unusedKeys: [],
			warnings: [],
			misspelt: [],
		});
	});

	test('is OPENAI_BASE_URL with OPENAI_API_KEY if no CHAT_ variable is set', async () => {
		const service = await resolve({OPENAI_BASE_URL: url, OPENAI_API_KEY: key});
		expect(service.baseUrl?.href).toBe(url);
		expect(service).toMatchObject({apiKey: key, keySource: 'OPENAI_API_KEY'});
		const other = {CHAT_BASE_URL: 'https://chat.example/', CHAT_API_KEY: 'sk-other'};
		const chosen = await resolve({...other, OPENAI_BASE_URL: url, OPENAI_API_KEY: key});
		expect(chosen.baseUrl?.href).toBe('https://chat.example/');
		expect(chosen).toMatchObject({apiKey: 'sk-other', keySource: 'CHAT_API_KEY'});
	});

	test('never gets the key of another one: OPENAI_API_KEY alone is not used', async () => {
		expect(await resolve({OPENAI_API_KEY: key})).toMatchObject({
			apiKey: undefined,
			unusedKeys: [{name: 'openai'}],
		});
		const chosen = await resolve({CHAT_BASE_URL: url, OPENAI_API_KEY: key});
		expect(chosen).toMatchObject({apiKey: undefined, unusedKeys: []});
		const flagged = await resolve({OPENAI_API_KEY: key}, {baseUrl: ['https://other.example/']});
		expect(flagged.apiKey).toBeUndefined();
	});

	test('of OPENAI_BASE_URL does not get the key of CHAT_API_KEY', async () => {
		const failure = await failureOf({OPENAI_BASE_URL: url, CHAT_API_KEY: key});
		expect(failure.kind).toBe('config');
		expect(failure.message).toContain('CHAT_API_KEY');
		expect(failure.details.hint).toBe(
			'OPENAI_BASE_URL is not used with CHAT_API_KEY, only with OPENAI_API_KEY. Set CHAT_BASE_URL or use --base-url. For the built-in service: --base-url built-in:',
		);
	});

	test('reports an OPENAI_BASE_URL that is not valid by its name', async () => {
		const failure = await failureOf({OPENAI_BASE_URL: 'ftp://user:hunter2@host'});
		expect(failure.kind).toBe('config');
		expect(failure.message).toMatch(/^OPENAI_BASE_URL is "/);
		expect(failure.message).not.toContain('hunter2');
	});
});

describe('a key', async () => {
	test.each(['', ' ', '\n'])('is an empty source if it is %j', async (text) => {
		const failure = await failureOf({CHAT_BASE_URL: url, CHAT_API_KEY: text});
		expect(failure.kind).toBe('auth');
		expect(failure.message).toBe('CHAT_API_KEY is empty');
	});

	test.each(['two words', 'sk-1\nx-evil: 1', 'schlüssel', 'a\0b'])(
		'is refused if it does not fit into a header, and not shown: %j',
		async (text) => {
			const failure = await failureOf({CHAT_BASE_URL: url, CHAT_API_KEY: text});
			expect(failure.kind).toBe('auth');
			expect(JSON.stringify([failure.message, failure.details.hint])).not.toContain(text);
		},
	);

	test('is read from a file, without the line end, rather than from the variable', async () => {
		const cwd = createDirectory({'key.txt': `${key}\r\n`});
		const variables = {CHAT_BASE_URL: url, CHAT_API_KEY: 'sk-other'};
		const service = await resolve(variables, {apiKeyFile: ['key.txt']}, cwd);
		expect(service).toMatchObject({apiKey: key, keySource: 'the file key.txt'});
		const named = await resolve({CHAT_BASE_URL: url, CHAT_API_KEY_FILE: join(cwd, 'key.txt')});
		expect(named.apiKey).toBe(key);
	});
});

describe('plain http', async () => {
	const plain = 'http://192.0.2.1:8080/v1';

	test('to another machine is refused with a key, and the error says how to allow it', async () => {
		const pair = {OPENAI_BASE_URL: plain, OPENAI_API_KEY: key};
		expect((await failureOf(pair)).kind).toBe('config');
		const failure = await failureOf({CHAT_BASE_URL: `${plain}?key=hunter2`, CHAT_API_KEY: key});
		expect(failure.kind).toBe('config');
		expect(failure.message).toContain('http://192.0.2.1:8080/v1');
		expect(failure.message).not.toContain('hunter2');
		expect(failure.details.hint).toContain('--insecure-http');
	});

	test.each([
		['the flag', {}, {insecureHttp: ['true']}],
		['the variable', {CHAT_INSECURE_HTTP: 'true'}, {}],
	])('is allowed by %s', async (_, variables, flags) => {
		const service = await resolve({CHAT_BASE_URL: plain, CHAT_API_KEY: key, ...variables}, flags);
		expect(service.apiKey).toBe(key);
	});

	test('is allowed without a key, and to this machine', async () => {
		expect((await resolve({CHAT_BASE_URL: plain})).baseUrl?.href).toBe(plain);
		const loopback = {CHAT_BASE_URL: 'http://127.1:1', CHAT_API_KEY: key};
		expect((await resolve(loopback)).apiKey).toBe(key);
	});
});

describe('a stored key', async () => {
	const stored = {credentials: {'https://api.example.com': key, 'http://192.0.2.1:8080': key}};

	function resolveAt({home}: SettingsHome, variables: Variables, flags: FlagTexts = {}) {
		return resolveFrom(flags, {variables, homedir: home});
	}

	test('goes to its own origin with any path', async () => {
		const home = createHome(stored);
		const service = await resolveAt(home, {CHAT_BASE_URL: 'https://api.example.com/v1/?x=1'});
		expect(service).toMatchObject({apiKey: key, keySource: `${home.credentialsPath} (chat auth)`});
		expect((await resolveAt(home, {CHAT_BASE_URL: 'https://API.example.com:443'})).apiKey).toBe(
			key,
		);
	});

	test.each([
		'http://api.example.com',
		'https://api.example.com:8443',
		'https://api.example.com.evil.example',
		'https://example.com',
		'http://localhost',
	])('does not go to another origin: %s', async (other) => {
		expect((await resolveAt(createHome(stored), {CHAT_BASE_URL: other})).apiKey).toBeUndefined();
	});

	test('is not sent unencrypted to another machine unless that is allowed', async () => {
		const home = createHome(stored);
		const variables = {CHAT_BASE_URL: 'http://192.0.2.1:8080'};
		await expect(resolveAt(home, variables)).rejects.toThrow('unencrypted');
		expect((await resolveAt(home, {...variables, CHAT_INSECURE_HTTP: '1'})).apiKey).toBe(key);
		const allowed = createHome({...stored, config: {'insecure-http': true}});
		expect((await resolveAt(allowed, variables)).apiKey).toBe(key);
	});

	test.each([
		['{"https://api.example.com": "sk-', 'config', 'is not valid JSON: line 1, column 29'],
		['[]', 'config', 'must be a JSON object'],
		[{'https://api.example.com': 5}, 'config', 'must be a string'],
		[{'https://api.example.com': ''}, 'auth', 'is empty'],
		[{'https://api.example.com': 'a b'}, 'auth', 'does not contain a valid API key'],
	])(
		'in a file with a mistake is an error that names the file: %j',
		async (credentials, kind, message) => {
			const home = createHome({credentials});
			await expect(resolveAt(home, {CHAT_BASE_URL: url})).rejects.toThrow(
				expect.objectContaining({kind, message: expect.stringContaining(message)}),
			);
			expect((await resolveAt(home, {CHAT_BASE_URL: url, CHAT_API_KEY: key})).apiKey).toBe(key);
		},
	);

	test('in a file that cannot be read is left out with a warning', async () => {
		const home = createHome();
		mkdirSync(home.credentialsPath, {recursive: true});
		const service = await resolveAt(home, {CHAT_BASE_URL: url});
		expect(service.apiKey).toBeUndefined();
		expect(service.warnings).toEqual([{problem: `cannot read ${home.credentialsPath} (EISDIR)`}]);
	});

	test.each([
		[0o600, 0],
		[0o640, 1],
		[0o604, 1],
	])(
		'in a file of mode %i is used, with a warning if others can read it',
		async (mode, warnings) => {
			const home = createHome(stored);
			chmodSync(home.credentialsPath, mode);
			const service = await resolveAt(home, {CHAT_BASE_URL: url});
			expect(service.apiKey).toBe(key);
			expect(service.warnings).toHaveLength(warnings);
			expect(service.warnings.map(({problem}) => problem).join()).toMatch(
				warnings === 0 ? /^$/ : /mode \d{3} .*chmod 600/,
			);
		},
	);
});

describe('a key file in the config file', async () => {
	const other = 'https://other.example/';

	async function resolveConfig(config: object, variables: Variables = {}, flags: FlagTexts = {}) {
		const home = createHome({config});
		writeFileSync(join(home.directory, 'key.txt'), key);
		return (await resolveFrom(flags, {variables, homedir: home.home})).apiKey;
	}

	const config = {'base-url': url, 'api-key-file': 'key.txt'};

	test('is for the base URL next to it', async () => {
		expect(await resolveConfig(config)).toBe(key);
		expect(await resolveConfig(config, {CHAT_BASE_URL: `${url}v1`})).toBe(key);
	});

	test.each([
		['a variable', config, {CHAT_BASE_URL: other}, {}],
		['a flag', config, {}, {baseUrl: [other]}],
		['a profile', {...config, profiles: {work: {'base-url': other}}}, {}, {profile: ['work']}],
	])('is not for the base URL of %s', async (_, values, variables, flags) => {
		expect(await resolveConfig(values, variables, flags)).toBeUndefined();
	});

	test('in a profile is for the base URL of the profile, or that of the file', async () => {
		const profiles = {work: {'api-key-file': 'key.txt'}};
		const flags = {profile: ['work']};
		expect(await resolveConfig({'base-url': url, profiles}, {}, flags)).toBe(key);
		const both = {work: {'api-key-file': 'key.txt', 'base-url': other}};
		expect(await resolveConfig({'base-url': url, profiles: both}, {}, flags)).toBe(key);
	});

	test('is used if the key of the run is for another service', async () => {
		const variables = {CHAT_API_KEY: 'sk-of-the-run', CHAT_BASE_URL: other};
		expect(await resolveConfig(config, variables, {baseUrl: [url]})).toBe(key);
	});
});

test.each([
	['localhost', true],
	['LOCALHOST', true],
	['api.localhost', false],
	['127.0.0.1', true],
	['127.255.0.9', true],
	['[::1]', true],
	['localhost.example.com', false],
	['127.0.0.1.example.com', false],
	['notlocalhost', false],
	['0.0.0.0', false],
	['10.0.0.1', false],
	['[::2]', false],
	['128.0.0.1', false],
])('%s is this machine: %s', async (host, isThisMachine) => {
	expect(isLoopback(host)).toBe(isThisMachine);
});

describe('of all sources of a key', () => {
	const service = 'https://openrouter.ai/api/v1';
	const configs = {
		profile: {'base-url': service, 'api-key-file': 'profile.txt'},
		file: {'base-url': service, 'api-key-file': 'file.txt'},
		command: {'base-url': service, 'api-key-command': '["pass", "openrouter"]'},
	};
	const names = [
		...['the file flag.txt', 'the file profile.txt', 'the file variable.txt', 'CHAT_API_KEY'],
		...['the file file.txt', 'the command pass', 'the store', 'OPENROUTER_API_KEY'],
		undefined,
	];

	/** Resolves a service whose strongest sources are missing. */
	async function resolveWithout(missing: number, baseUrl: string) {
		const has = (name: string) => names.indexOf(name) >= missing;
		const isCommand = !has('the file file.txt') && has('the command pass');
		const home = createHome({
			config: {
				...(has('the file file.txt') ? configs.file : isCommand ? configs.command : {}),
				profiles: {work: has('the file profile.txt') ? configs.profile : {}},
			},
			credentials: has('the store') ? {'https://openrouter.ai': 'sk-stored'} : {},
		});
		const variables = {
			...(has('the file variable.txt') ? {CHAT_API_KEY_FILE: 'variable.txt'} : {}),
			...(has('CHAT_API_KEY') ? {CHAT_API_KEY: 'sk-variable'} : {}),
			...(has('OPENROUTER_API_KEY') ? {OPENROUTER_API_KEY: 'sk-provider'} : {}),
		};
		const source = {variables: {HOME: '/', ...variables}, platform: 'linux', homedir: home.home};
		const flags = {
			baseUrl: [baseUrl],
			profile: ['work'],
			...(has('the file flag.txt') ? {apiKeyFile: ['flag.txt']} : {}),
		};
		const readers = {
			readText: async (path: string) => `sk-${path.slice(path.lastIndexOf('/') + 1)}`,
			runCommand: async () => 'sk-command\n',
		};
		const found = await resolveService(loadSettings(flags, source), readers);
		const shown = found.keySource
			?.replace(`${home.directory}/`, '')
			.replace(`credentials.json (chat auth)`, 'the store');
		return {...found, keySource: shown};
	}

	test.each(names.map((name, index) => [name ?? 'no key', index, name] as const))(
		'%s comes before the following ones',
		async (_, index, name) => {
			expect(await resolveWithout(index, 'openrouter:')).toMatchObject({
				keySource: name,
				isKeyMissing: name === undefined,
				isKeyFixed: name?.endsWith('_API_KEY') ?? false,
			});
		},
	);

	test.each([0, 1, 2, 3, 4, 5, 6, 7])('only the flag is for another service: %i', async (index) => {
		const {keySource} = await resolveWithout(index, 'https://other.example/v1');
		// A variable without CHAT_BASE_URL is for any service.
		const any = ['the file variable.txt', 'the file variable.txt', 'CHAT_API_KEY'];
		expect(keySource).toBe(['the file flag.txt', ...any][index]);
	});
});

test('headers of the file go to the model beside them, and to no other one', async () => {
	const config = {'base-url': 'llama:model.gguf', headers: {'x-team': 'green'}};
	const {home} = createHome({config});
	const headersFor = async (flags: FlagTexts) =>
		(await resolveFrom(flags, {variables: {}, homedir: home})).headers;
	expect(await headersFor({})).toEqual({'x-team': 'green'});
	for (const baseUrl of ['llama:other.gguf', 'llama:owner/name', 'local:']) {
		expect(await headersFor({baseUrl: [baseUrl]})).toEqual({});
	}
});

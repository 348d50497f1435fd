import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {
	countMcpLogins,
	listStoredOrigins,
	type McpLogin,
	readMcpLogin,
	readStoredKey,
	removeMcpLogin,
	removeStoredKey,
	storeKey,
	storeMcpLogin,
} from '../../../src/settings/service/credentials.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';

const origin = 'https://api.example.com';
const key = 'sk-0123456789abcdef';

describe('the stored keys', () => {
	test('are in a file that only the user can read, each for its origin', async () => {
		const {credentialsPath: path, directory} = createHome();
		await storeKey(path, origin, 'sk-old');
		await storeKey(path, 'http://localhost:8080', 'sk-local');
		await storeKey(path, origin, key);
		expect(readStoredKey(path, origin, 'linux')).toEqual({key, warning: undefined});
		expect(readStoredKey(path, 'http://localhost:8080', 'linux').key).toBe('sk-local');
		expect([modeOf(path), modeOf(directory)]).toEqual(['600', '700']);
	});

	test('stay as they are in a file with a mistake, and are not quoted', async () => {
		const text = `{"${origin}": "${key}",\n}`;
		const {credentialsPath: path} = createHome({credentials: text});
		const failure = {
			kind: 'config',
			message: `${path} is not valid JSON: line 2, column 1: expected a key in double quotes (no comma before })`,
		};
		await expect(storeKey(path, origin, 'sk-new')).rejects.toMatchObject(failure);
		await expect(removeStoredKey(path, origin)).rejects.toMatchObject(failure);
		expect(readFileSync(path, 'utf8')).toBe(text);
	});

	test('are all stored at the same time', async () => {
		const {credentialsPath: path, credentials} = createHome();
		const origins = Array.from({length: 8}, (_, index) => `http://localhost:${index}`);
		await Promise.all(origins.map((each) => storeKey(path, each, `key-${each}`)));
		expect(credentials()).toEqual(Object.fromEntries(origins.map((each) => [each, `key-${each}`])));
	});
});

const url = new URL('https://mcp.example/mcp');
const other = new URL('https://mcp.example/other');
const login: McpLogin = {issuer: 'https://login.example', clientId: 'c1', accessToken: 'a1'};

test('keys and logins share a file that only its owner can read', async () => {
	const {credentialsPath: path} = createHome();
	await storeKey(path, 'https://api.example', 'k1');
	await storeMcpLogin(path, url, login);
	await storeMcpLogin(path, other, {...login, accessToken: 'a2', expiresAt: 5});
	expect(modeOf(path)).toBe('600');
	expect(readStoredKey(path, 'https://api.example', 'linux').key).toBe('k1');
	expect(listStoredOrigins(path)).toEqual(['https://api.example']);
	expect(readMcpLogin(path, url)).toEqual(login);
	expect(readMcpLogin(path, other)).toMatchObject({accessToken: 'a2', expiresAt: 5});
	expect(countMcpLogins(path)).toBe(2);
});

test('a login is removed alone', async () => {
	const home = createHome({credentials: {'https://api.example': 'k1'}});
	const {credentialsPath: path} = home;
	await storeMcpLogin(path, url, login);
	await storeMcpLogin(path, other, login);
	expect(await removeMcpLogin(path, url)).toBe(true);
	expect(await removeMcpLogin(path, url)).toBe(false);
	expect(readMcpLogin(path, url)).toBeUndefined();
	expect(readMcpLogin(path, other)).toEqual(login);
	expect(await removeMcpLogin(path, other)).toBe(true);
	expect(home.credentials()).toEqual({'https://api.example': 'k1'});
});

test('a login of another form is reported without its contents', () => {
	const wrong = {...login, accessToken: ['a-secret-token']};
	const {credentialsPath: path} = createHome({credentials: {mcp: {[url.href]: wrong}}});
	const message = `the login to ${url.href} in ${path} is not valid`;
	expect(() => readMcpLogin(path, url)).toThrow(message);
	expect(() => countMcpLogins(path)).toThrow(message);
});

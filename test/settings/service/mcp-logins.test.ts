import {expect, test} from 'vitest';
import {
	listStoredOrigins,
	readStoredKey,
	storeKey,
} from '../../../src/settings/service/credentials.ts';
import {
	countMcpLogins,
	type McpLogin,
	readMcpLogin,
	removeMcpLogin,
	storeMcpLogin,
} from '../../../src/settings/service/mcp-logins.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';

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

test('a missing file has no logins', () => {
	const {credentialsPath: path} = createHome();
	expect(readMcpLogin(path, url)).toBeUndefined();
	expect(countMcpLogins(path)).toBe(0);
});

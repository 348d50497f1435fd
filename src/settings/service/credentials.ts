/** Stores API keys, each for one origin, and logins to MCP servers, each for one address, in one file. */
import {ChatError} from '../../errors.ts';
import {formatMode, isOpenToOthers} from '../../files/private-files.ts';
import {isJsonObject, type JsonObject, type JsonValue, without} from '../../json.ts';
import {redactUrlText} from '../../redact.ts';
import type {Change} from '../files/change-file.ts';
import {readJsonObject, UnreadableError} from '../files/json-file.ts';

export type StoredKey = {
	/** Undefined if none is stored for this origin. Not checked. */
	readonly key: string | undefined;
	/** Why the keys are not read, or why others may know them, as a sentence. */
	readonly warning: string | undefined;
};

export type McpLogin = {
	/** The server that issued the tokens, and may renew them. */
	readonly issuer: string;
	/** The address that the user has agreed to, where tokens are renewed. */
	readonly tokenEndpoint?: string | undefined;
	/** The name of the MCP server for its issuer. */
	readonly resource?: string | undefined;
	readonly clientId: string;
	readonly clientSecret?: string | undefined;
	/** The rights of the tokens. */
	readonly scope?: string | undefined;
	/** The rights that the server has asked for since. */
	readonly wantedScope?: string | undefined;
	/** How the client proves its identity to the issuer. */
	readonly clientAuthMethod?: string | undefined;
	readonly accessToken: string;
	readonly refreshToken?: string | undefined;
	/** Milliseconds since 1970. */
	readonly expiresAt?: number | undefined;
};

/** The only key of the file that is not an origin. */
const loginsKey = 'mcp';

const fixHint = 'Fix the file by hand, or delete it and store the keys again.';

/** @throws {ChatError} `config` when the file is not an object of keys */
export function readStoredKey(path: string, origin: string, platform: string): StoredKey {
	try {
		const {values = {}, mode} = readJsonObject(path, fixHint);
		if (!Object.hasOwn(values, origin)) return {key: undefined, warning: undefined};
		const warning = `${path} contains API keys, and its mode ${formatMode(mode)} opens it to other users. To close it: chmod 600 ${path}`;
		const isOpen = isOpenToOthers(mode, platform);
		return {key: checkKeyType(values, origin, path), warning: isOpen ? warning : undefined};
	} catch (error) {
		if (error instanceof UnreadableError) return {key: undefined, warning: error.message};
		throw error;
	}
}

/**
 * Returns the origins with a stored key. Checks the whole file.
 *
 * @throws {ChatError} `config` when the file is not an object of keys
 * @throws {UnreadableError} when it cannot be read
 */
export function listStoredOrigins(path: string): readonly string[] {
	const {values = {}} = readJsonObject(path, fixHint);
	const origins = Object.keys(values).filter((name) => name !== loginsKey);
	for (const origin of origins) checkKeyType(values, origin, path);
	return origins;
}

function checkKeyType(values: JsonObject, origin: string, path: string): string {
	const key = values[origin];
	if (typeof key === 'string') return key;
	throw formError(`the key for ${origin} in ${path} must be a string`);
}

/** @throws {ChatError} as `changeFile` does */
export async function storeKey(path: string, origin: string, key: string): Promise<void> {
	await changeEntries(path, undefined, (keys) => ({...keys, [origin]: key}));
}

/** Returns whether a key was stored. Throws as `changeFile` does. */
export async function removeStoredKey(path: string, origin: string): Promise<boolean> {
	return await changeEntries(path, undefined, (keys) => without(keys, origin));
}

/**
 * Returns the login to the server with this address; undefined if there is none, or it cannot be read.
 *
 * @throws {ChatError} `config` when the file has another form
 */
export function readMcpLogin(path: string, url: URL): McpLogin | undefined {
	try {
		const logins = readLogins(path);
		const login = Object.hasOwn(logins, url.href) ? logins[url.href] : undefined;
		return login === undefined ? undefined : checkLogin(login, url.href, path);
	} catch (error) {
		if (error instanceof UnreadableError) return undefined;
		throw error;
	}
}

/**
 * Returns the number of logins. Checks all of them.
 *
 * @throws {ChatError} `config` when the file has another form
 * @throws {UnreadableError} when it cannot be read
 */
export function countMcpLogins(path: string): number {
	const logins = Object.entries(readLogins(path));
	for (const [address, login] of logins) checkLogin(login, address, path);
	return logins.length;
}

function readLogins(path: string): JsonObject {
	const {values = {}} = readJsonObject(path, fixHint);
	const logins = Object.hasOwn(values, loginsKey) ? values[loginsKey] : {};
	if (isJsonObject(logins)) return logins;
	throw formError(`${loginsKey} in ${path} must be an object`);
}

/** @throws {ChatError} as `changeFile` does */
export async function storeMcpLogin(path: string, url: URL, login: McpLogin): Promise<void> {
	await changeEntries(path, loginsKey, (logins) => ({...logins, [url.href]: login as JsonObject}));
}

/** Changes a login, unless it was removed in the meantime. Throws as `changeFile` does. */
export async function updateMcpLogin(
	path: string,
	url: URL,
	changes: Partial<McpLogin>,
): Promise<void> {
	await changeEntries(path, loginsKey, (logins) => {
		const login = Object.hasOwn(logins, url.href) ? logins[url.href] : undefined;
		const isSame =
			isJsonObject(login) && Object.entries(changes).every(([key, value]) => login[key] === value);
		if (!isJsonObject(login) || isSame) return logins;
		return {...logins, [url.href]: {...login, ...changes} as JsonObject};
	});
}

/** Returns whether there was a login. Throws as `changeFile` does. */
export async function removeMcpLogin(path: string, url: URL): Promise<boolean> {
	return await changeEntries(path, loginsKey, (logins) => without(logins, url.href));
}

/** @param part the key of the entries; undefined for the file itself */
async function changeEntries(
	path: string,
	part: string | undefined,
	change: Change,
): Promise<boolean> {
	// Runs that only read keys should not load the code that writes them.
	const {changeFile, changeIn} = await import('../files/change-file.ts');
	const place = {name: `${part} in ${path}`, hint: fixHint};
	return await changeFile(path, fixHint, (values) =>
		part === undefined ? change(values) : changeIn(values, part, place, change),
	);
}

function checkLogin(login: JsonValue, address: string, path: string): McpLogin {
	if (isJsonObject(login)) {
		const {expiresAt = 0, ...texts} = login;
		const {issuer, clientId, accessToken} = texts;
		const all = [issuer, clientId, accessToken, ...Object.values(texts)];
		const isValid = typeof expiresAt === 'number' && all.every((text) => typeof text === 'string');
		if (isValid) return login as McpLogin;
	}
	throw formError(`the login to ${redactUrlText(address)} in ${path} is not valid`);
}

function formError(message: string): ChatError {
	return new ChatError('config', message, {hint: fixHint});
}

/** Stores logins to MCP servers in the file of the keys, each for one server and its issuer. */
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {redactUrlText} from '../../redact.ts';
import {parseJsonFile, readJsonFile, UnreadableError} from '../files/json-file.ts';
import {changeCredentials, fixHint, loginsKey} from './credentials.ts';

/** A login, as it is in the file. */
export type McpLogin = {
	/** The server that issued the tokens, and may renew them. */
	readonly issuer: string;
	/** The name of the MCP server for its issuer. */
	readonly resource?: string | undefined;
	readonly clientId: string;
	readonly clientSecret?: string | undefined;
	/** How the client proves its identity to the issuer. */
	readonly clientAuthMethod?: string | undefined;
	readonly accessToken: string;
	readonly refreshToken?: string | undefined;
	/** Milliseconds since 1970. */
	readonly expiresAt?: number | undefined;
};

/**
 * Returns the login to the server with this address; undefined if there is none, or it cannot be read.
 *
 * @throws {ChatError} `config` when the file has another form
 */
export function readMcpLogin(path: string, url: URL): McpLogin | undefined {
	try {
		const {text} = readJsonFile(path);
		const logins = text === undefined ? {} : findLogins(parseJsonFile(text, path, fixHint), path);
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
	const {text} = readJsonFile(path);
	const logins = text === undefined ? {} : findLogins(parseJsonFile(text, path, fixHint), path);
	for (const [address, login] of Object.entries(logins)) checkLogin(login, address, path);
	return Object.keys(logins).length;
}

/** @throws {ChatError} as `changeFile` does */
export async function storeMcpLogin(path: string, url: URL, login: McpLogin): Promise<void> {
	await changeCredentials(path, (store) => {
		store.set(loginsKey, {...findLogins(store.store as JsonObject, path), [url.href]: login});
	});
}

/** Returns whether there was a login. Throws as `changeFile` does. */
export async function removeMcpLogin(path: string, url: URL): Promise<boolean> {
	return await changeCredentials(path, (store) => {
		const {[url.href]: removed, ...others} = findLogins(store.store as JsonObject, path);
		if (removed === undefined) return false;
		if (Object.keys(others).length > 0) store.set(loginsKey, others);
		else store.delete(loginsKey);
		return true;
	});
}

function findLogins(file: JsonObject, path: string): JsonObject {
	const logins = Object.hasOwn(file, loginsKey) ? file[loginsKey] : {};
	if (isJsonObject(logins)) return logins;
	throw formError(`${loginsKey} in ${path} must be an object`);
}

const required = ['issuer', 'clientId', 'accessToken'] as const;
const optional = ['resource', 'clientSecret', 'clientAuthMethod', 'refreshToken'] as const;

function checkLogin(login: JsonValue, address: string, path: string): McpLogin {
	if (isJsonObject(login)) {
		const isValid =
			required.every((name) => typeof login[name] === 'string') &&
			optional.every((name) => ['string', 'undefined'].includes(typeof login[name])) &&
			['number', 'undefined'].includes(typeof login['expiresAt']);
		if (isValid) return login as McpLogin;
	}
	throw formError(`the login to ${redactUrlText(address)} in ${path} is not valid`);
}

function formError(message: string): ChatError {
	return new ChatError('config', message, {hint: fixHint});
}

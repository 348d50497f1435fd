/**
 * Reads a file of servers: `mcpServers` as in most programs, or `servers` as in VS Code. Such files are
 * copied from one program to another, so a mistake in one entry matters only to a run that uses it,
 * and keys of other programs are only reported.
 */
import {resolve} from 'node:path';
import {ChatError} from '../errors.ts';
import {isJsonObject, isTooDeep, type JsonObject, type JsonValue} from '../json.ts';
import {parseUserJson} from '../json-error.ts';
import {
	failEntry,
	findBadReference,
	findHeaderProblem,
	findWrittenUrlProblem,
} from './fill-variables.ts';
import type {HttpAccess, LoginSettings, ProgramAccess, ServerEntry} from './server-entry.ts';

export type ReadEntry = {
	readonly name: string;
	/** Keys without an effect in `chat`. */
	readonly ignoredKeys: readonly string[];
	/** The mistake in an entry that cannot be used. */
	readonly entry: ServerEntry | ChatError;
};

export type ServersFile = {
	/** For messages: `mcp.json`, or a path as the user gave it. */
	readonly name: string;
	/** The folder that relative paths of programs start from, absolute. */
	readonly directory: string;
};

/** The keys of a file that hold servers. */
export const serverKeys = ['mcpServers', 'servers'] as const;

/**
 * Returns the servers in the order of the file.
 *
 * @throws {ChatError} `config` for a file without any
 */
export function readEntries(text: string, file: ServersFile): readonly ReadEntry[] {
	const fail = (problem: string): never => {
		throw new ChatError('config', `${file.name} ${problem}`);
	};
	const parsed = parseWithComments(text);
	if ('problem' in parsed) return fail(parsed.problem);
	const whole = isJsonObject(parsed.value) ? parsed.value : fail('must be a JSON object');
	const found = serverKeys.filter((key) => Object.hasOwn(whole, key));
	if (found.length === 0) return fail('has no servers: it needs the key mcpServers or servers');
	const servers = found.flatMap((key) => {
		const group = whole[key];
		return isJsonObject(group)
			? Object.entries(group)
			: fail(`has ${key} that is not an object of servers`);
	});
	const names = new Set<string>();
	for (const [name] of servers) {
		if (names.has(name)) return fail(`has two servers with the name ${name}`);
		names.add(name);
	}
	return servers.map(([name, value]) => readEntry(name, value, file));
}

/** Files of VS Code have comments, and commas before a closing bracket. */
export function parseWithComments(text: string): ReturnType<typeof parseUserJson> {
	const plain = text.replace(/^\ufeff/, '');
	const strict = parseUserJson(plain);
	const parsed = 'problem' in strict ? parseUserJson(blankComments(plain)) : strict;
	const isDeep = 'value' in parsed && isTooDeep(parsed.value);
	return isDeep ? {problem: 'is nested too deep'} : parsed;
}

/**
 * Puts blanks in the place of comments and of commas before a closing bracket, so that a mistake is
 * found where it is. Each token is matched once: no text takes more than linear time.
 */
function blankComments(text: string): string {
	const token = /"(?:[^"\\\n]+|\\.)*"?|\/\/[^\n]*|\/\*.*?(?:\*\/|$)|\s+|./gs;
	const parts: string[] = [];
	/** The place of a comma that only blanks have followed. */
	let comma = -1;
	for (const [part] of text.matchAll(token)) {
		const isComment = part.startsWith('//') || (part.startsWith('/*') && part.endsWith('*/'));
		if (/^[}\]]$/.test(part) && comma !== -1) parts[comma] = ' ';
		if (part === ',') comma = parts.length;
		else if (!isComment && part.trim() !== '') comma = -1;
		parts.push(isComment ? part.replace(/\S/g, ' ') : part);
	}
	return parts.join('');
}

/** Returns a name that is like this one and valid, for advice. */
export function suggestName(name: string): string {
	const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	return words.slice(0, maxNameLength).replace(/^-+|-+$/g, '') || 'server';
}

export const maxNameLength = 24;

export function isServerName(name: string): boolean {
	return name.length <= maxNameLength && /^[a-z0-9-]+$/.test(name);
}

/** @param value an entry as it would stand in the file */
export function readEntry(name: string, value: JsonValue, file: ServersFile): ReadEntry {
	const fail = (problem: string) => failEntry({file: file.name, name}, problem);
	try {
		if (!isServerName(name)) {
			fail(
				`a name has 1 to ${maxNameLength} of a-z, 0-9 and -; rename it, for example to ${suggestName(name)}`,
			);
		}
		const item = isJsonObject(value) ? value : fail('must be an object');
		const entry = parseEntry({name, file: file.name}, item, {fail, directory: file.directory});
		return {name, ignoredKeys: Object.keys(item).filter((key) => !knownKeys.includes(key)), entry};
	} catch (error) {
		if (!(error instanceof ChatError)) throw error;
		return {name, ignoredKeys: [], entry: error};
	}
}

export const knownKeys: readonly string[] = [
	'type',
	'command',
	'args',
	'env',
	'cwd',
	'url',
	'httpUrl',
	'headers',
	'auth',
	'oauth',
	'includeTools',
	'excludeTools',
];

type Reading = {
	/** Takes a sentence that begins with a key. */
	readonly fail: (problem: string) => never;
	readonly directory: string;
};

function parseEntry(
	place: Pick<ServerEntry, 'name' | 'file'>,
	item: JsonObject,
	reading: Reading,
): ServerEntry {
	const {fail} = reading;
	const {includeTools, excludeTools} = item;
	return {
		...place,
		access: parseAccess(item, reading),
		includeTools:
			includeTools === undefined ? undefined : readTexts(includeTools, 'includeTools', fail),
		excludeTools: readTexts(excludeTools ?? [], 'excludeTools', fail),
	};
}

const accessOfType: Readonly<Record<string, ServerEntry['access']['type']>> = {
	stdio: 'program',
	http: 'http',
	'streamable-http': 'http',
	streamableHttp: 'http',
};

function parseAccess(item: JsonObject, reading: Reading): ServerEntry['access'] {
	const {fail} = reading;
	const hasUrl = item['url'] !== undefined || item['httpUrl'] !== undefined;
	const hasCommand = item['command'] !== undefined;
	checkType(item['type'], hasUrl ? 'http' : 'program', fail);
	if (hasUrl && hasCommand) fail('has both a command and a url');
	if (!hasUrl && !hasCommand) fail('needs a command or a url');
	return hasUrl ? parseHttp(item, fail) : parseProgram(item, reading);
}

function checkType(
	type: JsonValue | undefined,
	found: ServerEntry['access']['type'],
	fail: Reading['fail'],
): void {
	if (type === undefined) return;
	if (type === 'sse') {
		fail(
			'type is "sse", which chat does not support; many of these servers support "http" too, at another address',
		);
	}
	const known = typeof type === 'string' && Object.hasOwn(accessOfType, type);
	if (!known) fail('type must be "stdio", "http" or "streamable-http"');
	else if (accessOfType[type] !== found)
		fail(`type is "${type}", but there is no ${found === 'http' ? 'command' : 'url'}`);
}

function parseProgram(item: JsonObject, {fail, directory}: Reading): ProgramAccess {
	const command = readText(item['command'], 'command', fail);
	if (command.trim() === '') fail('command must not be empty');
	const cwd = item['cwd'] === undefined ? undefined : readText(item['cwd'], 'cwd', fail);
	const variables = readValues(item['env'], 'env', fail);
	const bad = Object.keys(variables).find((name) => name === '' || name.includes('='));
	if (bad !== undefined) fail(`env has "${bad}", which is not a variable name`);
	return {
		type: 'program',
		argv: [
			/^\.{1,2}\//.test(command) ? resolve(directory, command) : command,
			...readTexts(item['args'] ?? [], 'args', fail),
		],
		variables,
		cwd: cwd && (/^(?:~(?:\/|$)|\$\{)/.test(cwd) ? cwd : resolve(directory, cwd)),
	};
}

function parseHttp(item: JsonObject, fail: Reading['fail']): HttpAccess {
	// Gemini CLI has both: its `url` is for the older protocol.
	const key = item['httpUrl'] === undefined ? 'url' : 'httpUrl';
	const url = readText(item[key], key, fail);
	const problem = findWrittenUrlProblem(url);
	if (problem !== undefined) fail(`${key} ${problem}`);
	const headers = readValues(item['headers'], 'headers', fail);
	for (const [name, value] of Object.entries(headers)) {
		if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name))
			fail(`headers has "${name}", which is not the name of a header`);
		const problem = findHeaderProblem(value);
		if (problem !== undefined) fail(`headers.${name} ${problem}`);
	}
	return {type: 'http', url, headers, auth: readLogin(item['auth'] ?? item['oauth'], fail)};
}

/** Cursor writes some names in capitals, and Claude Code one text of all scopes. */
function readLogin(value: JsonValue | undefined, fail: Reading['fail']): LoginSettings | undefined {
	if (value === undefined) return undefined;
	if (!isJsonObject(value)) return fail('auth must be an object');
	const {clientId = value['CLIENT_ID'], clientSecret = value['CLIENT_SECRET']} = value;
	const {scopes = [], callbackPort} = value;
	const isPort = typeof callbackPort === 'number' && callbackPort > 0 && callbackPort < 65_536;
	if (callbackPort !== undefined && !isPort) fail('auth.callbackPort must be a number up to 65535');
	return {
		clientId: readText(clientId ?? '', 'auth.clientId', fail) || undefined,
		clientSecret: readText(clientSecret ?? '', 'auth.clientSecret', fail) || undefined,
		scopes:
			typeof scopes === 'string'
				? scopes.split(/\s+/).filter(Boolean)
				: readTexts(scopes, 'auth.scopes', fail),
		callbackPort: isPort ? callbackPort : undefined,
	};
}

function readText(value: JsonValue | undefined, key: string, fail: Reading['fail']): string {
	if (typeof value !== 'string') return fail(`${key} must be text`);
	const problem = value.includes('\0') ? 'contains a NUL character' : findBadReference(value);
	return problem === undefined ? value : fail(`${key} ${problem}`);
}

function readTexts(value: JsonValue, key: string, fail: Reading['fail']): readonly string[] {
	if (!Array.isArray(value)) return fail(`${key} must be an array of texts`);
	return value.map((item: JsonValue, index) => readText(item, `${key}[${index}]`, fail));
}

/** Numbers and truth values are texts too: they are common among variables. */
function readValues(
	value: JsonValue | undefined,
	key: string,
	fail: Reading['fail'],
): Readonly<Record<string, string>> {
	if (value === undefined || value === null) return {};
	if (!isJsonObject(value)) return fail(`${key} must be an object of texts`);
	const entries = Object.entries(value).map(([name, item]) => {
		const text = typeof item === 'number' || typeof item === 'boolean' ? String(item) : item;
		return [name, readText(text, `${key}.${name}`, fail)] as const;
	});
	return Object.fromEntries(entries);
}

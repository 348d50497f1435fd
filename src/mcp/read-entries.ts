/**
 * Reads a server file: `mcpServers` as in most programs, or `servers` as in VS Code. Such files are
 * copied between programs, so a mistake in an entry only concerns runs that use it, and foreign
 * keys are only reported.
 */
import {resolve} from 'node:path';
import * as v from 'valibot';
import {
	checkJson,
	integerFrom,
	JsonMistake,
	looseObject,
	optional,
	record,
	refuse,
} from '../check-json.ts';
import {ChatError} from '../errors.ts';
import {asObject, isJsonObject, isTooDeep, type JsonValue} from '../json.ts';
import {parseUserJson} from '../json-error.ts';
import {
	entryError,
	findBadReference,
	findHeaderProblem,
	findWrittenUrlProblem,
} from './fill-variables.ts';
import type {LoginSettings, ServerEntry} from './server-entry.ts';

export type ReadEntry = {
	readonly name: string;
	/** Keys without an effect in `chat`. */
	readonly ignoredKeys: readonly string[];
	/** The mistake in an unusable entry. */
	readonly entry: ServerEntry | ChatError;
};

export type ServersFile = {
	/** The file's name in messages: `mcp.json`, or a path as given by the user. */
	readonly name: string;
	/** Absolute folder for resolving relative program paths. */
	readonly directory: string;
};

/** Keys that hold servers. */
export const serverKeys = ['mcpServers', 'servers'] as const;

/**
 * Returns the servers in file order.
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

/** VS Code's files have comments, and commas before a closing bracket. */
export function parseWithComments(text: string): ReturnType<typeof parseUserJson> {
	const plain = text.replace(/^\ufeff/, '');
	const strict = parseUserJson(plain);
	const parsed = 'problem' in strict ? parseUserJson(blankComments(plain)) : strict;
	const isDeep = 'value' in parsed && isTooDeep(parsed.value);
	return isDeep ? {problem: 'is nested too deep'} : parsed;
}

/**
 * Blanks out comments, and commas before a closing bracket, so that mistakes keep their positions.
 * Each token is matched once: any text takes linear time.
 */
function blankComments(text: string): string {
	const token = /"(?:[^"\\\n]+|\\.)*"?|\/\/[^\n]*|\/\*.*?(?:\*\/|$)|\s+|./gs;
	const parts: string[] = [];
	/** Position of a comma followed only by blanks. */
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

/** Returns a similar valid name, for advice. */
export function suggestName(name: string): string {
	const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	return words.slice(0, maxNameLength).replace(/^-+|-+$/g, '') || 'server';
}

export const maxNameLength = 24;

export function isServerName(name: string): boolean {
	return name.length <= maxNameLength && /^[a-z0-9-]+$/.test(name);
}

/** @param value an entry as it would appear in the file */
export function readEntry(name: string, value: JsonValue, file: ServersFile): ReadEntry {
	const place = {name, file: file.name};
	const fail = (problem: string): never => {
		throw entryError(place, problem);
	};
	try {
		if (!isServerName(name)) {
			fail(
				`a name has 1 to ${maxNameLength} of a-z, 0-9 and -; rename it, for example to ${suggestName(name)}`,
			);
		}
		const given = checkJson(looseObject(entryKeys), value);
		const {includeTools, excludeTools = []} = given;
		const access = makeAccess(given, file.directory, fail);
		return {
			name,
			ignoredKeys: findIgnored(value),
			entry: {...place, access, includeTools, excludeTools},
		};
	} catch (error) {
		if (error instanceof ChatError) return {name, ignoredKeys: [], entry: error};
		if (!(error instanceof JsonMistake)) throw error;
		const problem = error.path === null ? error.problem : error.message;
		return {name, ignoredKeys: [], entry: entryError(place, problem)};
	}
}

const text = v.pipe(v.string(), refuse(findTextProblem));

function findTextProblem(text: string): string | undefined {
	return text.includes('\0') ? 'contains a NUL character' : findBadReference(text);
}

/** Numbers and truth values are texts too: they are common among variables. */
const value = v.pipe(
	v.union([v.string(), v.number(), v.boolean()], 'must be a string'),
	v.transform(String),
	refuse(findTextProblem),
);

const loginKeys = {
	clientId: optional(text),
	clientSecret: optional(text),
	// The names in Cursor.
	CLIENT_ID: optional(text),
	CLIENT_SECRET: optional(text),
	// Claude Code joins all scopes in one text.
	scopes: optional(
		v.pipe(
			v.unknown(),
			v.transform((value) =>
				typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : value,
			),
			v.array(text),
		),
	),
	callbackPort: optional(integerFrom(1, 65_535)),
};

const login = v.pipe(
	looseObject(loginKeys),
	v.transform(
		({clientId, clientSecret, CLIENT_ID, CLIENT_SECRET, ...others}): LoginSettings => ({
			clientId: clientId || CLIENT_ID || undefined,
			clientSecret: clientSecret || CLIENT_SECRET || undefined,
			scopes: others.scopes ?? [],
			callbackPort: others.callbackPort,
		}),
	),
);

const entryKeys = {
	type: optional(v.string()),
	command: optional(
		v.pipe(
			text,
			refuse((command) => (command.trim() === '' ? 'must not be empty' : undefined)),
		),
	),
	args: optional(v.array(text)),
	env: optional(record(/^[^=]+$/, 'is not a variable name', value)),
	cwd: optional(text),
	url: optional(v.pipe(text, refuse(findWrittenUrlProblem))),
	httpUrl: optional(v.pipe(text, refuse(findWrittenUrlProblem))),
	headers: optional(
		record(
			/^[!#$%&'*+.^`|~\w-]+$/,
			'is not a header name',
			v.pipe(value, refuse(findHeaderProblem)),
		),
	),
	auth: optional(login),
	oauth: optional(login),
	includeTools: optional(v.array(text)),
	excludeTools: optional(v.array(text)),
};

export const knownKeys: readonly string[] = Object.keys(entryKeys);
export const knownLoginKeys: readonly string[] = Object.keys(loginKeys);

/** Returns the keys without an effect, including login keys. */
function findIgnored(value: JsonValue): readonly string[] {
	const {auth, oauth, ...others} = asObject(value) ?? {};
	const unknown = Object.keys(others).filter((key) => !knownKeys.includes(key));
	const ofLogin = Object.keys(asObject(auth ?? oauth) ?? {}).filter(
		(key) => !knownLoginKeys.includes(key),
	);
	return [...unknown, ...ofLogin.map((key) => `${auth === undefined ? 'oauth' : 'auth'}.${key}`)];
}

const accessOfType: Readonly<Record<string, ServerEntry['access']['type']>> = {
	stdio: 'program',
	http: 'http',
	'streamable-http': 'http',
	streamableHttp: 'http',
};

function checkType(
	type: string | undefined,
	found: ServerEntry['access']['type'],
	fail: (problem: string) => never,
): void {
	if (type === undefined) return;
	if (type === 'sse') {
		fail(
			'type is "sse", which chat does not support; many of these servers support "http" too, at another address',
		);
	}
	if (!Object.hasOwn(accessOfType, type)) {
		fail('type must be "stdio", "http" or "streamable-http"');
	}
	if (accessOfType[type] !== found) {
		fail(`type is "${type}", but there is no ${found === 'http' ? 'command' : 'url'}`);
	}
}

type Given = v.InferOutput<ReturnType<typeof looseObject<typeof entryKeys>>>;

function makeAccess(
	{type, command, args = [], env = {}, cwd, headers = {}, ...given}: Given,
	directory: string,
	fail: (problem: string) => never,
): ServerEntry['access'] {
	// Gemini CLI has both: its `url` is for the older protocol.
	const url = given.httpUrl ?? given.url;
	checkType(type, url === undefined ? 'program' : 'http', fail);
	if (url !== undefined) {
		if (command !== undefined) return fail('has both a command and a url');
		return {type: 'http', url, headers, auth: given.auth ?? given.oauth};
	}
	if (command === undefined) return fail('needs a command or a url');
	return {
		type: 'program',
		argv: [/^\.{1,2}\//.test(command) ? resolve(directory, command) : command, ...args],
		variables: env,
		cwd: cwd && (/^(?:~(?:\/|$)|\$\{)/.test(cwd) ? cwd : resolve(directory, cwd)),
	};
}

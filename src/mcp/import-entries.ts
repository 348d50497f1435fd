/** Reads other programs' server files as our entries. */
import {ChatError} from '../errors.ts';
import {isJsonObject, isTooDeep, type JsonObject, type JsonValue} from '../json.ts';
import {withPaths} from './change-entries.ts';
import {
	knownKeys,
	knownLoginKeys,
	maxNameLength,
	parseWithComments,
	readEntry,
	suggestName,
} from './read-entries.ts';
import type {ServerEntry} from './server-entry.ts';

export type ForeignServer = {
	/** The value as written in the file. */
	readonly written: string;
} & (
	| {
			/** The form written into our file. */
			readonly value: JsonObject;
			readonly entry: ServerEntry;
			/** Variables to set, because the other program asks for their values. */
			readonly asked: readonly string[];
			/** Dropped keys, which have no meaning here. */
			readonly dropped: readonly string[];
	  }
	| {
			/** Why it is left out, as a sentence about it. */
			readonly problem: string;
	  }
);

export type ForeignFile = {
	/** The name in messages. */
	readonly name: string;
	readonly path: string;
	/** Absolute folder for resolving relative program paths. */
	readonly directory: string;
};

/**
 * Where programs keep their servers: the keys leading there, `*` for any. `translations` has
 * everything about the entries themselves; no program's key means something else in another
 * program.
 */
const places: readonly Place[] = [
	// Claude, Cursor, Windsurf, Gemini CLI, Qwen Code.
	{path: ['mcpServers']},
	// Claude Code, for each folder.
	{path: ['projects', '*', 'mcpServers']},
	// VS Code: its own file, and its settings.
	{path: ['servers']},
	{path: ['mcp', 'servers']},
	// Zed.
	{path: ['context_servers']},
	// Codex.
	{path: ['mcp_servers']},
	// opencode. VS Code and Gemini CLI have settings under the same key.
	{path: ['mcp'], types: ['local', 'remote']},
];

type Place = {
	readonly path: readonly string[];
	/** The `type` of an entry, where other things are kept beside entries. */
	readonly types?: readonly string[];
};

/** Other programs' keys with our equivalents; undefined for a value without a meaning here. */
const translations: Readonly<Record<string, (value: JsonValue) => JsonObject | undefined>> = {
	command: (value) => {
		if (Array.isArray(value)) return {command: value[0] ?? '', args: value.slice(1)};
		if (!isJsonObject(value)) return {command: value};
		const {path = '', args = [], env = {}} = value;
		return {command: path, args, env};
	},
	serverUrl: (url) => ({url}),
	environment: (env) => ({env}),
	env_vars: (names) => {
		if (!isTextArray(names)) return undefined;
		return {env: Object.fromEntries(names.map((name) => [name, refer(name)]))};
	},
	http_headers: (headers) => ({headers}),
	env_http_headers: (names) => {
		if (!isJsonObject(names)) return undefined;
		const headers = Object.entries(names).map(([key, name]) => [key, refer(String(name))]);
		return {headers: Object.fromEntries(headers)};
	},
	bearer_token_env_var: (name) => ({headers: {Authorization: `Bearer ${refer(String(name))}`}}),
	auth: (auth) => readLogin(auth),
	oauth: (auth) => readLogin(auth),
	disabledTools: (excludeTools) => ({excludeTools}),
	disabled_tools: (excludeTools) => ({excludeTools}),
	enabledTools: (includeTools) => ({includeTools}),
	enabled_tools: (includeTools) => ({includeTools}),
};

/** Keys with nothing to take over: the type follows from the others. */
const settledKeys: readonly string[] = ['type', 'source', 'disabled', 'enabled'];

const refer = (name: string) => `\${${name}}`;

function isTextArray(value: JsonValue): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** opencode joins all scopes in one text. */
function readLogin(value: JsonValue): JsonObject | undefined {
	if (!isJsonObject(value)) return undefined;
	const {scope, ...login} = value;
	const known = Object.entries(login).filter(([key]) => knownLoginKeys.includes(key));
	return {auth: {...(scope === undefined ? {} : {scopes: scope}), ...Object.fromEntries(known)}};
}

/**
 * Returns undefined for a file without a place for servers.
 *
 * @throws {ChatError} `data` for an invalid file
 */
export async function readForeignServers(
	text: string,
	file: ForeignFile,
): Promise<readonly ForeignServer[] | undefined> {
	const parsed = /\.toml$/i.test(file.path) ? await parseToml(text) : parseWithComments(text);
	if ('problem' in parsed) throw new ChatError('data', `${file.name} ${parsed.problem}`);
	const groups = places.flatMap((place) => findGroups(parsed.value, place));
	if (groups.length === 0) return undefined;
	const found = groups.flatMap(Object.entries<JsonValue>);
	const dialect = findDialect(file.path, found);
	const names = new Set<string>();
	return found.map(([written, item]): ForeignServer => {
		const obstacle = findObstacle(item, dialect);
		if (obstacle !== undefined) return {written, problem: `${written} ${obstacle}`};
		const {value, ...notes} = convert(item as JsonObject, dialect);
		const name = findFreeName(suggestName(written), names);
		const {entry} = readEntry(name, value, file);
		if (entry instanceof ChatError) return {written, problem: entry.message};
		names.add(name);
		return {written, value: withPaths(value, entry), entry, ...notes};
	});
}

async function parseToml(text: string): Promise<ReturnType<typeof parseWithComments>> {
	const {parse, TomlError} = await import('smol-toml');
	try {
		const value = parse(text) as JsonObject;
		if (isTooDeep(value)) return {problem: 'is nested too deep'};
		// Dates become texts.
		return {value: JSON.parse(JSON.stringify(value)) as JsonValue};
	} catch (error) {
		// The message quotes file lines, which may hold a key.
		if (!(error instanceof TomlError)) throw error;
		return {problem: `is not valid TOML: line ${error.line}, column ${error.column}`};
	}
}

function findGroups(file: JsonValue, {path, types}: Place): readonly JsonObject[] {
	let level = [file];
	for (const key of path) {
		level = level.filter(isJsonObject).flatMap((value) => {
			if (key === '*') return Object.values(value);
			return Object.hasOwn(value, key) ? (value[key] ?? []) : [];
		});
	}
	const groups = level.filter(isJsonObject);
	if (types === undefined) return groups;
	const isEntry = (value: JsonValue) =>
		isJsonObject(value) && types.includes(String(value['type']));
	return groups
		.map((group) => Object.fromEntries(Object.entries(group).filter(([, item]) => isEntry(item))))
		.filter((group) => Object.keys(group).length > 0);
}

type Dialect = {
	/** Whether `$NAME` is a variable. */
	readonly hasBareVariables: boolean;
	/** Whether `url` is for the older transport. */
	readonly isUrlOld: boolean;
};

/**
 * Gemini CLI and Qwen Code use the same key as others: a copied file is recognised by its entries.
 */
function findDialect(path: string, servers: ReadonlyArray<readonly [string, JsonValue]>): Dialect {
	const items = servers.map(([, item]) => item).filter(isJsonObject);
	const isUrlOld =
		/\.(?:gemini|qwen)[\\/][^\\/]*$/.test(path) || items.some(({httpUrl}) => httpUrl !== undefined);
	const values = items.flatMap(({env, headers}) =>
		[env, headers].filter(isJsonObject).flatMap(Object.values<JsonValue>),
	);
	const isBare = (value: JsonValue) => /^(?:Bearer )?\$[A-Z_][A-Z0-9_]*$/.test(String(value));
	return {isUrlOld, hasBareVariables: isUrlOld || values.some(isBare)};
}

function findObstacle(value: JsonValue, {isUrlOld}: Dialect): string | undefined {
	if (!isJsonObject(value)) return 'is not an object';
	const {type, url, httpUrl, disabled, enabled, envFile} = value;
	if (disabled === true || enabled === false) return 'is disabled there';
	const isOld = isUrlOld && url !== undefined && httpUrl === undefined && type !== 'http';
	if (type === 'sse' || isOld) return 'uses the older transport sse, which is not supported';
	if (envFile !== undefined) return 'takes variables from a file (envFile), which is not supported';
	const [foreign] = foreignVariable.exec(JSON.stringify(value)) ?? [];
	return foreign && `depends on ${foreign}, which only that program knows`;
}

/** Variables with a value inside the other program only. */
const foreignVariable =
	/\$\{(?:workspaceFolder\w*|pathSeparator|extensionPath)\}|(?<!\$)\{file:[^{}]*\}/;

/** Writes an entry with our keys and variables. */
function convert(item: JsonObject, {hasBareVariables}: Dialect) {
	const value: Record<string, JsonValue> = {};
	const dropped: string[] = [];
	for (const [key, found] of Object.entries(item)) {
		if (settledKeys.includes(key)) continue;
		const translate = Object.hasOwn(translations, key) ? translations[key] : undefined;
		const own = knownKeys.includes(key) ? {[key]: found} : undefined;
		const translated = translate === undefined ? own : translate(found);
		if (translated === undefined) dropped.push(key);
		else dropped.push(...addKeys(value, translated, key));
		if (translated !== undefined && 'auth' in translated && isJsonObject(found)) {
			const others = Object.keys(found).filter((name) => !knownLoginKeys.includes(name));
			dropped.push(...others.filter((name) => name !== 'scope').map((name) => `${key}.${name}`));
		}
	}
	const asked = new Set<string>();
	const change = (text: string) =>
		text
			.replaceAll('${userHome}', '${HOME}')
			.replace(/\$\{input:([^}]+)\}/g, (_, input: string) => {
				const name = input.toUpperCase().replace(/\W/g, '_');
				asked.add(name);
				return refer(name);
			})
			// opencode.
			.replace(/(?<!\$)\{env:(\w+)\}/g, '$${$1}')
			.replace(hasBareVariables ? /\$([A-Za-z_]\w*)/g : /(?!)/, '$${$1}');
	const converted = JSON.parse(JSON.stringify(value), (_, part: JsonValue) =>
		typeof part === 'string' ? change(part) : part,
	) as JsonObject;
	return {value: converted, asked: [...asked], dropped};
}

/** @returns the key, if the entry has another value for the same already */
function addKeys(
	value: Record<string, JsonValue>,
	added: JsonObject,
	key: string,
): readonly string[] {
	let isKept = true;
	for (const [name, item] of Object.entries(added)) {
		const {[name]: before} = value;
		if (before === undefined) value[name] = item;
		else if (isJsonObject(before) && isJsonObject(item)) value[name] = {...item, ...before};
		else isKept = false;
	}
	return isKept ? [] : [key];
}

/** Returns the name, or one like it with a number. */
export function findFreeName(name: string, taken: ReadonlySet<string>): string {
	for (let number = 2, free = name; ; number++) {
		if (!taken.has(free)) return free;
		const end = `-${number}`;
		free = `${name.slice(0, maxNameLength - end.length)}${end}`;
	}
}

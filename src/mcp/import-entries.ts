/** Reads the servers in files of other programs, as entries of ours. */
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {withPaths} from './change-entries.ts';
import {
	knownKeys,
	maxNameLength,
	parseWithComments,
	readEntry,
	suggestName,
} from './read-entries.ts';
import type {ServerEntry} from './server-entry.ts';

export type ForeignServer = {
	/** As the file has it. */
	readonly written: string;
} & (
	| {
			/** To be written into our file. */
			readonly value: JsonObject;
			readonly entry: ServerEntry;
			/** Variables that must be set, because the other program asks for their values. */
			readonly asked: readonly string[];
	  }
	| {
			/** Why it is left out, as a sentence about it. */
			readonly problem: string;
	  }
);

export type ForeignFile = {
	/** For messages. */
	readonly name: string;
	readonly path: string;
	/** The folder that relative paths of programs start from, absolute. */
	readonly directory: string;
};

/** @throws {ChatError} `data` for a file without servers */
export function readForeignServers(text: string, file: ForeignFile): readonly ForeignServer[] {
	const parsed = parseWithComments(text);
	const fail = (problem: string): never => {
		throw new ChatError('data', `${file.name} ${problem}`);
	};
	const groups = 'problem' in parsed ? fail(parsed.problem) : findGroups(parsed.value);
	if (groups.length === 0) fail('has no servers: it needs the key mcpServers or servers');
	const isGemini = /\.(?:gemini|qwen)[\\/][^\\/]*$/.test(file.path);
	const names = new Set<string>();
	return groups.flatMap(Object.entries<JsonValue>).map(([written, found]): ForeignServer => {
		const obstacle = findObstacle(found, isGemini);
		if (obstacle !== undefined) return {written, problem: `${written} ${obstacle}`};
		const {value, asked} = convert(found as JsonObject, isGemini);
		const name = findFreeName(suggestName(written), names);
		const {entry} = readEntry(name, value, file);
		if (entry instanceof ChatError) return {written, problem: entry.message};
		names.add(name);
		return {written, value: withPaths(value, entry), entry, asked};
	});
}

function findGroups(file: JsonValue): readonly JsonObject[] {
	if (!isJsonObject(file)) return [];
	const {mcpServers, servers, mcp, projects} = file;
	return [
		mcpServers,
		servers,
		// The settings of VS Code have them one level below, and Claude Code those of each folder.
		isJsonObject(mcp) ? mcp['servers'] : undefined,
		...Object.values(isJsonObject(projects) ? projects : {}).map((project) =>
			isJsonObject(project) ? project['mcpServers'] : undefined,
		),
	].filter(isJsonObject);
}

function findObstacle(value: JsonValue, isGemini: boolean): string | undefined {
	if (!isJsonObject(value)) return 'is not an object';
	const {type, url, httpUrl, disabled, enabled, envFile} = value;
	if (disabled === true || enabled === false) return 'is disabled there';
	const isOldGemini = isGemini && url !== undefined && httpUrl === undefined && type !== 'http';
	if (type === 'sse' || isOldGemini) return 'uses the older transport sse, which is not supported';
	if (envFile !== undefined) return 'takes variables from a file (envFile), which is not supported';
	const [foreign] = foreignVariable.exec(JSON.stringify(value)) ?? [];
	return foreign && `depends on ${foreign}, which only that program knows`;
}

/** They have a value inside the other program only. */
const foreignVariable = /\$\{(?:workspaceFolder\w*|pathSeparator|extensionPath)\}/;

/** The type follows from the other keys. */
const copiedKeys = knownKeys.filter((key) => key !== 'type');

/** Writes what other programs fill in as variables. */
function convert(value: JsonObject, isGemini: boolean) {
	const asked = new Set<string>();
	const kept = Object.entries(value).filter(([key]) => copiedKeys.includes(key));
	const converted = mapTexts(Object.fromEntries(kept), (text) =>
		text
			.replaceAll('${userHome}', '${HOME}')
			.replace(/\$\{input:([^}]+)\}/g, (_, input: string) => {
				const name = input.toUpperCase().replace(/\W/g, '_');
				asked.add(name);
				return `\${${name}}`;
			})
			.replace(isGemini ? /\$([A-Za-z_]\w*)/g : /(?!)/, '$${$1}'),
	);
	return {value: converted as JsonObject, asked: [...asked]};
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((item: JsonValue) => mapTexts(item, change));
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([key, item]) => [key, mapTexts(item, change)]));
}

/** Returns the name, or one like it with a number. */
export function findFreeName(name: string, taken: ReadonlySet<string>): string {
	for (let number = 2, free = name; ; number++) {
		if (!taken.has(free)) return free;
		const end = `-${number}`;
		free = `${name.slice(0, maxNameLength - end.length)}${end}`;
	}
}

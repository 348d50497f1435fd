/** Makes the entry of a server from the words and flags of `chat mcp add`. */
import {resolve} from 'node:path';
import {ChatError} from '../../../errors.ts';
import type {JsonObject} from '../../../json.ts';
import {withPaths} from '../../../mcp/change-entries.ts';
import {isPlainSecret} from '../../../mcp/fill-variables.ts';
import {isServerName, readEntries, suggestName} from '../../../mcp/read-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {plural} from '../../../wording.ts';
import type {McpRun} from './mcp-verb.ts';

export type NewEntry = {
	/** To be written into the file. */
	readonly value: JsonObject;
	readonly entry: ServerEntry;
	/** Sentences about what may surprise the user. */
	readonly warnings: readonly string[];
};

/** @throws {ChatError} `usage` for words and values that make no entry */
export function makeEntry(run: McpRun): NewEntry {
	const {words, flags, environment} = run;
	const [name = ''] = words;
	if (!isServerName(name)) {
		const message = `"${name}" is not the name of a server, which has 1 to 24 of a-z, 0-9 and -`;
		throw usage(message, `For example: ${suggestName(name)}`);
	}
	const value = flags.url === undefined ? makeProgram(run) : makeHttp(flags.url, run);
	const file = {name: 'mcp add', directory: environment.cwd};
	const [read] = readEntries(JSON.stringify({mcpServers: {[name]: value}}), file);
	if (read === undefined) throw new ChatError('bug', 'an entry was lost');
	const {entry} = read;
	if (entry instanceof ChatError) throw new ChatError('usage', entry.message);
	return {value: withPaths(value, entry), entry, warnings: findWarnings(run)};
}

function makeHttp(url: string, {words, program, flags}: McpRun): JsonObject {
	const {env, cwd, header} = flags;
	if (program.length > 0) throw usage('mcp add takes a program or --url, not both', waysOf(words));
	if (env.length > 0) throw usage('--env is for programs', 'With --url, write a --header.');
	if (cwd !== undefined) throw usage('--cwd is for programs', 'With --url, leave it out.');
	const headers = Object.fromEntries(header.map(({name, value}) => [name, value]));
	return {type: 'http', url, ...(header.length > 0 && {headers})};
}

function makeProgram({words, program, flags, environment}: McpRun): JsonObject {
	const [command, ...args] = program;
	const {env, cwd, header} = flags;
	if (command === undefined) throw usage('mcp add needs a program or a URL', waysOf(words));
	if (header.length > 0) throw usage('--header is for --url', 'For a program, write --env.');
	const variables = Object.fromEntries(env.map(readVariable).map(({name, value}) => [name, value]));
	return {
		command,
		...(args.length > 0 && {args}),
		...(env.length > 0 && {env: variables}),
		...(cwd !== undefined && {cwd: resolve(environment.cwd, cwd)}),
	};
}

function waysOf([name = '']: readonly string[]): string {
	return `Write: chat mcp add ${name} -- npx -y <package>, or chat mcp add ${name} --url <url>`;
}

/** `NAME` alone takes its value from the environment of each run. */
function readVariable(text: string): {readonly name: string; readonly value: string} {
	const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
	if (/^[A-Za-z_]\w*$/.test(name)) return {name, value: value ?? `\${${name}}`};
	throw usage(`--env needs the name of a variable, not "${name}"`, 'Write: --env NAME');
}

function usage(message: string, words: string): ChatError {
	return new ChatError('usage', message, {hint: words});
}

function findWarnings({program, flags, environment}: McpRun): readonly string[] {
	const {cwd, homedir} = environment;
	const secrets = [...flags.env.map(readVariable), ...flags.header]
		.filter(({name, value}) => isPlainSecret(name, value))
		.map(({name}) => name);
	const paths = program.slice(1).filter((text) => /^\.{1,2}(?:\/|$)/.test(text));
	const isElsewhere = flags.cwd === undefined && cwd !== homedir;
	return [
		...secrets.map(
			(name) =>
				`the value of ${name} will be in mcp.json, which only you can read; written as \${NAME}, it comes from a variable`,
		),
		...(paths.length > 0 && isElsewhere
			? [
					`${plural(paths.length, 'path')} (${paths.join(', ')}) would start from your home folder, where the program runs; write them in full, or add --cwd`,
				]
			: []),
	];
}

/** `chat mcp import`: takes over servers from other programs, starting none. */

import {existsSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode, exitCodeOf, toChatError} from '../../../errors.ts';
import {loadTextFile} from '../../../input/load-text.ts';
import {checkChangeable, writeEntry} from '../../../mcp/change-entries.ts';
import {findMissing} from '../../../mcp/fill-variables.ts';
import {canonicalText} from '../../../mcp/fingerprint.ts';
import {type ForeignServer, findFreeName, readForeignServers} from '../../../mcp/import-entries.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import type {ReadEntry} from '../../../mcp/read-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo} from '../../../output/print.ts';
import {revealText} from '../../../terminal/safe-text.ts';
import {plural, shortenHome} from '../../../wording.ts';
import {ask, type Dialog} from '../../ask.ts';
import {isTooLong, showEntry} from '../../run/tools/show-entry.ts';
import {type McpRun, policyOf} from './mcp-verb.ts';

type Usable = Extract<ForeignServer, {readonly entry: unknown}>;

type Found = {readonly path: string; readonly servers: readonly ForeignServer[]};

/** @throws {ChatError} `data` or `input` for a file without servers; `auth` without a terminal */
export async function importServers(run: McpRun): Promise<ExitCode> {
	const {words, path, environment} = run;
	checkChangeable(path);
	const {found, failure} = await findServers(words[0], environment);
	for (const {path, servers} of found) {
		const name = shortenHome(path, environment.homedir);
		printInfo(`${name} has ${plural(servers.length, 'server')}`, environment);
		for (const server of servers) {
			if ('problem' in server) printInfo(`left out: ${server.problem}`, environment);
		}
	}
	const usable = found.flatMap(({servers}) => servers.filter((server) => 'entry' in server));
	if (usable.length === 0) {
		printInfo('found no servers to import', environment);
		return failure === undefined ? 0 : exitCodeOf(failure);
	}
	const imported = await ask(policyOf('import', run), environment, async (dialog) => {
		let count = 0;
		for (const server of usable) if (await importOne(server, run, dialog)) count += 1;
		return count;
	});
	printInfo(`imported ${imported} of ${plural(usable.length, 'server')}`, environment);
	if (imported > 0) printInfo('chat mcp test <server> starts one, and checks it', environment);
	return 0;
}

/** An explicitly named file must be readable and contain servers; others may be missing. */
async function findServers(file: string | undefined, environment: Environment) {
	if (file !== undefined) {
		const found = await readServers(resolve(environment.cwd, file), file);
		if (found.length === 0) {
			const message = `${file} has no servers: none of the keys that programs keep them in, such as mcpServers`;
			throw new ChatError('data', message);
		}
		return {found, failure: undefined};
	}
	const found: Found[] = [];
	let failure: ChatError | undefined;
	for (const path of findForeignFiles(environment)) {
		try {
			found.push(...(await readServers(path, shortenHome(path, environment.homedir))));
		} catch (error) {
			failure = toChatError(error);
			printInfo(`left out: ${failure.message}`, environment);
		}
	}
	return {found, failure};
}

/** Returns none for a file without a place for servers. */
async function readServers(path: string, name: string): Promise<readonly Found[]> {
	const directory = dirname(path);
	const {text} = await loadTextFile(path, {cwd: directory, isPipeAllowed: false});
	const servers = await readForeignServers(text, {name, path, directory});
	return servers === undefined ? [] : [{path, servers}];
}

/** Replaces no entry: the existing one may have a tool filter, or a token. */
async function importOne(
	{written, entry, value, asked, dropped}: Usable,
	{words: [file], path, environment}: McpRun,
	{say, confirm}: Dialog,
): Promise<boolean> {
	const own = readOwnEntries(environment);
	const same = own.find((server) => isSameAccess(server, entry));
	if (same !== undefined) {
		await say(`left out: ${written} is here already, as ${same.name}`);
		return false;
	}
	const name = findFreeName(entry.name, new Set(own.map((server) => server.name)));
	// The user's own programs are searched if no file is named.
	const lines = [
		...showEntry(entry, environment, file !== undefined),
		...(dropped.length === 0 ? [] : [`not imported: ${revealText(dropped.join(', '))}`]),
	];
	if (isTooLong(lines)) {
		await say(`left out: ${written} is too long to be shown`);
		return false;
	}
	await say(name === written ? `server: ${name}` : `server: ${name}, which is ${written} there`);
	for (const line of lines) await say(line);
	if (!(await confirm(`Import ${name}?`))) return false;
	await writeEntry(path, name, value);
	const missing = [...new Set([...asked, ...findMissing(entry, environment)])];
	if (missing.length > 0) await say(`${name} needs these variables: ${missing.join(', ')}`);
	return true;
}

function isSameAccess({entry: own}: ReadEntry, {access}: ServerEntry): boolean {
	return !(own instanceof ChatError) && canonicalText(own.access) === canonicalText(access);
}

/** Below the home folder. */
const files = [
	'.claude.json',
	'.codeium/windsurf/mcp_config.json',
	'.codex/config.toml',
	'.config/opencode/opencode.json',
	'.config/opencode/opencode.jsonc',
	'.config/zed/settings.json',
	'.cursor/mcp.json',
	'.gemini/settings.json',
	'.qwen/settings.json',
];

/** Below the folder where programs with windows keep their settings. */
const desktopFiles = ['Claude/claude_desktop_config.json', 'Code/User/mcp.json'];

/** Returns the existing paths. The current folder is not searched. */
function findForeignFiles({homedir, platform, variables}: Environment): readonly string[] {
	if (homedir === undefined) return [];
	const desktopFolders: Readonly<Record<string, string>> = {
		darwin: join(homedir, 'Library', 'Application Support'),
		win32: variables['APPDATA'] ?? join(homedir, 'AppData', 'Roaming'),
	};
	const desktop = desktopFolders[platform] ?? join(homedir, '.config');
	return [
		...files.map((file) => join(homedir, file)),
		...desktopFiles.map((file) => join(desktop, file)),
	].filter((path) => existsSync(path));
}

/** Opens a run's servers: configured `mcp.json` entries, and entries from other files. */
import {dirname, resolve} from 'node:path';
import type {Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ErrorKind} from '../../../errors.ts';
import {loadTextFile} from '../../../input/load-text.ts';
import type {FileSource} from '../../../input/read-bytes.ts';
import {findSaved} from '../../../mcp/manifest.ts';
import {openServers} from '../../../mcp/open-servers.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import {type ReadEntry, readEntries} from '../../../mcp/read-entries.ts';
import type {Servers} from '../../../mcp/server.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo} from '../../../output/print.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {isServersPath} from '../../../settings/options/parsers.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {findModel} from '../find-model.ts';
import {createConnector} from './connect-server.ts';
import {checkEntry, findOwn} from './find-server.ts';

export type ServerRun = {
	/** Whether a server may still be starting when the run begins. */
	readonly isSession: boolean;
	readonly files: FileSource;
	readonly signal: AbortSignal;
	readonly serviceUrl: URL;
};

/**
 * Starts the servers not known yet. A session does not wait for them.
 *
 * @throws {ChatError} `usage` or `config` for a name without a server; `config` for a faulty entry;
 * `auth` for a file the user has not trusted; as `readFirst` does
 */
export async function openNamedServers(
	{settings, sources}: Pick<LoadedSettings, 'settings' | 'sources'>,
	{isSession, files, signal, serviceUrl}: ServerRun,
	environment: Environment,
): Promise<Servers> {
	const kind = sources.mcp === 'flag' ? 'usage' : 'config';
	const found = await findNamed(settings.mcp, kind, files, settings, environment);
	const entries = found.map(checkEntry);
	checkNames(entries, kind);
	const servers = openServers(entries, {
		connect: createConnector(settings, environment),
		find: (entry) => findSaved(entry, environment),
		isAttended: environment.terminal !== undefined,
		toolTimeout: settings.toolTimeout,
		notices: found.flatMap(describeIgnored),
		async findWindow() {
			const model = expandModelName(settings.model, settings.family);
			const found = findModel(serviceUrl, model, environment);
			return await found.then(({context}) => context).catch(() => undefined);
		},
	});
	if (settings.dryRun) return servers;
	if (isSession && !hasToolName(settings)) {
		// A server failing to start is shown as such.
		servers.readFirst(signal).catch(() => {});
		return servers;
	}
	const onWaiting = (names: string) => {
		const message = `waiting for MCP servers: ${names}`;
		if (!settings.quiet) printInfo(message, environment);
	};
	try {
		await servers.readFirst(signal, onWaiting);
	} catch (error) {
		await servers.tools.close();
		throw error;
	}
	return servers;
}

/** Whether a flag names a server tool: checking it requires the known tools. */
function hasToolName({toolChoice = '', allowTool}: Settings): boolean {
	return [toolChoice, ...allowTool].some((name) => name.startsWith('mcp__'));
}

/**
 * Finds the entries for the user's server names and server files.
 *
 * @param kind the error kind for an unknown name
 * @throws {ChatError} as `openNamedServers` does
 */
export async function findNamed(
	texts: readonly string[],
	kind: ErrorKind,
	files: FileSource,
	settings: Pick<Settings, 'plain' | 'dryRun'>,
	environment: Environment,
): Promise<readonly ReadEntry[]> {
	const named = [...new Set(texts)];
	const own = named.every(isServersPath) ? [] : readOwnEntries(environment);
	const found: ReadEntry[] = [];
	for (const text of named) {
		if (isServersPath(text)) found.push(...(await readGiven(text, files, settings, environment)));
		else found.push(findOwn(text, kind, own));
	}
	return found;
}

async function readGiven(
	path: string,
	files: FileSource,
	{plain, dryRun}: Pick<Settings, 'plain' | 'dryRun'>,
	environment: Environment,
): Promise<readonly ReadEntry[]> {
	const {text} = await loadTextFile(path, {...files, isPipeAllowed: false});
	const absolute = resolve(files.cwd, path);
	const found = readEntries(text, {name: path, directory: dirname(absolute)});
	const isValid = found.every(({entry}) => !(entry instanceof ChatError));
	if (dryRun || !isValid || found.length === 0) return found;
	const {checkTrust} = await import('./trust-servers.ts');
	await checkTrust({path, absolute, text, found, isPlain: plain}, environment);
	return found;
}

function checkNames(entries: readonly ServerEntry[], kind: 'usage' | 'config'): void {
	const names = new Map<string, string>();
	for (const {name, file} of entries) {
		const other = names.get(name);
		if (other !== undefined) {
			throw new ChatError(kind, `two MCP servers have the name ${name}: in ${other} and ${file}`);
		}
		names.set(name, file);
	}
}

/** A mistyped key would silently change a server. */
function describeIgnored({name, ignoredKeys, entry}: ReadEntry): readonly Notice[] {
	if (ignoredKeys.length === 0 || entry instanceof ChatError) return [];
	const keys = ignoredKeys.join(', ');
	return [{code: 'mcp-server', message: `${entry.file}, server ${name}: ignoring ${keys}`}];
}

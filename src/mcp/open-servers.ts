/** Opens the servers of a run: from what is known of them, without starting one. */
import {wait} from '../abort.ts';
import type {Notice} from '../chat/event.ts';
import {toChatError} from '../errors.ts';
import {shorten} from '../wording.ts';
import {describeBudget} from './budget.ts';
import type {Connect} from './connection.ts';
import {createServer, type ManagedServer} from './create-server.ts';
import {findSaved, type ManifestFolder, writeManifest} from './manifest-files.ts';
import {createMcpSource} from './mcp-source.ts';
import type {Server, Servers} from './server.ts';
import type {ServerEntry} from './server-entry.ts';
import {findTool} from './server-tool.ts';

export type OpenServersOptions = {
	/** Gets an entry as it is written, and fills in its variables. Loads its code when it is called. */
	readonly connect: Connect;
	/** Where manifests are kept. */
	readonly folder: ManifestFolder;
	/** For one call without progress, in milliseconds; 0: no limit. */
	readonly toolTimeout: number;
	readonly createId: () => string;
	/** Returns the context window of the model in tokens, if it is known. */
	readonly findWindow: () => Promise<number | undefined>;
};

/** @param entries with different names */
export function openServers(
	entries: readonly ServerEntry[],
	{connect, folder, toolTimeout, createId, findWindow}: OpenServersOptions,
): Servers {
	const notices: Notice[] = [];
	const all = entries.toSorted(byName).map((entry) => {
		const saved = findSaved(folder, entry);
		if (saved.state === 'damaged') {
			const message = `the file about the MCP server ${entry.name} cannot be read: asking the server again`;
			notices.push({code: 'mcp-server', message});
		}
		return createServer(entry, {
			connect,
			known: saved.manifest,
			read: () => findSaved(folder, entry).manifest,
			save(manifest) {
				try {
					writeManifest(folder, entry, manifest, createId());
				} catch (error) {
					notices.push({code: 'mcp-server', message: toChatError(error).message});
				}
			},
		});
	});
	const source = createMcpSource(all, {timeLimitMs: toolTimeout, notices});
	return {
		all,
		tools: source,
		async readFirst(signal, onWaiting) {
			const reading = readUnknown(all, signal, onWaiting);
			const compared = Promise.allSettled(reading).then(async () => {
				notices.push(...all.flatMap(describeMistyped));
				const notice = await describeBudget(source.tools, countServers(all), findWindow);
				if (notice !== undefined) notices.push(notice);
			});
			await Promise.all(reading);
			await compared;
		},
	};
}

/** A mistyped name would offer too few tools, or too many. */
function describeMistyped({entry, manifest}: Server): readonly Notice[] {
	const tools = manifest()?.offer.tools;
	const {name, file, includeTools = [], excludeTools} = entry;
	const named = [...includeTools, ...excludeTools];
	const missing = named.filter(
		(tool) => tools !== undefined && findTool(tools, tool) === undefined,
	);
	if (missing.length === 0) return [];
	const message = `${file}, server ${name}: the server has no tool ${shorten(missing.join(', '), 200)}`;
	return [{code: 'mcp-server', message}];
}

function countServers(servers: readonly Server[]): number {
	return servers.filter((server) => server.isEnabled() && server.manifest() !== undefined).length;
}

/** After this time without an answer the user is told what is being waited for. */
const noticeAfterMs = 1_000;

function readUnknown(
	servers: readonly ManagedServer[],
	signal: AbortSignal,
	onWaiting: (names: string) => void = () => {},
): ReadonlyArray<Promise<void>> {
	const unknown = new Set(servers.filter((server) => server.manifest() === undefined));
	if (unknown.size === 0) return [];
	const ended = new AbortController();
	void wait(noticeAfterMs, AbortSignal.any([ended.signal, signal])).then(
		() => onWaiting([...unknown].map(({entry}) => entry.name).join(', ')),
		() => {},
	);
	return [...unknown].map(async (server) => {
		try {
			await server.connect(signal);
		} finally {
			unknown.delete(server);
			if (unknown.size === 0) ended.abort();
		}
	});
}

function byName({name: one}: ServerEntry, {name: other}: ServerEntry): number {
	return one < other ? -1 : 1;
}

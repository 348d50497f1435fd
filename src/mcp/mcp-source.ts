/**
 * The servers of a run and their tools as one source. Nothing starts before a call is approved, or
 * `readFirst` needs a server.
 */
import type {Notice} from '../chat/event.ts';
import type {Tool, ToolSource} from '../chat/tool.ts';
import {plural, shorten} from '../wording.ts';
import type {ManagedServer} from './create-server.ts';
import {fingerprintOf} from './fingerprint.ts';
import type {ServerTool} from './offer.ts';
import type {ServerEntry} from './server-entry.ts';
import {
	createServerTool,
	findTool,
	isSameServerTool,
	refreshHint,
	type ServerToolOptions,
} from './server-tool.ts';

export type SourceOptions = {
	/** For one call without progress, in milliseconds; 0: no limit. */
	readonly timeLimitMs: number;
	/** Taken by `takeNotices`; may grow. */
	readonly notices: Notice[];
};

export function createMcpSource(
	servers: readonly ManagedServer[],
	{timeLimitMs, notices}: SourceOptions,
): ToolSource {
	const onDeclined = (message: string) => {
		notices.push({code: 'elicitation-declined', message});
	};
	const lists = servers.map((server) => createToolList(server, {timeLimitMs, onDeclined}));
	const listTools = () => lists.flatMap((list) => list.update());
	const listeners = new Set<() => void>();
	let tools = listTools();

	const update = (server: ManagedServer) => {
		notices.push(...describeNews(server));
		const now = listTools();
		if (now.length === tools.length && now.every((tool, index) => tool === tools[index])) return;
		tools = now;
		for (const listener of [...listeners]) listener();
	};
	const stops = servers.map((server) => server.onChange(() => update(server)));

	const reported = new Map<ManagedServer, string>();
	/** Returns a notice about tools that are not offered in this run, once for the same ones. */
	const describeNews = (server: ManagedServer): readonly Notice[] => {
		const known = server.manifest()?.offer.tools;
		const names = (server.present()?.offer.tools ?? [])
			.filter((tool) => isWanted(server.entry, tool) && findTool(known, tool.name) === undefined)
			.map(({name}) => name);
		const list = names.join(', ');
		if (names.length === 0 || reported.get(server) === list) return [];
		reported.set(server, list);
		const {name} = server.entry;
		const message = `the MCP server ${name} has ${plural(names.length, 'new tool')}, not used yet: ${shorten(list, maxListLength)}`;
		return [{code: 'mcp-server', message, hint: refreshHint(name)}];
	};

	return {
		get tools() {
			return tools;
		},
		onChange(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		takeNotices: () => notices.splice(0),
		async close() {
			for (const stop of stops) stop();
			await Promise.allSettled(servers.map((server) => server.close()));
		},
	};
}

const maxListLength = 200;

type ToolList = {
	/** Returns the tools as they are now; those that are the same are the same objects. */
	update(): readonly Tool[];
};

type ListedTool = Pick<ServerToolOptions, 'offered' | 'current'> & {readonly tool: Tool};

function createToolList(
	server: ManagedServer,
	options: Pick<ServerToolOptions, 'timeLimitMs' | 'onDeclined'>,
): ToolList {
	const {entry} = server;
	const fingerprint = fingerprintOf(entry);
	let offered: readonly ServerTool[] | undefined;
	let present: readonly ServerTool[] | undefined;
	let listed: readonly ListedTool[] = [];
	const list = (pair: Pick<ListedTool, 'offered' | 'current'>): ListedTool => ({
		...pair,
		tool: createServerTool({server, fingerprint, ...options, ...pair}),
	});
	return {
		update() {
			if (offered !== server.offeredTools()) {
				offered = server.offeredTools();
				const wanted = offered?.filter((tool) => isWanted(entry, tool)) ?? [];
				listed = withoutNamesakes(wanted.map((tool) => list({offered: tool, current: tool})));
			}
			if (present !== server.present()?.offer.tools) {
				present = server.present()?.offer.tools;
				listed = listed.map((item) => {
					const current = findTool(present, item.offered.name) ?? item.current;
					return isSameServerTool(current, item.current) ? item : list({...item, current});
				});
			}
			return server.isEnabled() ? listed.map(({tool}) => tool) : [];
		},
	};
}

/** Threat: two tools whose names in a request are made to be the same. The first one counts. */
function withoutNamesakes(tools: readonly ListedTool[]): readonly ListedTool[] {
	const byName = new Map<string, ListedTool>();
	for (const item of tools) {
		const {name} = item.tool.definition;
		if (!byName.has(name)) byName.set(name, item);
	}
	return [...byName.values()];
}

/** Whether the entry leaves a tool to be offered. */
export function isWanted({includeTools, excludeTools}: ServerEntry, {name}: ServerTool): boolean {
	return (includeTools?.includes(name) ?? true) && !excludeTools.includes(name);
}

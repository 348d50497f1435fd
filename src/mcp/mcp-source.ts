/**
 * A run's servers and their tools as one source. Nothing starts before a call is approved, or
 * `readFirst` needs a server.
 */
import type {Notice} from '../chat/event.ts';
import type {Tool, ToolSource} from '../chat/tool.ts';
import {plural, shorten} from '../wording.ts';
import {isSameJson} from './fingerprint.ts';
import {refreshHint} from './manifest.ts';
import type {ServerTool} from './offer.ts';
import type {Server} from './server.ts';
import type {ServerEntry} from './server-entry.ts';
import {createServerTool, findTool, type ServerToolOptions} from './server-tool.ts';
import {requestName} from './tool-name.ts';

export type SourceOptions = {
	/** Limit for one call without progress, in milliseconds; 0: no limit. */
	readonly timeLimitMs: number;
	/** Taken by `takeNotices`; may grow. */
	readonly notices: Notice[];
};

export function createMcpSource(
	servers: readonly Server[],
	{timeLimitMs, notices}: SourceOptions,
): ToolSource {
	const onDeclined = (message: string) => {
		notices.push({code: 'elicitation-declined', message});
	};
	const lists = servers.map((server) => createToolList(server, {timeLimitMs, onDeclined}));
	const listTools = () => lists.flatMap((list) => list());
	const listeners = new Set<() => void>();
	let tools = listTools();

	const update = (server: Server) => {
		notices.push(...describeNews(server));
		const now = listTools();
		if (now.length === tools.length && now.every((tool, index) => tool === tools[index])) return;
		tools = now;
		for (const listener of [...listeners]) listener();
	};
	const stops = servers.map((server) => server.onChange(() => update(server)));

	const reported = new Map<Server, string>();
	/** Returns a notice about what is not used in this run, once for the same things. */
	const describeNews = (server: Server): readonly Notice[] => {
		const news = listNews(server);
		const names = news.flatMap((things) => things.names);
		const list = names.join(', ');
		if (names.length === 0 || reported.get(server) === list) return [];
		reported.set(server, list);
		const {name} = server.entry;
		const counts = news.map((things) => plural(things.names.length, things.noun)).join(' and ');
		const message = `the MCP server ${name} has ${counts}, not used yet: ${shorten(list, maxListLength)}`;
		return [{code: 'mcp-server', message, hint: refreshHint(server.entry)}];
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

/** Returns new tool and prompt names that do not count in this run. */
function listNews({entry, manifest, present}: Server) {
	const [known, now] = [manifest()?.offer, present()?.offer];
	const tools = now?.tools.filter((tool) => isWanted(entry, tool));
	return [
		{noun: 'new tool', names: namesOnlyIn(tools, known?.tools)},
		{noun: 'new prompt', names: namesOnlyIn(now?.prompts, known?.prompts)},
	].filter(({names}) => names.length > 0);
}

type Named = {readonly name: string};

function namesOnlyIn(now: readonly Named[] = [], known: readonly Named[] = []): readonly string[] {
	const before = new Set(known.map(({name}) => name));
	return now.map(({name}) => name).filter((name) => !before.has(name));
}

type ListedTool = Pick<ServerToolOptions, 'offered' | 'current'> & {readonly tool: Tool};

/** Returns a function that returns the current tools; unchanged tools are identical objects. */
function createToolList(
	server: Server,
	options: Pick<ServerToolOptions, 'timeLimitMs' | 'onDeclined'>,
): () => readonly Tool[] {
	let listed: readonly ListedTool[] = [];
	return () => {
		const present = server.present()?.offer.tools;
		listed = listOffered(server).map((offered, place) => {
			const before = listed[place];
			const current = findTool(present, offered.name) ?? before?.current ?? offered;
			if (before !== undefined && isSameJson(current, before.current)) return before;
			const tool = createServerTool({server, offered, current, ...options});
			return {offered, current, tool};
		});
		return server.isEnabled() ? listed.map(({tool}) => tool) : [];
	};
}

/** Threat: two tools made to have the same request name. The first one counts. */
function listOffered({entry, manifest}: Server): readonly ServerTool[] {
	const byName = new Map<string, ServerTool>();
	for (const tool of manifest()?.offer.tools ?? []) {
		const name = requestName(entry.name, tool.name);
		if (isWanted(entry, tool) && !byName.has(name)) byName.set(name, tool);
	}
	return [...byName.values()];
}

/** Whether the entry leaves a tool to be offered. */
export function isWanted({includeTools, excludeTools}: ServerEntry, {name}: ServerTool): boolean {
	return (includeTools?.includes(name) ?? true) && !excludeTools.includes(name);
}

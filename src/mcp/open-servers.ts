/** Opens a run's servers from stored knowledge, without starting one. */
import {wait} from '../abort.ts';
import type {Notice} from '../chat/event.ts';
import {ChatError} from '../errors.ts';
import {shorten} from '../wording.ts';
import {describeBudget} from './budget.ts';
import type {Connect} from './connection.ts';
import {describeUnapproved, type Saved} from './manifest.ts';
import {createMcpSource} from './mcp-source.ts';
import {createServer, type Server, type Servers} from './server.ts';
import type {ServerEntry} from './server-entry.ts';
import {findTool} from './server-tool.ts';

export type OpenServersOptions = {
	/** Takes an entry as written, and fills in its variables. Loads its code on the first call. */
	readonly connect: Connect;
	/** Finds an entry's approved offer. */
	readonly find: (entry: ServerEntry) => Saved;
	/** Whether anyone can be asked about calls. If not, only approved offers are used. */
	readonly isAttended: boolean;
	/** Limit for one call without progress, in milliseconds; 0: no limit. */
	readonly toolTimeout: number;
	/** Reported together with notices about the servers. */
	readonly notices?: readonly Notice[];
	/** Returns the model's context window in tokens, if known. */
	readonly findWindow: () => Promise<number | undefined>;
};

/** @param entries with different names */
export function openServers(
	entries: readonly ServerEntry[],
	{connect, find, isAttended, toolTimeout, notices: given = [], findWindow}: OpenServersOptions,
): Servers {
	const all = entries.toSorted(byName).map((entry) => createServer(entry, find(entry), connect));
	const notices = [...given, ...all.flatMap(describeSaved)];
	const source = createMcpSource(all, {timeLimitMs: toolTimeout, notices});
	return {
		all,
		tools: source,
		async readFirst(signal, onWaiting) {
			if (!isAttended) all.forEach(requireApproval);
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

function describeSaved({entry, saved}: Server): readonly Notice[] {
	const reason = describeUnapproved(entry, saved);
	return reason === undefined ? [] : [{code: 'mcp-server', ...reason}];
}

/** @throws {ChatError} `auth` for an unapproved offer */
function requireApproval({entry, saved}: Server): void {
	const reason = describeUnapproved(entry, saved);
	// A start would fail for the missing variables, and says so.
	if (reason === undefined || saved.fingerprint === undefined) return;
	throw new ChatError('auth', reason.message, reason);
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
	servers: readonly Server[],
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

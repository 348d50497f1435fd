/** Servers of a test, connections to them, which end with the test, and their tools. */
import {createServer, type RequestListener} from 'node:http';
import {tmpdir} from 'node:os';
import {onTestFinished} from 'vitest';
import type {Tool} from '../../src/chat/tool.ts';
import {runnableTools} from '../../src/chat/tool-sources.ts';
import type {ChatError} from '../../src/errors.ts';
import {type ConnectDeps, createConnect} from '../../src/mcp/connect.ts';
import type {Connect, Connection} from '../../src/mcp/connection.ts';
import {createMcpFetch, type Network} from '../../src/mcp/http-fetch.ts';
import {readEntries} from '../../src/mcp/read-entries.ts';
import type {Servers} from '../../src/mcp/server.ts';
import type {ServerEntry} from '../../src/mcp/server-entry.ts';
import {processControl} from '../../src/process-environment.ts';
import {listen} from '../helpers/listen.ts';
import type {WrittenEntry} from '../helpers/mcp-servers.ts';

export const neverAborted = new AbortController().signal;

export const network: Network = {
	variables: {},
	loadCertificates: async () => undefined,
	isInsecureAllowed: false,
	connectMs: 60_000,
};

export type ConnectToOptions = Partial<ConnectDeps> & {
	readonly signal?: AbortSignal;
};

export async function connectTo(
	written: WrittenEntry,
	{signal = neverAborted, ...deps}: ConnectToOptions = {},
): Promise<Connection> {
	const connection = await createTestConnect(deps)(entryOf(written), {signal});
	onTestFinished(() => connection.close());
	return connection;
}

/** Returns the entry of a server with the name `tested`. */
export function entryOf(written: WrittenEntry): ServerEntry {
	const file = {name: 'mcp.json', directory: tmpdir()};
	const [found] = readEntries(JSON.stringify({mcpServers: {tested: written}}), file);
	if (found === undefined || !('access' in found.entry)) throw found?.entry;
	return found.entry;
}

export function createTestConnect(deps: Partial<ConnectDeps> = {}): Connect {
	return createConnect({
		version: '1.0.0',
		variables: process.env,
		secrets: [],
		homedir: tmpdir(),
		platform: process.platform,
		processes: processControl,
		connectMs: 60_000,
		now: () => performance.now(),
		date: () => Date.now(),
		openHttp: async ({access}) => ({fetch: createMcpFetch({access, network, limitMs: 0})}),
		...deps,
	});
}

/** Returns the failure of a promise that must not resolve. */
export async function failureOf(promise: Promise<unknown>): Promise<ChatError> {
	return await promise.then(
		() => {
			throw new Error('it did not fail');
		},
		(error: ChatError) => error,
	);
}

/** Starts a server with these answers, and returns its address. */
export async function serve(answer: RequestListener): Promise<string> {
	return `http://127.0.0.1:${await listen(createServer(answer))}/mcp`;
}

export function pick({tools}: Servers, name: string): Tool {
	const tool = runnableTools(tools.tools).find(({definition}) => definition.name === name);
	if (tool === undefined) throw new Error(`there is no tool ${name}`);
	return tool;
}

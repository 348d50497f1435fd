/** Connects to a server of a test; the connection ends with the test. */
import {tmpdir} from 'node:os';
import {onTestFinished} from 'vitest';
import type {ChatError} from '../../src/errors.ts';
import {type ConnectDeps, createConnect} from '../../src/mcp/connect.ts';
import type {Connect, Connection} from '../../src/mcp/connection.ts';
import {createMcpFetch} from '../../src/mcp/http-fetch.ts';
import {readEntries} from '../../src/mcp/read-entries.ts';
import type {ServerEntry} from '../../src/mcp/server-entry.ts';
import {processControl} from '../../src/process-environment.ts';
import type {WrittenEntry} from '../helpers/mcp-servers.ts';

export const neverAborted = new AbortController().signal;

const network = {
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

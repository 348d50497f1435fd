/**
 * MCP servers for tests: the official reference servers, and a hostile one of our own
 * (`test/fixtures/mcp/`). Each value is an entry for `mcp.json`.
 */
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import type {Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {isRunning} from './is-running.ts';

/** A server as `mcp.json` has it. */
export type WrittenEntry = Readonly<Record<string, unknown>>;

const pathOf = (place: string) => fileURLToPath(new URL(`../../${place}`, import.meta.url));
const everythingPath = pathOf('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const filesystemPath = pathOf('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const hostilePath = pathOf('test/fixtures/mcp/hostile-server.js');

const nodeEntry = (...args: readonly string[]) => ({command: process.execPath, args});

export const everythingServer: WrittenEntry = nodeEntry(everythingPath, 'stdio');

/** The reference server for files, which may read and write in this folder. */
export function filesystemServer(folder: string): WrittenEntry {
	return nodeEntry(filesystemPath, folder);
}

/** Writes `mcp.json` beside the config file of a home folder. Returns its path. */
export function writeServers(
	home: string,
	servers: Readonly<Record<string, WrittenEntry>>,
): string {
	const directory = join(home, '.config', 'chat');
	mkdirSync(directory, {recursive: true, mode: 0o700});
	const path = join(directory, 'mcp.json');
	writeFileSync(path, JSON.stringify({mcpServers: servers}), {mode: 0o600});
	return path;
}

export type HostileOptions = {
	/** The protocols it speaks; by default both. */
	readonly era?: 'legacy' | 'modern' | 'both';
	/** When its tools change: before the second list (by default), right after the first, in a call. */
	readonly when?: 'start' | 'list' | 'call';
};

export type HostileEvent = {
	readonly type: 'start' | 'message' | 'request' | 'signal' | 'stdin-ended' | 'grandchild';
	/** Of the server. */
	readonly pid: number;
	/** Of a process that it started. */
	readonly child?: number;
	readonly message?: {
		readonly method?: string;
		readonly params?: Readonly<Record<string, unknown>>;
		readonly [field: string]: unknown;
	};
	readonly [field: string]: unknown;
};

export type HostileServer = {
	readonly entry: WrittenEntry;
	/** Events of all its processes so far; none if it was never started. */
	events(type?: HostileEvent['type']): readonly HostileEvent[];
	/** Its processes and those they started that still run. */
	alive(): readonly number[];
};

/** @param behaviours names of `test/fixtures/mcp/behaviours.js`, some with a value: `many-tools=50` */
export function hostileServer(
	behaviours: readonly string[] = [],
	{era = 'both', when = 'start'}: HostileOptions = {},
): HostileServer {
	const folder = mkdtempSync(join(tmpdir(), 'chat-mcp-'));
	const record = join(folder, 'record');
	const options = ['--era', era, '--when', when, '--record', record];
	const events = (type?: HostileEvent['type']) =>
		readRecord(record).filter((event) => type === undefined || event.type === type);
	const alive = () =>
		[...new Set(events().flatMap(({pid, child}) => [pid, child ?? pid]))].filter(isRunning);
	onTestFinished(() => {
		for (const pid of alive()) process.kill(pid, 'SIGKILL');
		rmSync(folder, {recursive: true, force: true});
	});
	const entry = nodeEntry(hostilePath, ...options, ...behaviours);
	return {entry, events, alive};
}

function readRecord(path: string): readonly HostileEvent[] {
	if (!existsSync(path)) return [];
	const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
	return lines.map((line): HostileEvent => JSON.parse(line));
}

/** The hostile server over HTTP, in this process; it stops with the test. */
export async function startHostileHttp(
	behaviours: readonly string[] = [],
	{era = 'both', when = 'start'}: HostileOptions = {},
): Promise<Pick<HostileServer, 'entry' | 'events'>> {
	const recorded: HostileEvent[] = [];
	const record = (type: HostileEvent['type'], more: object = {}) =>
		recorded.push({type, pid: process.pid, ...more});
	const load = (name: string) => import(pathOf(`test/fixtures/mcp/${name}.js`));
	const [{createServer}, {serveHttp}] = await Promise.all(
		['create-server', 'serve-http'].map(load),
	);
	const exit = () => http.close().closeAllConnections();
	const {server, handle} = await createServer({era, when, record, exit}, behaviours);
	const http: Server = await serveHttp(server, handle);
	onTestFinished(exit);
	const {port} = http.address() as AddressInfo;
	return {
		entry: {url: `http://127.0.0.1:${port}/mcp`},
		events: (type) => recorded.filter((event) => type === undefined || event.type === type),
	};
}

/** It listens on all addresses, and says only which port it was given. */
const onLoopback = `
	import net from 'node:net';
	const {listen} = net.Server.prototype;
	net.Server.prototype.listen = function (port, ...rest) {
		this.once('listening', () => console.log('http://127.0.0.1:' + this.address().port + '/mcp'));
		return listen.call(this, 0, '127.0.0.1', ...rest);
	};
`;

/** Registers the end of a server. */
export type AtEnd = (end: () => Promise<void>) => void;

/** Starts server-everything over streamable HTTP; it stops with the test. */
export async function startEverything(atEnd: AtEnd = onTestFinished): Promise<WrittenEntry> {
	const preload = `data:text/javascript,${encodeURIComponent(onLoopback)}`;
	const argv = ['--import', preload, everythingPath, 'streamableHttp'];
	return {type: 'http', url: await startHttp(argv, atEnd)};
}

/** Resolves with the address that a server prints. */
async function startHttp(argv: readonly string[], atEnd: AtEnd): Promise<string> {
	const child: ChildProcess = spawn(process.execPath, argv, {stdio: ['ignore', 'pipe', 'ignore']});
	const {stdout} = child;
	if (stdout === null) throw new Error('without stdout');
	atEnd(async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	});
	return await new Promise((resolve, reject) => {
		let text = '';
		stdout.on('data', (bytes: Buffer) => {
			text += bytes.toString();
			const found = /^(http:\S+)$/m.exec(text)?.[1];
			if (found !== undefined) resolve(found);
		});
		child.once('exit', () => reject(new Error(`the server ended: ${text}`)));
	});
}

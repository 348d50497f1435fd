/**
 * A server in a run: known by its approved offer, started on demand, and restarted after it has
 * ended.
 */
import {untilAborted} from '../abort.ts';
import type {ToolSource} from '../chat/tool.ts';
import {ChatError, toChatError} from '../errors.ts';
import type {Connect, Connection} from './connection.ts';
import type {Manifest, Saved} from './manifest.ts';
import type {ServerEntry} from './server-entry.ts';

export interface Server {
	/** The entry as written, with unfilled variables. */
	readonly entry: ServerEntry;
	/** The server's approved offer at the start of the run. */
	readonly saved: Saved;
	/**
	 * The offer that counts in this run: the approved one or, without one, the first one read.
	 * Anything newer only reaches the approval question, never the model.
	 */
	manifest(): Manifest | undefined;
	/** The server's present offer; undefined before its first start. */
	present(): Manifest | undefined;
	state(): ServerState;
	/**
	 * Starts it unless it runs, and reads its offer unless that is known to be unchanged.
	 *
	 * @throws {ChatError} if it cannot be started
	 */
	connect(signal: AbortSignal): Promise<Connection>;
	/** Stderr lines, readable after the end as well. Untrusted. */
	log(): readonly string[];
	/** Whether its tools are offered. */
	isEnabled(): boolean;
	setEnabled(isEnabled: boolean): void;
	/**
	 * Calls back after a change, including changes reported by the server. Returns a function that
	 * unsubscribes.
	 */
	onChange(listener: () => void): () => void;
	/** Ends it until it is needed again, unless it is starting. */
	stop(): Promise<void>;
	/** Ends it for good. */
	close(): Promise<void>;
}

export type ServerState =
	| {readonly type: 'known' | 'starting' | 'running'}
	| {readonly type: 'failed'; readonly error: ChatError};

/** All servers in a run. */
export type Servers = {
	readonly all: readonly Server[];
	/**
	 * Their tools, sorted. The model sees them as they were when the run began; only a newly known
	 * or enabled server adds more. Closing it ends all servers.
	 */
	readonly tools: ToolSource;
	/**
	 * Starts the servers without an approved offer, to read it for this run. A single answer waits
	 * for that before its first request.
	 *
	 * @param onWaiting called after a second, with the names of servers still starting
	 * @throws {ChatError} for the first server that cannot start; the others continue
	 */
	readFirst(signal: AbortSignal, onWaiting?: (names: string) => void): Promise<void>;
};

/** A start shared by all callers of `connect`. It ends when the last caller has left. */
type Start = {
	readonly opened: Promise<Connection>;
	readonly leaving: AbortController;
	waiting: number;
};

const endOf = (start: Start) => () =>
	start.opened.then(
		() => {},
		() => {},
	);

/** @param connect takes the entry as written */
export function createServer(entry: ServerEntry, saved: Saved, connect: Connect): Server {
	const listeners = new Set<() => void>();
	let {manifest} = saved;
	let present: Manifest | undefined;
	let isEnabled = true;
	let isClosed = false;
	let start: Start | undefined;
	let connection: Connection | undefined;
	/** Whether the server has reported a changed offer since the last reading. */
	let isStale = false;
	let failure: ChatError | undefined;
	let lastLog: readonly string[] = [];

	const notify = () => {
		for (const listener of [...listeners]) listener();
	};

	const running = () => (connection?.endOf() === undefined ? connection : undefined);

	const endedError = () => {
		const end = connection?.endOf();
		if (end === undefined) return undefined;
		return new ChatError('unavailable', `the MCP server ${entry.name} ${end}`);
	};

	const state = (): ServerState => {
		if (start !== undefined && running() === undefined) return {type: 'starting'};
		const error = failure ?? endedError();
		if (error !== undefined) return {type: 'failed', error};
		return {type: connection === undefined ? 'known' : 'running'};
	};

	const drop = async () => {
		const dropped = connection;
		connection = undefined;
		lastLog = dropped?.log() ?? lastLog;
		await dropped?.close();
	};

	const open = async (signal: AbortSignal): Promise<Connection> => {
		if (running() === undefined) await drop();
		const before = connection;
		let current = before;
		try {
			if (current === undefined) {
				const opened = await connect(entry, {
					signal,
					onFailure(log) {
						lastLog = log;
					},
				});
				opened.onChange(() => {
					// Threat: thousands of reports in one line. One look finds all changes.
					if (isStale && opened.endOf() === undefined) return;
					isStale = true;
					notify();
				});
				current = opened;
			}
			isStale = false;
			const read = await current.readManifest(signal);
			connection = current;
			present = read;
			manifest ??= read;
			return current;
		} catch (error) {
			if (before !== undefined && signal.aborted) {
				// The server runs on; other calls may still use it.
				isStale = true;
				throw error;
			}
			connection = current;
			await drop();
			if (!signal.aborted) failure = toChatError(error);
			throw error;
		}
	};

	const begin = (): Start => {
		const leaving = new AbortController();
		failure = undefined;
		const opened = open(leaving.signal).finally(() => {
			start = undefined;
			notify();
		});
		// Each waiting caller gets its failure.
		opened.catch(() => {});
		return {opened, leaving, waiting: 0};
	};

	return {
		entry,
		saved,
		manifest: () => manifest,
		present: () => present,
		state,
		async connect(signal) {
			while (start?.leaving.signal.aborted) await untilAborted(endOf(start), signal);
			// A connection started after `close` would never end.
			if (isClosed) throw new ChatError('unavailable', `the MCP server ${entry.name} is closed`);
			const current = running();
			if (current !== undefined && present !== undefined && !isStale) return current;
			const isNew = start === undefined;
			start ??= begin();
			if (isNew) notify();
			const shared = start;
			shared.waiting += 1;
			try {
				return await untilAborted(() => shared.opened, signal);
			} finally {
				shared.waiting -= 1;
				if (shared.waiting === 0) shared.leaving.abort(signal.reason);
			}
		},
		log: () => connection?.log() ?? lastLog,
		isEnabled: () => isEnabled,
		setEnabled(value) {
			isEnabled = value;
			notify();
		},
		onChange(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		async stop() {
			if (start === undefined) await drop();
		},
		async close() {
			isClosed = true;
			start?.leaving.abort();
			if (start !== undefined) await endOf(start)();
			await drop();
		},
	};
}

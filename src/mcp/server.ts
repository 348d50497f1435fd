/** A server of a run: known by its approved offer, started when it is needed, and again when it has ended. */
import {untilAborted} from '../abort.ts';
import type {ToolSource} from '../chat/tool.ts';
import {ChatError, toChatError} from '../errors.ts';
import type {Connect, Connection} from './connection.ts';
import type {Manifest, Saved} from './manifest.ts';
import type {ServerEntry} from './server-entry.ts';

export interface Server {
	/** As it is written: variables are not filled in. */
	readonly entry: ServerEntry;
	/** The offer that the user has approved for it, as it was when the run began. */
	readonly saved: Saved;
	/**
	 * The offer that counts in this run: the approved one or, without one, the first that was read. Only
	 * the question about a call, never the model, gets anything newer.
	 */
	manifest(): Manifest | undefined;
	/** Its present offer; undefined until it has been started. */
	present(): Manifest | undefined;
	state(): ServerState;
	/**
	 * Starts it unless it runs, and reads what it offers unless that is known to be the same.
	 *
	 * @throws {ChatError} when it cannot be started
	 */
	connect(signal: AbortSignal): Promise<Connection>;
	/** Lines of its stderr, also after it has ended. Untrusted. */
	log(): readonly string[];
	/** Whether its tools are offered. */
	isEnabled(): boolean;
	setEnabled(isEnabled: boolean): void;
	/** Calls back after a change, also when the server reports one of its own. Returns a function that stops that. */
	onChange(listener: () => void): () => void;
	/** Ends it until it is needed again; one that is starting goes on. */
	stop(): Promise<void>;
	/** Ends it for good. */
	close(): Promise<void>;
}

export type ServerState =
	| {readonly type: 'known' | 'starting' | 'running'}
	| {readonly type: 'failed'; readonly error: ChatError};

/** The servers of a run. */
export type Servers = {
	readonly all: readonly Server[];
	/**
	 * Their tools, sorted. The model sees them as they were when the run began: none is added but those
	 * of a server that becomes known or is enabled. Closing it ends all servers.
	 */
	readonly tools: ToolSource;
	/**
	 * Starts the servers without an approved offer, to read it for this run. A single answer waits for
	 * that before its first request.
	 *
	 * @param onWaiting called after a second, with the names of those that are still starting
	 * @throws {ChatError} of the first one that cannot be started; the others go on
	 */
	readFirst(signal: AbortSignal, onWaiting?: (names: string) => void): Promise<void>;
};

/** An attempt that all callers of `connect` share. It ends when the last of them has left. */
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

/** @param connect is called with the entry as it is written */
export function createServer(entry: ServerEntry, saved: Saved, connect: Connect): Server {
	const listeners = new Set<() => void>();
	let {manifest} = saved;
	let present: Manifest | undefined;
	let isEnabled = true;
	let isClosed = false;
	let start: Start | undefined;
	let connection: Connection | undefined;
	/** Whether the server has reported a change of its offer since that was read. */
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
				// It runs on; other calls may be under way.
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
		// Each caller that waits for it gets its failure.
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
			// Nobody would end a connection that starts after `close`.
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

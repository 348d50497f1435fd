/** Starts and restarts a server, and keeps what it has said. */
import {untilAborted} from '../abort.ts';
import {ChatError, toChatError} from '../errors.ts';
import type {Connect, Connection} from './connection.ts';
import type {Manifest} from './manifest.ts';
import type {ServerTool} from './offer.ts';
import type {Server, ServerState} from './server.ts';
import type {ServerEntry} from './server-entry.ts';

export interface ManagedServer extends Server {
	/** Its tools as the model sees them: those of the first manifest of the run. */
	offeredTools(): readonly ServerTool[] | undefined;
	/** Its present offer; undefined until it has been started. */
	present(): Manifest | undefined;
}

export type ServerSurroundings = {
	/** Called with the entry as it is written. */
	readonly connect: Connect;
	/** The manifest of an earlier run. */
	readonly known: Manifest | undefined;
	/** Returns the saved one: another run may have replaced it. */
	readonly read: () => Manifest | undefined;
	/** Saves a manifest. Never throws. */
	readonly save: (manifest: Manifest) => void;
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

export function createServer(
	entry: ServerEntry,
	{connect, known, read: readSaved, save}: ServerSurroundings,
): ManagedServer {
	const listeners = new Set<() => void>();
	let manifest = known;
	let offered = known?.offer.tools;
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
			accept(read);
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

	const accept = (read: Manifest) => {
		present = read;
		offered ??= read.offer.tools;
		const saved = readSaved() ?? manifest;
		if (saved === undefined) {
			manifest = {...read, isUnseen: true};
			save(manifest);
			return;
		}
		manifest = withApproved(read, saved);
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
		manifest: () => manifest,
		offeredTools: () => offered,
		present: () => present,
		state,
		async connect(signal) {
			while (start?.leaving.signal.aborted) await untilAborted(endOf(start), signal);
			// Also in the meantime: nobody would end what is started now.
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

/** Returns the manifest that was read, with the approved tools and instructions. A call changes neither. */
function withApproved(read: Manifest, {instructions, offer, isUnseen}: Manifest): Manifest {
	return {...read, instructions, isUnseen, offer: {...read.offer, tools: offer.tools}};
}

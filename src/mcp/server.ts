/** A server of a run: known by its manifest, started when it is needed. */
import type {ToolSource} from '../chat/tool.ts';
import type {ChatError} from '../errors.ts';
import type {Connection} from './connection.ts';
import type {Manifest} from './manifest.ts';
import type {ServerEntry} from './server-entry.ts';

export interface Server {
	/** As it is written: variables are not filled in. */
	readonly entry: ServerEntry;
	/** The one that the user has approved; undefined until the first one is read. */
	manifest(): Manifest | undefined;
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
	 * Starts the servers that have no manifest, and saves what they offer. A single answer waits for it
	 * before its first request.
	 *
	 * @param onWaiting called after a second, with the names of those that are still starting
	 * @throws {ChatError} of the first one that cannot be started; the others go on
	 */
	readFirst(signal: AbortSignal, onWaiting?: (names: string) => void): Promise<void>;
};

/** A server of a run: known by its manifest, started when it is needed. */
import type {ToolSource} from '../chat/tool.ts';
import type {Connection} from './connection.ts';
import type {Manifest} from './manifest.ts';
import type {ServerEntry} from './server-entry.ts';

export interface Server {
	/** As it is written: variables are not filled in. */
	readonly entry: ServerEntry;
	/** The one that the user has approved; undefined while a session reads the first one. */
	manifest(): Manifest | undefined;
	state(): ServerState;
	/**
	 * Starts it unless it runs.
	 *
	 * @throws {ChatError} when it cannot be started
	 */
	connect(signal: AbortSignal): Promise<Connection>;
	/** Lines of its stderr, also after it has ended. Untrusted. */
	log(): readonly string[];
	/** Whether its tools are offered. */
	isEnabled(): boolean;
	setEnabled(isEnabled: boolean): void;
	/** Calls back after each change of any of this. Returns a function that stops that. */
	onChange(listener: () => void): () => void;
	close(): Promise<void>;
}

export type ServerState =
	| {readonly type: 'known' | 'starting' | 'running'}
	| {readonly type: 'failed'; readonly reason: string};

/** The servers of a run. */
export type Servers = {
	readonly all: readonly Server[];
	/** Their tools, sorted; the list is that of the first request until a server is switched. */
	readonly tools: ToolSource;
};

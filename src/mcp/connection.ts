/** A connection to a running server, as everything but `connect.ts` sees it. */
import type {Elicit} from '../chat/elicitation.ts';
import type {MediaPart, TextPart} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import type {JsonObject} from '../json.ts';
import {mebibyte} from '../wording.ts';
import type {Manifest} from './manifest.ts';
import type {ServerEntry} from './server-entry.ts';

/** Limit for a server's line, reply or event. */
export const maxMessageBytes = 10 * mebibyte;

export interface Connection {
	/** Negotiated protocol version, such as `2025-11-25`. */
	readonly protocolVersion: string | undefined;
	/** Asks for the server's whole current offer. */
	readManifest(signal: AbortSignal): Promise<Manifest>;
	/**
	 * Calls back when the server reports a changed offer, and when it has ended. Returns a function
	 * that unsubscribes.
	 */
	onChange(listener: () => void): () => void;
	/**
	 * Calls a tool by its server-side name. A tool failure is an output, and so is a timeout.
	 *
	 * @throws {ChatError} if the server is gone, or its answer breaks the protocol
	 */
	callTool(name: string, values: JsonObject, options: CallOptions): Promise<ToolOutput>;
	/** Makes a prompt, as text and media. */
	getPrompt(
		name: string,
		values: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<ReadonlyArray<TextPart | MediaPart>>;
	readResource(uri: string, signal: AbortSignal): Promise<ReadonlyArray<TextPart | MediaPart>>;
	/** Returns at most 100 values, starting with a text, for a prompt argument. */
	complete(
		argument: {
			readonly prompt: string;
			readonly name: string;
			readonly value: string;
			/** Other arguments' values, which the result may depend on. */
			readonly others?: Readonly<Record<string, string>>;
		},
		signal: AbortSignal,
	): Promise<readonly string[]>;
	/** The server's last stderr lines, at most 64 KiB. Untrusted. */
	log(): readonly string[];
	/** Why it ended, as the end of a sentence; undefined while running. */
	endOf(): string | undefined;
	/**
	 * Resolves within 3 s, once nothing started by the server still runs. May be called repeatedly.
	 */
	close(): Promise<void>;
}

export type CallOptions = {
	readonly signal: AbortSignal;
	/** Without progress, in milliseconds; 0: no limit. A call has 10 minutes in total. */
	readonly timeLimitMs: number;
	readonly elicit: Elicit;
	/** Called with a reason, as the end of a sentence, for each question not passed on. */
	readonly onDeclined?: ((problem: string) => void) | undefined;
};

export type ConnectOptions = {
	/** Ends the attempt, not the connection. */
	readonly signal: AbortSignal;
	/** Receives the server's last stderr lines if the attempt fails. Untrusted. */
	readonly onFailure?: ((log: readonly string[]) => void) | undefined;
};

/**
 * Starts a server, or connects to one.
 *
 * @param entry with its variables filled in
 * @throws {ChatError} `unavailable` if it cannot be reached, `timeout`, `auth` if it needs a login,
 * `protocol` if it does not speak the protocol
 */
export type Connect = (entry: ServerEntry, options: ConnectOptions) => Promise<Connection>;

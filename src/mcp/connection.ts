/** A connection to a running server, as everything but `connect.ts` sees it. */
import type {Elicit} from '../chat/elicitation.ts';
import type {MediaPart, TextPart} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import type {JsonObject} from '../json.ts';
import {mebibyte} from '../wording.ts';
import type {Manifest} from './manifest.ts';
import type {ServerEntry} from './server-entry.ts';

/** For a line, a reply, or an event of a server. */
export const maxMessageBytes = 10 * mebibyte;

export interface Connection {
	/** The version of the protocol that both sides speak, such as `2025-11-25`. */
	readonly protocolVersion: string | undefined;
	/** Asks for everything that the server offers now. */
	readManifest(signal: AbortSignal): Promise<Manifest>;
	/**
	 * Calls back when the server says that what it offers has changed, and when it has ended. Returns a
	 * function that stops that.
	 */
	onChange(listener: () => void): () => void;
	/**
	 * Calls a tool by its name for the server. The failure of the tool is an output, also the end of its
	 * time.
	 *
	 * @throws {ChatError} when the server is gone, or its answer is not of the protocol
	 */
	callTool(name: string, values: JsonObject, options: CallOptions): Promise<ToolOutput>;
	/** Makes a prompt, as text and media. */
	getPrompt(
		name: string,
		values: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<ReadonlyArray<TextPart | MediaPart>>;
	readResource(uri: string, signal: AbortSignal): Promise<ReadonlyArray<TextPart | MediaPart>>;
	/** Returns at most 100 values for an argument of a prompt that begin with a text. */
	complete(
		argument: {
			readonly prompt: string;
			readonly name: string;
			readonly value: string;
			/** The values of other arguments, on which it may depend. */
			readonly others?: Readonly<Record<string, string>>;
		},
		signal: AbortSignal,
	): Promise<readonly string[]>;
	/** The last lines that the server wrote to stderr, at most 64 KiB. Untrusted. */
	log(): readonly string[];
	/** Why it ended, as the end of a sentence; undefined while it runs. */
	endOf(): string | undefined;
	/** Resolves within 3 s, when nothing that the server started runs any more. May be called more than once. */
	close(): Promise<void>;
}

export type CallOptions = {
	readonly signal: AbortSignal;
	/** Without progress, in milliseconds; 0: no limit. A call has 10 minutes in total. */
	readonly timeLimitMs: number;
	readonly elicit: Elicit;
	/** Called with the reason, as the end of a sentence, when a question is not passed on. */
	readonly onDeclined?: ((problem: string) => void) | undefined;
};

export type ConnectOptions = {
	/** Ends the attempt, not the connection. */
	readonly signal: AbortSignal;
	/** Receives the last lines that the server wrote to stderr, if the attempt fails. Untrusted. */
	readonly onFailure?: ((log: readonly string[]) => void) | undefined;
};

/**
 * Starts a server, or connects to one.
 *
 * @param entry with its variables filled in
 * @throws {ChatError} `unavailable` when it cannot be reached, `timeout`, `auth` when a login is
 *   needed, `protocol` when it does not speak the protocol
 */
export type Connect = (entry: ServerEntry, options: ConnectOptions) => Promise<Connection>;

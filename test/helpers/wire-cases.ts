/**
 * Reads `test/fixtures/wire-cases/`, replies with their expected results, as typed values.
 * `wire-outcome.ts` compares the results.
 */
import {readdirSync, readFileSync} from 'node:fs';
import type {JsonObject} from '../../src/json.ts';
import type {ReplayEnd, ReplayFraming, ReplayReply} from './replay-reply.ts';

export type WireCase = {
	readonly id: string;
	readonly name: string;
	readonly group: string;
	/** The reason for the expected result. */
	readonly why: string;
	/** Of the base URL; undefined for the address of the operation. */
	readonly basePath: string | undefined;
	/** Whether the client asks for a stream; services do not always obey. */
	readonly isStreaming: boolean;
	/** The i-th request gets the i-th of these; the last one repeats. */
	readonly replies: readonly [ReplayReply, ...ReplayReply[]];
	readonly settings: {
		readonly maxRetries: number;
		/** Milliseconds without a byte. */
		readonly idleMs: number;
		/** Milliseconds without an event that has data. */
		readonly payloadMs: number;
		/** Milliseconds from a finish reason to the end. */
		readonly finishGraceMs: number;
	};
	readonly expect: WireExpectation;
};

/** As in the file; see the README of the cases. */
export type WireExpectation = {
	readonly content: string;
	readonly refusal?: string;
	readonly reasoning: string;
	readonly trim?: boolean;
	readonly tool_calls: readonly WireCall[];
	readonly finish_reason: string | null;
	readonly usage: JsonObject | null;
	readonly error: boolean | null;
	readonly error_contains: string | null;
	readonly truncated: boolean;
	readonly attempts?: number;
	readonly attempts_max?: number;
	readonly min_delay_ms?: number;
};

export type WireCall = {
	readonly id: string;
	readonly name: string;
	readonly arguments: string;
	readonly executable: boolean;
};

const folder = new URL('../fixtures/wire-cases/', import.meta.url);

/** The maximum time of every case, which only one that hangs exceeds. */
export const longestCaseMs = 60_000;

/** Returns the base URL that a case is played at. */
export function baseUrlOf({basePath = ''}: WireCase, serverUrl: URL): URL {
	return new URL(basePath, serverUrl);
}

/** Reads all cases, in the order of their ids. */
export function loadWireCases(): readonly WireCase[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => toWireCase(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));
}

/** The format of the files; see their README. */
type WireCaseFile = ReplyFile & {
	readonly id: string;
	readonly name: string;
	readonly group: string;
	readonly why: string;
	readonly base_path?: string;
	readonly request_stream: boolean;
	readonly responses?: readonly ReplyFile[];
	readonly client_options: {
		readonly max_retries: number;
		readonly idle_timeout_ms: number;
		readonly payload_idle_timeout_ms: number;
		readonly post_finish_grace_ms: number;
	};
	readonly expect: WireExpectation;
};

type ReplyFile = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body_chunks: readonly string[];
	readonly end: ReplayEnd;
	readonly framing?: ReplayFraming;
	readonly chunk_delay_ms?: number;
	readonly keepalive?: {readonly chunk: string; readonly every_ms: number};
};

function toWireCase(file: WireCaseFile): WireCase {
	const {id, name, group, why, request_stream: isStreaming} = file;
	const [first = file, ...rest] = file.responses ?? [];
	// Cases that do not wait for the timeout would only fail on a slow machine. The others wait a little
	// longer, so that a busy one has the time to send what comes before.
	const patience = [first, ...rest].some(({end}) => end === 'stall') ? 2 : 100;
	return {
		id,
		name,
		group,
		why,
		basePath: file.base_path,
		isStreaming,
		replies: [toReply(first, isStreaming), ...rest.map((reply) => toReply(reply, isStreaming))],
		settings: {
			maxRetries: file.client_options.max_retries,
			idleMs: patience * file.client_options.idle_timeout_ms,
			payloadMs: patience * file.client_options.payload_idle_timeout_ms,
			finishGraceMs: patience * file.client_options.post_finish_grace_ms,
		},
		expect: file.expect,
	};
}

function toReply(file: ReplyFile, isStreaming: boolean): ReplayReply {
	return {
		status: file.status,
		headers: file.headers,
		bodyChunks: file.body_chunks,
		end: file.end,
		framing: file.framing ?? defaultFraming(file, isStreaming),
		chunkDelayMs: file.chunk_delay_ms,
		keepalive: file.keepalive && {chunk: file.keepalive.chunk, everyMs: file.keepalive.every_ms},
	};
}

function defaultFraming(file: ReplyFile, isStreaming: boolean): ReplayFraming {
	if (file.headers['content-length'] !== undefined) return 'length';
	const isEventStream = file.headers['content-type']?.startsWith('text/event-stream') ?? false;
	const isStream = (isStreaming && file.status === 200) || isEventStream;
	return isStream || file.end !== 'clean' ? 'chunked' : 'length';
}

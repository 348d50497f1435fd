/** Reads `test/fixtures/wire-cases/`: replies with their expected results. */
import {readdirSync, readFileSync} from 'node:fs';
import type {JsonObject} from '../../src/json.ts';
import type {ReplayEnd, ReplayFraming, ReplayReply} from './replay-reply.ts';

export type WireCase = Pick<WireCaseFile, 'id' | 'name' | 'why' | 'expect'> & {
	/** Of the base URL; undefined for the address of the operation. */
	readonly basePath: string | undefined;
	/** Whether the client asks for a stream; services do not always obey. */
	readonly isStreaming: boolean;
	/** The i-th request gets the i-th of these; the last one repeats. */
	readonly replies: readonly [ReplayReply, ...ReplayReply[]];
	/** Of the client; times in milliseconds. */
	readonly limits: {
		readonly maxRetries: number;
		readonly idleMs: number;
		readonly payloadMs: number;
		readonly finishGraceMs: number;
	};
};

/** The format of the files; see their README. */
type WireCaseFile = ReplyFile & {
	readonly id: string;
	readonly name: string;
	/** The reason for the expected result. */
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

export type WireExpectation = {
	readonly content: string;
	readonly refusal?: string;
	readonly reasoning: string;
	readonly trim?: boolean;
	readonly tool_calls: ReadonlyArray<{
		readonly id: string;
		readonly name: string;
		readonly arguments: string;
		readonly executable: boolean;
	}>;
	readonly finish_reason: string | null;
	readonly usage: JsonObject | null;
	readonly error: boolean | null;
	readonly error_contains: string | null;
	readonly truncated: boolean;
	readonly attempts?: number;
	readonly attempts_max?: number;
	readonly min_delay_ms?: number;
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

const folder = new URL('../fixtures/wire-cases/', import.meta.url);

/** Reads all cases, in the order of their ids. */
export function loadWireCases(): readonly WireCase[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => toWireCase(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));
}

function toWireCase(file: WireCaseFile): WireCase {
	const {id, name, why, request_stream: isStreaming, client_options: options} = file;
	const [first = file, ...rest] = file.responses ?? [];
	// Cases that do not wait for the timeout would only fail on a slow machine. The others wait a little
	// longer, so that a busy one has the time to send what comes before.
	const patience = [first, ...rest].some(({end}) => end === 'stall') ? 2 : 100;
	return {
		...{id, name, why, isStreaming, basePath: file.base_path, expect: file.expect},
		replies: [toReply(first, isStreaming), ...rest.map((reply) => toReply(reply, isStreaming))],
		limits: {
			maxRetries: options.max_retries,
			idleMs: patience * options.idle_timeout_ms,
			payloadMs: patience * options.payload_idle_timeout_ms,
			finishGraceMs: patience * options.post_finish_grace_ms,
		},
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

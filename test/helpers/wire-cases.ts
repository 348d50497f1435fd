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

export type WireExpectation = {
	readonly content: string;
	readonly refusal: string;
	readonly reasoning: string;
	/** Ignores white space around texts. */
	readonly isTrimmed: boolean;
	readonly toolCalls: readonly WireCall[];
	readonly finishReason: string | null;
	/** Fields of the usage, possibly among others; null if the service sent none. */
	readonly usage: JsonObject | null;
	/** Undefined if either is acceptable; then only counts and times are compared. */
	readonly isError: boolean | undefined;
	readonly errorContains: string;
	readonly isTruncated: boolean;
	readonly attempts: number | undefined;
	readonly attemptsMax: number | undefined;
	/** Minimum time between the first two requests. */
	readonly minDelayMs: number | undefined;
	readonly maxTotalMs: number;
};

export type WireCall = {
	/** `*` means any id that is not empty. */
	readonly callId: string;
	readonly name: string;
	readonly arguments: string;
	readonly isRunnable: boolean;
};

const folder = new URL('../fixtures/wire-cases/', import.meta.url);

/** The maximum time of every case, which only one that hangs exceeds. */
const longestCaseMs = 60_000;

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
	readonly expect: {
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
		expect: toExpectation(file.expect),
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

function toExpectation(expected: WireCaseFile['expect']): WireExpectation {
	return {
		content: expected.content,
		refusal: expected.refusal ?? '',
		reasoning: expected.reasoning,
		isTrimmed: expected.trim ?? false,
		toolCalls: expected.tool_calls.map((call) => ({
			callId: call.id,
			name: call.name,
			arguments: call.arguments,
			isRunnable: call.executable,
		})),
		finishReason: expected.finish_reason,
		usage: expected.usage,
		isError: expected.error ?? undefined,
		errorContains: expected.error_contains ?? '',
		isTruncated: expected.truncated,
		attempts: expected.attempts,
		attemptsMax: expected.attempts_max,
		minDelayMs: expected.min_delay_ms,
		maxTotalMs: longestCaseMs,
	};
}

/**
 * How a reply goes wrong, as plain data. A reply without faults has an empty one, and both go the
 * same way to the client.
 */
import type {OutgoingHttpHeaders} from 'node:http';

/** How a connection ends: by the rules of HTTP, closed in the middle of a body, or reset. */
export type Ending = 'end' | 'fin' | 'reset';

/** A place in a body: after so many events of a stream, or so many bytes. */
export type Place = {readonly unit: 'events' | 'bytes'; readonly count: number};

export type ScriptedStatus = {
	/** 200 to 599. */
	readonly code: number;
	/** A text is sent as it is, anything else as JSON; absent: an error that names the status. */
	readonly body: unknown;
	readonly retryAfter: RetryAfter | undefined;
};

/** The wait that `retry-after` asks for, as seconds or as the date when it is over. */
export type RetryAfter = {readonly form: 'seconds' | 'date'; readonly ms: number};

/** All times are milliseconds. What is absent happens as in every other reply. */
export type Fault = {
	/** The wait before the head; instead of the latency of the service. */
	readonly delayMs?: number | undefined;
	/** The wait between the head and the body. */
	readonly firstTokenDelayMs?: number | undefined;
	/** Instead of the rate of the service. */
	readonly tokensPerSecond?: number | undefined;
	/** After how long a silence a stream gets a comment. */
	readonly keepAliveMs?: number | undefined;
	readonly status?: ScriptedStatus | undefined;
	/** Names in lower case. */
	readonly headers?: OutgoingHttpHeaders | undefined;
	readonly closeBeforeHead?: Exclude<Ending, 'end'> | undefined;
	readonly cut?: {readonly place: Place; readonly ending: Ending} | undefined;
	/** A silence in the middle of the body; without an end if no length is given. */
	readonly stall?: {readonly place: Place; readonly ms: number | undefined} | undefined;
	/** The event, counted from 1, that is not valid JSON: half of itself, or the given text. */
	readonly malformed?: {readonly event: number; readonly text?: string | undefined} | undefined;
	/** An error in the stream, after so many events; the rest of the answer does not come. */
	readonly error?: {readonly afterEvents: number; readonly body: unknown} | undefined;
	readonly done?: 'duplicate' | 'missing' | undefined;
	/** `missing`: it never comes, but every chunk has its field; `no_field`: none has. */
	readonly finishReason?: 'missing' | 'no_field' | undefined;
};

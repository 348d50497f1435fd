/**
 * Encodes an HTTP reply as the bytes of its socket writes, with valid or broken framing.
 */
import {STATUS_CODES} from 'node:http';

export type ReplayReply = {
	/** 0 resets the connection before any header. */
	readonly status: number;
	/** Sent unchanged. `{{httpdate+Ns}}` in a value becomes the HTTP date N seconds from now. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** One socket write each. A text that starts with `base64:` gives its bytes in base64. */
	readonly bodyChunks?: ReadonlyArray<string | Uint8Array> | undefined;
	/** How the body is delimited; by default `length` if there is such a header, else `chunked`. */
	readonly framing?: ReplayFraming | undefined;
	/** The event after the last chunk (default: `clean`). */
	readonly end?: ReplayEnd | undefined;
	/** Pause before each chunk, in milliseconds (default: 4). */
	readonly chunkDelayMs?: number | undefined;
	/** With end `stall`: a text that is sent again and again. */
	readonly keepalive?: {readonly chunk: string; readonly everyMs: number} | undefined;
};

export type ReplayFraming =
	| 'chunked'
	| 'length'
	/** No length: the end of the connection ends the body. */
	| 'close'
	/** Headers only. */
	| 'none';

export type ReplayEnd =
	/** As the framing requires. */
	| 'clean'
	/** A TCP reset. */
	| 'reset'
	/** The connection stays open without further data. */
	| 'stall'
	/** An orderly close before the end of the body. */
	| 'fin';

/** Returns the bytes of the body. */
function decodeBodyChunk(chunk: string | Uint8Array): Buffer {
	if (typeof chunk !== 'string') return Buffer.from(chunk);
	const prefix = 'base64:';
	if (chunk.startsWith(prefix)) return Buffer.from(chunk.slice(prefix.length), 'base64');
	return Buffer.from(chunk);
}

export function decodeBody(reply: ReplayReply): Buffer {
	return Buffer.concat((reply.bodyChunks ?? []).map(decodeBodyChunk));
}

export function framingOf(reply: ReplayReply): ReplayFraming {
	return reply.framing ?? (hasHeader(reply, 'content-length') ? 'length' : 'chunked');
}

/** Returns whether another reply can follow on the same connection. */
export function isConnectionKept(reply: ReplayReply): boolean {
	const framing = framingOf(reply);
	return framing !== 'close' && (framing !== 'none' || hasHeader(reply, 'content-length'));
}

/** Returns the status line and headers, up to the empty line. */
export function encodeHead(reply: ReplayReply, nowMs: number): Buffer {
	const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? 'Unnamed'}`];
	for (const [name, value] of Object.entries(reply.headers ?? {})) {
		lines.push(`${name}: ${fillDates(value, nowMs)}`);
	}
	const framing = framingOf(reply);
	if (framing === 'chunked') lines.push('transfer-encoding: chunked');
	if (framing === 'close') lines.push('connection: close');
	if (framing === 'length' && !hasHeader(reply, 'content-length')) {
		// A body that does not end cleanly must be shorter than its length.
		const missing = (reply.end ?? 'clean') === 'clean' ? 0 : 1;
		lines.push(`content-length: ${decodeBody(reply).length + missing}`);
	}
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Returns the writes of the body, with the terminating chunk if there is one. */
export function encodeOwnSegments(reply: ReplayReply): Buffer[] {
	if (framingOf(reply) === 'none') return [];
	const pieces = (reply.bodyChunks ?? []).map(decodeBodyChunk).filter((piece) => piece.length > 0);
	return frame(reply, pieces);
}

function frame(reply: ReplayReply, pieces: readonly Buffer[]): Buffer[] {
	if (framingOf(reply) !== 'chunked') return [...pieces];
	const chunks = pieces.map(encodeHttpChunk);
	if ((reply.end ?? 'clean') === 'clean') chunks.push(Buffer.from('0\r\n\r\n'));
	return chunks;
}

/** @param bytes not empty: a chunk of size 0 ends a body. */
export function encodeHttpChunk(bytes: Buffer): Buffer {
	return Buffer.concat([
		Buffer.from(`${bytes.length.toString(16)}\r\n`),
		bytes,
		Buffer.from('\r\n'),
	]);
}

function hasHeader(reply: ReplayReply, name: string): boolean {
	return Object.keys(reply.headers ?? {}).some((key) => key.toLowerCase() === name);
}

function fillDates(value: string, nowMs: number): string {
	return value.replace(/\{\{httpdate\+(\d+)s\}\}/g, (_, seconds: string) =>
		new Date(nowMs + Number(seconds) * 1000).toUTCString(),
	);
}

/**
 * The program's only HTTP exchange: request headers, `-v` lines, the size limit for replies,
 * redirects. The reply's meaning is not known here.
 */
import {ChatError} from '../../errors.ts';
import {redactUrl} from '../../redact.ts';
import {userAgent} from '../../version.ts';
import {formatDuration, formatSize} from '../../wording.ts';
import {headerOf} from './http-head.ts';
import {type HttpReply, type HttpRequest, send} from './transport.ts';

export type Exchange = HttpRequest & {
	/**
	 * Limit for one event in an event stream, and for any other whole body; no limit by default.
	 */
	readonly maxBytes?: number;
	/** Receives lines about the request and its reply. */
	readonly trace?: ((line: string) => void) | undefined;
};

/** Default headers, which the caller's headers replace. */
export const ownHeaders = {
	// Proxies buffer what they compress, and a cut compressed body is hard to recognise.
	'accept-encoding': 'identity',
	'user-agent': userAgent,
};

/**
 * Sends the request and waits for the response head, whatever its status.
 *
 * @throws {ChatError} without a reply, or the signal's reason when it is aborted
 */
export async function exchange({trace, maxBytes, ...request}: Exchange): Promise<HttpReply> {
	// `performance` would load all of `node:perf_hooks`.
	const startedAt = Date.now();
	if (trace !== undefined) requestLines(request).forEach(trace);
	const reply = await send({...request, headers: {...ownHeaders, ...request.headers}});
	if (trace !== undefined) replyLines(reply, Date.now() - startedAt).forEach(trace);
	return maxBytes === undefined ? reply : limitSize(reply, maxBytes);
}

/** Names the headers only: their values may be secret. */
export function requestLines({method, url, headers, body, route}: HttpRequest): readonly string[] {
	const via = route?.proxy && ` through the proxy ${redactUrl(route.proxy)}`;
	const size = body && ` (${Buffer.byteLength(body)} bytes)`;
	return [
		`> ${method} ${redactUrl(url)}${via ?? ''}${size || ''}`,
		`> ${Object.keys({...ownHeaders, ...headers}).join(', ')}`,
	];
}

export function replyLines({head}: HttpReply, elapsedMs: number): readonly string[] {
	return [
		`< ${head.status} after ${formatDuration(elapsedMs)}`,
		`< ${Object.keys(head.headers).join(', ')}`,
	];
}

/** Fails a reply that is too large. */
function limitSize(reply: HttpReply, maxBytes: number): HttpReply {
	const isEventStream = headerOf(reply.head, 'content-type')?.startsWith('text/event-stream');
	const measure = createMeter(isEventStream === true);
	let tooLarge: ChatError | undefined;
	return {
		...reply,
		async read() {
			const chunks = tooLarge === undefined ? await reply.read() : undefined;
			if (chunks?.every((chunk) => measure(chunk) <= maxBytes) !== false) return chunks;
			reply.close();
			const what = isEventStream === true ? 'an event' : 'the reply';
			tooLarge = new ChatError('protocol', `${what} is larger than ${formatSize(maxBytes)}`);
			return undefined;
		},
		failure: () => tooLarge ?? reply.failure(),
	};
}

/** Returns a function that takes the next bytes and returns the current unit's size. */
function createMeter(isEventStream: boolean): (chunk: Uint8Array) => number {
	let size = 0;
	let last: Uint8Array = new Uint8Array();
	return (chunk) => {
		size += chunk.length;
		if (!isEventStream) return size;
		// An empty line ends an event, even if split between chunks.
		const seen = Buffer.concat([last, chunk]);
		const end = Math.max(...['\n\n', '\n\r\n', '\r\r'].map((line) => seen.lastIndexOf(line)));
		if (end !== -1) size = seen.length - end;
		last = seen.subarray(-2);
		return size;
	};
}

/** Returns the whole body as text, or everything received before a failure. */
export async function readText(reply: HttpReply, maxLength = Number.POSITIVE_INFINITY) {
	const utf8 = new TextDecoder();
	let text = '';
	for (;;) {
		const chunks = await reply.read();
		if (chunks === undefined || text.length > maxLength) return text + utf8.decode();
		for (const chunk of chunks) text += utf8.decode(chunk, {stream: true});
	}
}

/** Returns why a reply ended early, with its address; undefined if it did not. */
export function failureOf(reply: HttpReply, url: URL): ChatError | undefined {
	const failure = reply.failure();
	if (failure === undefined) return undefined;
	return new ChatError(failure.kind, `${redactUrl(url)}: ${failure.message}`, failure.details);
}

const maxErrorLength = 1024 * 1024;
const maxErrorMs = 10_000;

/** Returns the part of an error body that arrives soon, and closes the connection. */
export async function readErrorText(reply: HttpReply): Promise<string> {
	const timer = setTimeout(() => reply.close(), maxErrorMs);
	try {
		return await readText(reply, maxErrorLength);
	} finally {
		clearTimeout(timer);
		reply.close();
	}
}

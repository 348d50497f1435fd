/**
 * Sends one request over Node's `http`. Knows sockets, time limits and content encodings, but not
 * what the bytes mean.
 *
 * Every request opens its own connection: some services close a kept-alive one right after a
 * stream's last byte, and the next request on it would fail.
 */

import type {ClientRequest, IncomingMessage} from 'node:http';
import type {Socket} from 'node:net';
import type {ChatError} from '../../errors.ts';
import {formatDuration} from '../../wording.ts';
import {nodeHttp, nodeHttps} from '../node-http.ts';
import type {ByteQueue} from './byte-queue.ts';
import {type Body, openBody} from './content-encoding.ts';
import {createDeadline, type Deadline} from './deadline.ts';
import type {HttpHead} from './http-head.ts';
import {directRoute, type OpenRoute, openRoute, type ServiceRoute} from './route.ts';
import {silentTlsError, socketError, timeoutError, tunnelError} from './socket-error.ts';

/** Time limits in milliseconds; 0, the default, means no limit. */
export type TimeLimits = {
	/** Limit for connecting, including TLS. */
	readonly connectMs: number;
	/** Limit between two bytes in a streamed reply, from its first byte on. */
	readonly idleMs?: number;
	/**
	 * Limit from the request to the next event in a streamed reply, and to the end in any other
	 * reply.
	 */
	readonly payloadMs: number;
	/** Limit for trailing data after a finished answer. */
	readonly finishGraceMs?: number;
};

export type HttpRequest = {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	/** None by default. */
	readonly body?: string;
	/** Direct by default. */
	readonly route?: ServiceRoute | undefined;
	readonly limits: TimeLimits;
	readonly isStreaming?: boolean;
	readonly signal: AbortSignal;
};

export interface HttpReply {
	readonly head: HttpHead;
	/** Resolves with all bytes since the last call; undefined at the end. Never throws. */
	read(): Promise<readonly Uint8Array[] | undefined>;
	/** After the end: whether HTTP itself confirms a complete body. */
	isBodyComplete(): boolean;
	/** After the end: why it ended early. */
	failure(): ChatError | undefined;
	/** Restarts the payload limit after an event. */
	notePayload(): void;
	/** Limits the remaining reply to the grace time, because the answer is finished. */
	noteFinish(): void;
	/** Closes the connection. May be called at any time and more than once. */
	close(): void;
}

/**
 * Sends the request and waits for the response head, whatever its status.
 *
 * @throws {ChatError} without a reply, or the signal's reason when it is aborted
 */
export async function send(options: HttpRequest): Promise<HttpReply> {
	const {url, signal, limits, isStreaming = false} = options;
	const {idleMs = 0, finishGraceMs = 0} = limits;
	const route = await openRoute(url, options.route ?? directRoute);
	return await new Promise((resolve, reject) => {
		if (signal.aborted) {
			reject(signal.reason);
			return;
		}
		const request = open(options, route);
		let body: Body | undefined;
		let isClosed = false;
		let isFinishing = false;
		const connection = () => ({url, proxy: route.proxy, hasReply: body !== undefined});

		/** The first call decides how the exchange ended. */
		const close = () => {
			if (isClosed) return;
			isClosed = true;
			for (const deadline of [connect, payload, idle, grace]) deadline.stop();
			signal.removeEventListener('abort', onAbort);
			request.destroy();
			route.close();
		};
		const fail = (error: unknown) => {
			const failure = socketError(error, connection());
			if (body === undefined) reject(failure);
			else body.fail(failure);
			close();
		};
		const onAbort = () => fail(signal.reason);
		const expire = (what: string, limitMs: number, isFinal: boolean) => () =>
			fail(timeoutError(`${what} within ${formatDuration(limitMs)}`, connection(), {isFinal}));
		/** A slow reader is not the service's fault. */
		const unlessSlow =
			(isSlow: (queue: ByteQueue) => boolean, deadline: () => Deadline, onExpire: () => void) =>
			() =>
				body !== undefined && isSlow(body.queue) ? deadline().restart() : onExpire();

		let isTlsAwaited = false;
		const expireConnect = expire('no connection', limits.connectMs, false);
		const connect = createDeadline(limits.connectMs, () => {
			if (isTlsAwaited) fail(silentTlsError(formatDuration(limits.connectMs), connection()));
			else expireConnect();
		});
		const payload: Deadline = createDeadline(
			limits.payloadMs,
			unlessSlow(
				({hasUnread}) => hasUnread && isStreaming,
				() => payload,
				expire('no answer', limits.payloadMs, true),
			),
		);
		const idle: Deadline = createDeadline(
			idleMs,
			unlessSlow(
				({isPaused}) => isPaused,
				() => idle,
				expire('nothing more came', idleMs, true),
			),
		);
		const grace = createDeadline(finishGraceMs, () => body?.queue.end(undefined));

		signal.addEventListener('abort', onAbort, {once: true});
		connect.start();
		watchConnect(request, {
			onAwaitTls() {
				isTlsAwaited = true;
			},
			onConnect: () => connect.stop(),
		});
		request.once('finish', () => {
			if (!isClosed && !isFinishing) payload.start();
		});
		request.on('error', fail);
		// A protocol switch closes the connection without an error.
		request.once('close', () => {
			if (body === undefined) fail(new Error('closed without a reply'));
		});
		request.once('response', (response) => {
			connect.stop();
			// A proxy refusing the tunnel replies in place of the service.
			if (url.protocol === 'https:' && !isEncrypted(response.socket)) {
				fail(tunnelError(response.statusCode ?? 0, url, route.proxy));
				return;
			}
			const opened = openBody(response, () => {
				if (isStreaming && !isFinishing && !isClosed) idle.restart();
			});
			body = opened;
			const {queue} = opened;
			resolve({
				head: {status: response.statusCode ?? 0, headers: response.headers},
				read: () => queue.read(),
				isBodyComplete: () => isBodyComplete(response),
				failure: () =>
					queue.failure === undefined ? undefined : socketError(queue.failure, connection()),
				notePayload() {
					if (!isClosed && !isFinishing) payload.restart();
				},
				noteFinish() {
					isFinishing = true;
					payload.stop();
					idle.stop();
					if (!isClosed) grace.start();
				},
				close() {
					close();
					opened.close();
				},
			});
		});
		request.end(options.body);
	});
}

function open(
	{method, url, headers, body = '', route: {socketPath, lookup} = directRoute}: HttpRequest,
	route: OpenRoute,
): ClientRequest {
	const {request} = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
	const length = body === '' ? {} : {'content-length': Buffer.byteLength(body)};
	return request(url, {
		method,
		...(socketPath !== undefined && {socketPath, protocol: 'http:', hostname: 'localhost'}),
		...(lookup !== undefined && {lookup}),
		agent: route.agent,
		// Otherwise, NODE_TLS_REJECT_UNAUTHORIZED could switch the check off.
		rejectUnauthorized: true,
		...(route.certificates === undefined ? {} : {ca: [...route.certificates]}),
		...(route.checkServerIdentity && {checkServerIdentity: route.checkServerIdentity}),
		headers: {...headers, ...length},
	});
}

function isEncrypted(socket: Socket & {readonly encrypted?: boolean}): boolean {
	return socket.encrypted === true;
}

type ConnectWatcher = {
	/** The host accepted the connection, and TLS is next. */
	onAwaitTls(): void;
	onConnect(): void;
};

/** A proxy's socket may be connected already. */
function watchConnect(request: ClientRequest, {onAwaitTls, onConnect}: ConnectWatcher): void {
	request.once('socket', (socket: Socket & {readonly secureConnecting?: boolean}) => {
		if (socket.secureConnecting === true) {
			if (socket.connecting) socket.once('connect', onAwaitTls);
			else onAwaitTls();
			socket.once('secureConnect', onConnect);
		} else if (socket.connecting) socket.once('connect', onConnect);
		else onConnect();
	});
}

/** Whether a last chunk or a length confirms a complete body. A closed connection does not. */
function isBodyComplete(response: IncomingMessage): boolean {
	const isDelimited =
		response.headers['transfer-encoding'] !== undefined ||
		response.headers['content-length'] !== undefined;
	return response.complete && isDelimited;
}

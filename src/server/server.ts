/**
 * The built-in service on a socket: starts it, and closes it without cutting off running replies.
 */
import {once} from 'node:events';
import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {ChatError} from '../errors.ts';
import {nodeHttp} from '../protocol/node-http.ts';
import {mebibyte} from '../wording.ts';
import {isLoopbackAddress} from './http/check-access.ts';
import {handleRequest} from './http/handle-request.ts';
import {createRequestRecorder} from './http/record-requests.ts';
import type {Service, ServiceLimits} from './http/service.ts';
import {createTurns} from './reply/send-body.ts';
import {playScenario} from './scenario/play-scenario.ts';
import type {Scenario} from './scenario/scenario-schema.ts';

export type ServerOptions = {
	/** The address to listen on, such as `127.0.0.1`. */
	readonly host: string;
	/** 0: a free one. */
	readonly port: number;
	/** If set, every request but `/health` needs it as its Bearer key. */
	readonly apiKey?: string | undefined;
	/** The origin whose web pages may use the service, or `*`; absent: none. */
	readonly corsOrigin?: string | undefined;
	/** Delay before a reply's first byte. */
	readonly latencyMs?: number | undefined;
	/** Streamed tokens per second; absent: as fast as the socket takes them. */
	readonly tokensPerSecond?: number | undefined;
	/** Unix milliseconds, for `created`. */
	readonly now?: (() => number) | undefined;
	/** Scripts replies and faults; absent: every request is answered by rule. */
	readonly scenario?: Scenario | undefined;
	/** Called when a request has ended, for a log line. */
	readonly onRequest?: ((line: RequestLogLine) => void) | undefined;
};

/** A request for a log: no body, no key, no query. */
export type RequestLogLine = {
	readonly method: string;
	readonly path: string;
	/** 0 when there was none: the client left, or a scenario closed the connection. */
	readonly status: number;
	readonly durationMs: number;
};

export type RunningServer = {
	/** `http://host:port`, without a slash at its end. */
	readonly url: string;
	readonly port: number;
	/**
	 * Stops accepting, lets running replies end for a short while, then cuts them. May be called
	 * more than once.
	 */
	close(): Promise<void>;
};

const defaultLimits: ServiceLimits = {
	maxBodyBytes: 64 * mebibyte,
	maxKeptBytes: 64 * mebibyte,
	maxReplies: 1000,
	closeGraceMs: 2_000,
};

/**
 * Starts the service; resolves once it accepts connections.
 *
 * @throws {ChatError} `unavailable` if it cannot listen on the address
 */
export async function startServer(
	options: ServerOptions,
	changedLimits: Partial<ServiceLimits> = {},
): Promise<RunningServer> {
	const {host, apiKey, now = Date.now, onRequest} = options;
	const limits = {...defaultLimits, ...changedLimits};
	const server = nodeHttp().createServer({keepAliveTimeout: 30_000});
	// A client that has sent its request may close its side, and still gets the reply.
	Object.assign(server, {httpAllowHalfOpen: true});
	await listen(server, host, options.port);
	const {address, port} = server.address() as AddressInfo;
	const service: Service = {
		ownHost: isLoopbackAddress(address) ? host : undefined,
		apiKey,
		corsOrigin: options.corsOrigin,
		latencyMs: options.latencyMs ?? 0,
		tokensPerSecond: options.tokensPerSecond,
		now,
		limits,
		planner: playScenario(options.scenario ?? {isStrict: false, window: undefined, rules: []}),
		openReplies: new Set(),
		takeTurn: createTurns(),
		recorder: createRequestRecorder(now, limits.maxKeptBytes),
	};
	server.on('request', (request, response) => {
		if (onRequest !== undefined) logRequest(request, response, onRequest);
		void handleRequest(service, request, response);
	});
	const name = host === '' ? address : host;
	let closing: Promise<void> | undefined;
	return {
		url: `http://${name.includes(':') ? `[${name}]` : name}:${port}`,
		port,
		close() {
			closing ??= closeServer(server, limits.closeGraceMs);
			return closing;
		},
	};
}

function logRequest(
	request: IncomingMessage,
	response: ServerResponse,
	onRequest: (line: RequestLogLine) => void,
): void {
	const start = performance.now();
	response.once('close', () => {
		onRequest({
			method: request.method ?? '',
			path: (request.url ?? '/').split('?', 1)[0] ?? '/',
			status: response.headersSent ? response.statusCode : 0,
			durationMs: performance.now() - start,
		});
	});
}

const reasonOfCode: Readonly<Record<string, string>> = {
	EADDRINUSE: 'the port is in use',
	EACCES: 'the port needs more rights',
	EADDRNOTAVAIL: 'this machine does not have that address',
	ENOTFOUND: 'the host name is not known',
	ERR_SOCKET_BAD_PORT: 'a port is a number from 0 to 65535',
};

async function listen(server: Server, host: string, port: number): Promise<void> {
	try {
		server.listen({host, port, backlog: 1024});
		await once(server, 'listening');
	} catch (cause) {
		const {code = '', message} = cause as NodeJS.ErrnoException;
		const reason = reasonOfCode[code] ?? message;
		const details = {code, cause};
		throw new ChatError('unavailable', `cannot listen on ${host}:${port}: ${reason}`, details);
	}
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
	const timer = setTimeout(() => server.closeAllConnections(), graceMs);
	// A kept-alive connection becomes idle when its reply has ended.
	const poll = setInterval(() => server.closeIdleConnections(), 20);
	const closed = once(server, 'close');
	server.close();
	await closed;
	clearTimeout(timer);
	clearInterval(poll);
}

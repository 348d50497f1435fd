/**
 * A `fetch` for the SDK over our own transport, because the global one knows neither `--ca-file` nor
 * our rules for proxies, and follows redirects.
 */

import {setMaxListeners} from 'node:events';
import {setImmediate} from 'node:timers/promises';
import type {FetchLike} from '@modelcontextprotocol/client';
import type {Variables} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {exchange, failureOf, readErrorText} from '../protocol/http/exchange.ts';
import {type HttpHead, redirectError} from '../protocol/http/http-head.ts';
import type {ServiceRoute} from '../protocol/http/route.ts';
import type {HttpReply, HttpRequest} from '../protocol/http/transport.ts';
import {createRedactor, type Redact, redactUrl, secretsOfHeader} from '../redact.ts';
import {findProxy} from '../settings/service/proxy.ts';
import {type AddressRule, createAddressRule} from './allowed-address.ts';
import {maxMessageBytes} from './connection.ts';
import type {HttpAccess} from './server-entry.ts';

/** How this run reaches servers. */
export type Network = {
	/** Proxy variables. */
	readonly variables: Variables;
	/** Returns the certificates to trust besides the usual ones. */
	loadCertificates(): Promise<string | undefined>;
	readonly isInsecureAllowed: boolean;
	/** Milliseconds; 0: no limit. */
	readonly connectMs: number;
	/** Receives lines about each request and its reply. */
	readonly trace?: ((line: string) => void) | undefined;
};

export type FetchOptions = {
	/** The server, with its variables filled in. */
	readonly access: HttpAccess;
	readonly network: Network;
	/** Milliseconds for a whole exchange; 0: the caller limits the time. */
	readonly limitMs: number;
	/** A new rule by default. */
	readonly rule?: AddressRule;
};

/**
 * The returned function fails with a `ChatError`, or with its signal's reason. A redirect is a
 * failure.
 */
export function createMcpFetch({access, network, limitMs, ...options}: FetchOptions): FetchLike {
	const server = new URL(access.url);
	const {rule = createAddressRule(server, network.isInsecureAllowed)} = options;
	const entryHeaders = Object.fromEntries(new Headers(access.headers));
	return async (address, init = {}) => {
		const url = new URL(address);
		rule.check(url);
		const given = Object.fromEntries(new Headers(init.headers));
		const isServer = url.origin === server.origin;
		const headers = isServer ? addHeaders(entryHeaders, given) : given;
		const method = checkMethod(init.method ?? 'GET');
		const signal = init.signal ?? new AbortController().signal;
		signal.throwIfAborted();
		// A connection has one signal for all its requests, and Node 20 warns beyond ten.
		setMaxListeners(0, signal);
		const route = await findRoute(url, network, rule);
		const reply = await exchange({
			method,
			url,
			headers,
			body: bodyOf(init.body),
			route,
			limits: {
				connectMs: network.connectMs,
				payloadMs: method === 'DELETE' ? farewellMs : limitMs,
			},
			signal,
			maxBytes: maxMessageBytes,
			trace: network.trace,
		});
		try {
			const secrets = Object.entries({
				...entryHeaders,
				authorization: given['authorization'] ?? '',
			});
			const redact = createRedactor(
				secrets.flatMap(([name, value]) => secretsOfHeader(name, value)),
			);
			return await toResponse(reply, url, signal, redact);
		} catch (error) {
			reply.close();
			throw error;
		}
	};
}

/** Ending a session does not keep the user waiting. */
const farewellMs = 2000;

/** The protocol transport owns its headers; the user's own header, if any, is the login. */
function addHeaders(
	ofEntry: Readonly<Record<string, string>>,
	given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const {authorization = given['authorization']} = ofEntry;
	return {...ofEntry, ...given, ...(authorization === undefined ? {} : {authorization})};
}

function checkMethod(method: string): HttpRequest['method'] {
	if (method === 'GET' || method === 'POST' || method === 'DELETE') return method;
	throw new ChatError('bug', `a request with the method ${method}`);
}

function bodyOf(body: RequestInit['body']): string {
	if (typeof body === 'string') return body;
	if (body instanceof URLSearchParams) return body.toString();
	if (body === undefined || body === null) return '';
	throw new ChatError('bug', 'a request with a body that is not text');
}

async function findRoute(url: URL, network: Network, rule: AddressRule): Promise<ServiceRoute> {
	return {
		proxy: findProxy(url, network.variables),
		lookup: rule.lookup(url),
		certificates: await network.loadCertificates(),
	};
}

async function toResponse(
	reply: HttpReply,
	url: URL,
	signal: AbortSignal,
	redact: Redact,
): Promise<Response> {
	const {head} = reply;
	const {status} = head;
	if (status < 200 || status > 599) {
		throw new ChatError('protocol', `${redactUrl(url)} answered ${status}`);
	}
	if (status >= 300 && status < 400) throw redirectError(head, url, 'the url of the server');
	const init = {status, headers: toHeaders(head)};
	if (status >= 400) {
		const text = await readErrorText(reply);
		signal.throwIfAborted();
		return new Response(redact(text), init);
	}
	if (status === 204 || status === 205) {
		reply.close();
		return new Response(null, init);
	}
	return new Response(toStream(reply, url, signal), init);
}

function toHeaders(head: HttpHead): Headers {
	const headers = new Headers();
	for (const [name, value] of Object.entries(head.headers)) {
		for (const each of [value ?? []].flat()) headers.append(name, each);
	}
	return headers;
}

/** Reads only what is asked for, and closes the connection at the end and when nobody reads on. */
function toStream(reply: HttpReply, url: URL, signal: AbortSignal): ReadableStream<Uint8Array> {
	const waiting: Uint8Array[] = [];
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				if (waiting.length === 0) waiting.push(...((await reply.read()) ?? []));
				const chunk = waiting.shift();
				if (chunk === undefined) {
					reply.close();
					const failure = signal.aborted ? signal.reason : failureOf(reply, url);
					if (failure === undefined) controller.close();
					else controller.error(failure);
					return;
				}
				// Threat: a flood of small messages. Signals and keys are heard between two chunks.
				await setImmediate();
				controller.enqueue(chunk);
			},
			cancel: () => reply.close(),
		},
		{highWaterMark: 0},
	);
}

/** Watches the transport of the SDK for HTTP, which keeps silent about answers that do not come. */
import type {JSONRPCMessage, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {parseJsonObject} from '../json.ts';
import {createLogTail} from '../processes/log-tail.ts';
import type {Redact} from '../redact.ts';
import type {Channel} from './client-connection.ts';
import type {ConnectionEnd} from './server-error.ts';

/**
 * @param transport not started yet
 * @param redact removes the secrets of the entry
 */
export function createHttpChannel(
	transport: StreamableHTTPClientTransport,
	redact: Redact,
): Channel {
	const log = createLogTail();
	/** Requests without an answer. */
	const waiting = new Set<string | number>();
	let end: ConnectionEnd | undefined;
	let isClosed = false;

	transport.onclose = () => {
		isClosed = true;
	};
	transport.onerror = (error) => {
		log.push(`${redact(withoutPage(error.message))}\n`);
		if (transport.sessionId !== undefined && isForgotten(error)) {
			end = {kind: 'unavailable', reason: 'has forgotten this session'};
		}
	};
	transport.onmessage = (message) => {
		if (!('method' in message) && message.id !== undefined) waiting.delete(message.id);
	};

	const {send} = transport;
	/** Messages under way that are not requests, such as answers to those of the server. */
	let sending = 0;
	const sendOther: typeof send = async (...message) => {
		sending++;
		if (sending > maxSending) {
			end ??= {kind: 'protocol', reason: 'sends too many requests'};
			await transport.close();
			throw new Error('the connection has ended');
		}
		try {
			await send.apply(transport, message);
		} finally {
			sending--;
		}
	};
	transport.send = async (message, options) => {
		const id = idOf(message);
		if (id === undefined) return await sendOther(message, options);
		waiting.add(id);
		try {
			await send.call(transport, message, {
				...options,
				onRequestStreamEnd() {
					options?.onRequestStreamEnd?.();
					if (!waiting.delete(id)) return;
					const error = {code: noAnswer, message: 'the connection ended before the answer'};
					transport.onmessage?.({jsonrpc: '2.0', id, error});
				},
			});
		} catch (error) {
			waiting.delete(id);
			throw error;
		}
	};

	return {
		transport,
		redact,
		log: log.lines,
		addToLog: (line) => log.push(`${line}\n`),
		endOf: () => end,
		isClosed: () => isClosed,
		describeSilence: () => '',
		leave: () => transport.terminateSession(),
	};
}

/** Threat: a server whose flood of requests would open a connection for each answer. */
const maxSending = 100;

/** The number of an error of the protocol that everyone may use. */
const noAnswer = -32_000;

function idOf(message: JSONRPCMessage | JSONRPCMessage[]): string | number | undefined {
	return !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined;
}

/** By the protocol with 404; some servers answer 400, and name the session. */
function isForgotten({status, message}: Error & {readonly status?: unknown}): boolean {
	if (status !== 400 || !/session/i.test(message)) return status === 404;
	// An answer to one request, as to a wrong argument, is not about the session.
	const body = parseJsonObject(message.slice(message.indexOf('{')));
	return typeof body?.['id'] !== 'number';
}

function withoutPage(message: string): string {
	return message.replace(/<(?:!doctype html|html)\b.*$/is, '(a web page)');
}

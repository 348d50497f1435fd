/** The SDK's HTTP transport, made to keep silent about missing answers. */
import {isJSONRPCRequest, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {parseJsonObject} from '../json.ts';
import {createLogTail} from '../processes/log-tail.ts';
import type {Redact} from '../redact.ts';
import type {Channel} from './client-connection.ts';
import type {ConnectionEnd} from './server-error.ts';

type SendArguments = Parameters<StreamableHTTPClientTransport['send']>;
type TransportOptions = ConstructorParameters<typeof StreamableHTTPClientTransport>[1];

/** @param redact removes the entry's secrets */
export function createHttpChannel(url: string, options: TransportOptions, redact: Redact): Channel {
	const transport = new AnsweringTransport(new URL(url), options);
	const log = createLogTail();
	let end: ConnectionEnd | undefined;
	let isClosed = false;

	transport.onclose = () => {
		isClosed = true;
		if (transport.isFlooded) end ??= {kind: 'protocol', reason: 'sends too many requests'};
	};
	transport.onerror = (error) => {
		log.push(`${redact(withoutPage(error.message))}\n`);
		if (transport.sessionId !== undefined && isForgotten(error)) {
			end ??= {kind: 'unavailable', reason: 'has forgotten this session'};
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

/** The protocol's general error number. */
const noAnswer = -32_000;

class AnsweringTransport extends StreamableHTTPClientTransport {
	/** Pending messages other than requests, such as answers to the server's requests. */
	#sending = 0;

	get isFlooded(): boolean {
		return this.#sending > maxSending;
	}

	override async send(...[message, options]: SendArguments): Promise<void> {
		if (isJSONRPCRequest(message)) {
			const error = {code: noAnswer, message: 'the connection ended before the answer'};
			const onRequestStreamEnd = () => {
				// The SDK ignores a second answer to the same request.
				this.onmessage?.({jsonrpc: '2.0', id: message.id, error});
			};
			return await super.send(message, {...options, onRequestStreamEnd});
		}
		this.#sending++;
		if (this.isFlooded) await this.close();
		try {
			await super.send(message, options);
		} finally {
			this.#sending--;
		}
	}
}

/** The protocol says 404; some servers answer 400, and name the session. */
function isForgotten({status, message}: Error & {readonly status?: unknown}): boolean {
	if (status !== 400 || !/session/i.test(message)) return status === 404;
	// An answer to one request, as to a wrong argument, is not about the session.
	const body = parseJsonObject(message.slice(message.indexOf('{')));
	return typeof body?.['id'] !== 'number';
}

function withoutPage(message: string): string {
	return message.replace(/<(?:!doctype html|html)\b.*$/is, '(a web page)');
}

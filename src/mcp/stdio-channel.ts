/**
 * Carries SDK messages over a program's stdin and stdout: one JSON line each. The SDK's own
 * transport cannot end a process group, keep its output, or limit what it reads and writes.
 */
import {AsyncLocalStorage} from 'node:async_hooks';
import type {Buffer} from 'node:buffer';
import {StringDecoder} from 'node:string_decoder';
import {setTimeout as pause} from 'node:timers/promises';
import type {JSONRPCMessage} from '@modelcontextprotocol/client';
import {isJsonObject} from '../json.ts';
import type {ServerProcess} from '../processes/server-process.ts';
import type {Redact} from '../redact.ts';
import {shorten} from '../wording.ts';
import type {Channel} from './client-connection.ts';
import {maxMessageBytes} from './connection.ts';
import type {ConnectionEnd} from './server-error.ts';

/** Starts a server program. */
export type StartServer = (onOutput: (chunk: Buffer) => void) => ServerProcess;

/** A program that prints its banner or its log to stdout still works. */
const maxStrayLines = 1000;
const maxStrayLength = 1000;
/** Number of lines in which a program may say why it ends. */
const lastWords = 20;
const maxCause = 300;
/** How long to wait for the process to end after stdin has closed. */
const exitGraceMs = 500;

/** @param redact removes the entry's secrets from the server's words */
export function createStdioChannel(startServer: StartServer, redact: Redact): Channel {
	let server: ServerProcess | undefined;
	let failure: ConnectionEnd | undefined;
	let strayLines = 0;
	let isClosed = false;
	/** We closed the connection. */
	let isStopped = false;

	/**
	 * An answer continues its request's stream, as over HTTP: it may ask something for its call.
	 */
	const contexts = new Map<unknown, (work: () => void) => void>();

	const fail = (reason: string) => {
		failure ??= {kind: 'protocol', reason};
		void transport.close();
	};
	const takeLine = (text: string) => {
		if (isClosed || text.trim() === '') return;
		const message = readMessage(text);
		if (message === undefined) {
			strayLines++;
			server?.log(text.slice(0, maxStrayLength));
			if (strayLines > maxStrayLines) fail('writes other things than messages to stdout');
			return;
		}
		const id = 'method' in message ? undefined : message.id;
		const goOn = contexts.get(id) ?? ((work: () => void) => work());
		contexts.delete(id);
		try {
			goOn(() => transport.onmessage?.(message));
		} catch {
			fail('sent a message that cannot be read');
		}
	};

	const decoder = new StringDecoder('utf8');
	let rest = '';
	const onOutput = (chunk: Buffer) => {
		const text = decoder.write(chunk);
		rest += text;
		if (text.includes('\n')) {
			const lines = rest.split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) takeLine(line);
		}
		if (rest.length > maxMessageBytes) fail('sent a line of more than 10 MB');
	};

	const transport: Channel['transport'] = {
		async start() {
			server = startServer(onOutput);
			void server.ended.then(() => transport.close());
		},
		async send(message) {
			if ('method' in message && 'id' in message) {
				contexts.set(message.id, AsyncLocalStorage.snapshot());
			}
			const result = server?.write(`${JSON.stringify(message)}\n`) ?? 'closed';
			if (result === 'written') return;
			if (result === 'full') fail('does not read its input');
			if (server !== undefined) {
				await Promise.race([server.ended, pause(exitGraceMs, undefined, {ref: false})]);
			}
			throw new Error('the connection has ended');
		},
		async close() {
			const isFirst = !isClosed;
			isClosed = true;
			isStopped ||= server?.endOf() === undefined;
			await server?.stop();
			if (isFirst) transport.onclose?.();
		},
	};

	const log = () => server?.lastLines().map(redact) ?? [];

	const endOfProcess = (): ConnectionEnd | undefined => {
		const reason = server?.endOf();
		if (reason === undefined || isStopped) return undefined;
		const lines = log()
			.filter((line) => !line.startsWith('chat: '))
			.slice(-lastWords);
		// Many programs end with a line about their version or their log.
		const cause = lines.find((line) => /error[: ]/i.test(line)) ?? lines.at(-1);
		const more = cause === undefined ? '' : `: ${shorten(cause, maxCause)}`;
		return {kind: 'unavailable', reason: reason + more};
	};

	return {
		transport,
		redact,
		log,
		addToLog: (line) => server?.log(line),
		endOf: () => failure ?? endOfProcess(),
		isClosed: () => isClosed,
		describeSilence: () =>
			strayLines === 0 ? '' : ', but wrote other things than messages to stdout',
		leave: async () => {},
	};
}

/** Accepts any depth: a list leaves out definitions nested too deep. */
function readMessage(text: string): JSONRPCMessage | undefined {
	try {
		const value: unknown = JSON.parse(text);
		if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return undefined;
		// Threat: a flood of objects, each much costlier for the SDK than this check.
		const isMessage =
			typeof value['method'] === 'string' ||
			(value['id'] !== undefined && (value['result'] ?? value['error']) !== undefined);
		return isMessage ? (value as unknown as JSONRPCMessage) : undefined;
	} catch {
		return undefined;
	}
}

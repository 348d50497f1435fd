/**
 * A TCP server that does to each connection what a test says, and turns asked of a service over
 * real sockets.
 */
import {createServer, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';
import type {ChatEventBatch} from '../../src/chat/event.ts';
import type {ChatOptions} from '../../src/chat/message.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import type {ServiceConnection} from '../../src/protocol/service-connection.ts';
import {createStreamChat} from '../../src/protocol/stream-chat.ts';
import {openConversation} from '../helpers/conversation.ts';
import {createRequestReader, type RecordedRequest} from '../helpers/request-reader.ts';

export type RawServer = {
	readonly url: URL;
	/** The connections that are open. */
	readonly sockets: ReadonlySet<Socket>;
	close(): Promise<void>;
};

/** Starts a server on a free port of the loopback interface. It is closed with the test. */
export async function startRawServer(
	onConnection: (socket: Socket) => void,
	host: '127.0.0.1' | '::1' = '127.0.0.1',
): Promise<RawServer> {
	const sockets = new Set<Socket>();
	const server = createServer({noDelay: true, allowHalfOpen: false}, (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => undefined);
		onConnection(socket);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, host, resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No TCP address.');
	const {port} = address;
	const close = () => {
		for (const socket of sockets) socket.destroy();
		return new Promise<void>((resolve) => server.close(() => resolve()));
	};
	onTestFinished(close);
	return {
		url: new URL(`http://${host === '::1' ? '[::1]' : host}:${port}/v1/chat/completions`),
		sockets,
		close,
	};
}

/** A server that calls back with each whole request. */
export function startRequestServer(
	onRequest: (socket: Socket, request: RecordedRequest) => void,
	host?: '127.0.0.1' | '::1',
): Promise<RawServer> {
	return startRawServer((socket) => {
		socket.on(
			'data',
			createRequestReader((request) => onRequest(socket, request)),
		);
	}, host);
}

/** The head of a streamed reply whose body is chunked. */
export const streamHead =
	'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

/** One chunk of a chunked body. */
export function toHttpChunk(text: string): string {
	return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

export const lastHttpChunk = '0\r\n\r\n';

/** An event of a stream whose delta has this text. */
export function toEvent(content: string, finishReason: string | null = null): string {
	const choices = [{index: 0, delta: {content}, finish_reason: finishReason}];
	return `data: ${JSON.stringify({id: 'c', model: 'm', choices})}\n\n`;
}

/** Limits longer than a test may take: whatever waits for one fails. */
export const wideLimits: ServiceConnection['limits'] = {
	connectMs: 600_000,
	idleMs: 600_000,
	payloadMs: 600_000,
	finishGraceMs: 600_000,
	maxRetries: 0,
};

export type AskOptions = {
	readonly limits?: Partial<ServiceConnection['limits']>;
	readonly signal?: AbortSignal;
	readonly options?: Partial<ChatOptions>;
	readonly prompt?: string;
	readonly connection?: Partial<ServiceConnection>;
};

/** One turn, asked of the service at this address. */
export function ask(
	url: URL,
	{limits, signal, options, prompt = 'Hello?', connection}: AskOptions = {},
): AsyncGenerator<ChatEventBatch, void, undefined> {
	return runTurn({
		conversation: openConversation(prompt),
		options: {model: 'm-test', isStreaming: true, ...options},
		streamChat: createStreamChat({
			wire: createChatCompletions(url),
			limits: {...wideLimits, ...limits},
			...connection,
		}),
		signal: signal ?? new AbortController().signal,
	});
}

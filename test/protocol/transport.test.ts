/** One request over a real socket: how it goes out, and all the ways it can fail. */
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {readErrorText} from '../../src/protocol/http/exchange.ts';
import type {HttpReply} from '../../src/protocol/http/transport.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import type {RecordedRequest} from '../helpers/request-reader.ts';
import {
	ask,
	lastHttpChunk,
	type RawServer,
	startRawServer,
	startRequestServer,
	streamHead,
	toEvent,
	toHttpChunk,
} from './raw-server.ts';

const stop = new ChatError('interrupted', 'stopped by the user', {signal: 'SIGINT'});

/** The whole of a streamed reply that says this. */
const wholeStream = (text: string) =>
	`${streamHead}${toHttpChunk(toEvent(text, 'stop'))}${toHttpChunk('data: [DONE]\n\n')}${lastHttpChunk}`;

/** Resolves when the one connection of the server is gone. */
const disconnected = (raw: RawServer) => expect.poll(() => raw.sockets.size).toBe(0);

describe('an abort', () => {
	it('during the handshake ends the turn with its reason', async () => {
		const controller = new AbortController();
		const server = await startRawServer(() => controller.abort(stop));
		const url = new URL(server.url);
		url.protocol = 'https:';
		expect((await collectTurn(ask(url, {signal: controller.signal}))).error).toBe(stop);
		await disconnected(server);
	});

	it('of an error body ends the turn with its reason', async () => {
		const controller = new AbortController();
		const server = await startRequestServer((socket) => {
			socket.write('HTTP/1.1 500 Oh\r\ncontent-length: 100\r\n\r\n{"error"', () =>
				controller.abort(stop),
			);
		});
		expect((await collectTurn(ask(server.url, {signal: controller.signal}))).error).toBe(stop);
		await disconnected(server);
	});

	it('leaves no listener on a signal of many turns', async () => {
		const server = await startRequestServer((socket) => socket.end(wholeStream('Hi')));
		const {signal} = new AbortController();
		const warnings: string[] = [];
		const note = ({message}: Error) => void warnings.push(message);
		process.on('warning', note);
		for (let turn = 0; turn < 20; turn++) {
			expect((await collectTurn(ask(server.url, {signal}))).isComplete).toBe(true);
		}
		process.off('warning', note);
		expect(warnings).toEqual([]);
	});
});

describe('a request', () => {
	it('has its headers and the key, which no trace shows', async () => {
		let received: RecordedRequest | undefined;
		const server = await startRequestServer((socket, request) => {
			received = request;
			socket.end(wholeStream('Hi'));
		});
		const connection = {apiKey: 'sk-secret', isVerbose: true};
		const turn = await collectTurn(ask(server.url, {prompt: 'Grüße 🗂️', connection}));
		const {path, headers = {}, body = ''} = received ?? {};
		expect({path, ...headers}).toMatchObject({
			...{path: '/v1/chat/completions', connection: 'close', accept: 'text/event-stream'},
			...{'accept-encoding': 'identity', 'content-type': 'application/json'},
			authorization: 'Bearer sk-secret',
			'content-length': String(Buffer.byteLength(body)),
		});
		expect(headers).not.toHaveProperty('transfer-encoding');
		expect(JSON.parse(body)).toMatchObject({messages: [{content: 'Grüße 🗂️'}]});
		const traces = turn.events
			.flatMap((event) => (event.type === 'trace' ? [event.message] : []))
			.join('\n');
		expect(traces).toMatch(/^> POST http:[\s\S]*authorization[\s\S]*^< 200 after .*s$/m);
		expect(traces).not.toContain('sk-secret');
	});

	it('goes to an IPv6 address in brackets', async () => {
		const server = await startRequestServer((socket) => socket.end(wholeStream('Hi')), '::1');
		expect(server.url.hostname).toBe('[::1]');
		expect((await collectTurn(ask(server.url))).content).toBe('Hi');
	});
});

describe('a connection that fails', () => {
	async function failAt(url: URL, limits = {}) {
		const turn = await collectTurn(ask(url, {limits}));
		expect(turn.events.at(-1)?.type).toBe('error');
		return turn.error;
	}

	/** A server that answers anything with these bytes, then closes. */
	async function failWith(bytes: string | Buffer) {
		const server = await startRawServer((socket) => socket.once('data', () => socket.end(bytes)));
		return failAt(server.url);
	}

	it('without a listener is refused', async () => {
		const server = await startRawServer(() => undefined);
		await server.close();
		expect(await failAt(server.url)).toMatchObject({
			kind: 'unavailable',
			message: expect.stringContaining(`${server.url}: nothing answers`),
			details: {
				...{code: 'ECONNREFUSED', retryable: false},
				hint: 'Is the service running, and are host and port right?',
			},
		});
	});

	it('from https to a port of http is reported as such', async () => {
		const server = await startRawServer((socket) =>
			socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
		);
		const url = new URL(server.url);
		url.protocol = 'https:';
		const error = await failAt(url, {maxRetries: 2});
		expect(error).toMatchObject({kind: 'unavailable', details: {retryable: false, attempts: 1}});
		expect(error?.message).toContain('TLS failed');
		expect(error?.details.hint).toContain('Does the service speak https');
	});

	it('fails because the service switches protocols', async () => {
		const error = await failWith('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
		expect(error?.kind).toBe('unavailable');
		expect(error?.message).toContain('cannot talk to http://127.0.0.1');
	});
});

describe('a reply', () => {
	async function answerWith(text: string) {
		const server = await startRequestServer((socket) => socket.end(text));
		return collectTurn(ask(server.url));
	}

	it('that is longer than its content-length is cut off there', async () => {
		const body = toEvent('Hi', 'stop');
		const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length - 20}\r\n\r\n`;
		const {error} = await answerWith(head + body);
		expect(error).toMatchObject({kind: 'protocol'});
		expect(error?.message).toMatch(/was cut off: the reply is longer than announced/);
	});

	it('of an error before the end of the request is read', async () => {
		const server = await startRawServer((socket) => {
			socket.once('data', () => {
				socket.pause();
				socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 15\r\n\r\n{"error":"big"}');
			});
		});
		const turn = await collectTurn(ask(server.url, {prompt: 'x'.repeat(8_000_000)}));
		expect(turn.error).toMatchObject({kind: 'rejected', details: {status: 413}});
		expect(turn.error?.message).toMatch(/: big$/);
	});

	it('of an endless error is read in part', async () => {
		const part = toHttpChunk('x'.repeat(64 * 1024));
		const server = await startRequestServer((socket) => {
			const more = () => {
				while (!socket.destroyed && socket.write(part));
			};
			socket.on('drain', more);
			socket.write('HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n');
			more();
		});
		const {error} = await collectTurn(ask(server.url));
		expect(error).toMatchObject({kind: 'unavailable', details: {status: 500}});
		await disconnected(server);
	});

	it('that fails in the middle keeps its request id', async () => {
		const head = streamHead.replace('\r\n', '\r\nx-request-id: req_1\r\n');
		const {error} = await answerWith(head + toHttpChunk(toEvent('Hi')) + lastHttpChunk);
		expect(error?.details.requestId).toBe('req_1');
	});

	it('of an error that never ends is read for ten seconds', async () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		let end: (chunks: undefined) => void = () => undefined;
		const reply = {
			read: () =>
				new Promise<undefined>((resolve) => {
					end = resolve;
				}),
			close: () => end(undefined),
		};
		const text = readErrorText(reply as unknown as HttpReply);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await text).toBe('');
	});
});

/** Replies whose small pieces may gather before they are read. */
import {readFileSync} from 'node:fs';
import type {AddressInfo, Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {createServer as createTlsServer} from 'node:tls';
import {gzipSync} from 'node:zlib';
import {afterEach, describe, expect, it, onTestFinished} from 'vitest';
import type {ChatEventBatch} from '../../src/chat/event.ts';
import {ChatError} from '../../src/errors.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {
	ask,
	lastHttpChunk,
	type RawServer,
	startRequestServer,
	streamHead,
	toEvent,
	toHttpChunk,
} from './raw-server.ts';

let server: RawServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const gathering = {connection: {gatherMs: 40}};
const words = Array.from({length: 60}, (_, index) => `${index} `);
const end = toHttpChunk(toEvent('', 'stop')) + toHttpChunk('data: [DONE]\n\n') + lastHttpChunk;

async function writeSlowly(socket: Socket, afterwards: () => void) {
	socket.write(streamHead);
	for (const word of words) {
		socket.write(toHttpChunk(toEvent(word)));
		await sleep(4);
	}
	afterwards();
}

const gzipHead = streamHead.replace('\r\n\r\n', '\r\ncontent-encoding: gzip\r\n\r\n');

describe('a reply that is gathered', () => {
	it('is read in far fewer batches than it comes in pieces, and in whole', async () => {
		server = await startRequestServer((socket) => void writeSlowly(socket, () => socket.end(end)));
		const batches: ChatEventBatch[] = [];
		const turn = collectTurn(
			(async function* () {
				for await (const batch of ask(server.url, gathering)) {
					batches.push(batch);
					yield batch;
				}
			})(),
		);
		expect(await turn).toMatchObject({isComplete: true, content: words.join('')});
		expect(batches.length).toBeLessThan(words.length / 2);
	});

	it('shows its first piece at once', async () => {
		server = await startRequestServer((socket) => {
			socket.write(streamHead + toHttpChunk(toEvent('Hi')));
		});
		const stream = ask(server.url, {connection: {gatherMs: 60_000}});
		expect((await stream.next()).value).toMatchObject([{type: 'step-start'}, {text: 'Hi'}]);
		await stream.return();
	});

	it.each([
		['reset', (socket: Socket) => socket.resetAndDestroy()],
		['closed', (socket: Socket) => socket.destroy()],
	])('keeps all that came before the connection was %s', async (_, cut) => {
		server = await startRequestServer(
			(socket) => void writeSlowly(socket, () => setTimeout(() => cut(socket), 5)),
		);
		const {error, content} = await collectTurn(ask(server.url, gathering));
		expect(content).toBe(words.join(''));
		expect(error?.kind).toBe('incomplete');
	});

	it('keeps all that came before the connection was closed inside a compression', async () => {
		const body = gzipSync(words.map((word) => toEvent(word)).join(''));
		server = await startRequestServer((socket) => {
			socket.write(gzipHead);
			for (const at of [0, 20, 40]) {
				const piece = body.subarray(at, at === 40 ? -8 : at + 20);
				socket.write(`${piece.length.toString(16)}\r\n`);
				socket.write(piece);
				socket.write('\r\n');
			}
			socket.destroySoon();
		});
		const {error, content} = await collectTurn(ask(server.url, gathering));
		expect(content).toBe(words.join(''));
		expect(error?.kind).toBe('incomplete');
	});

	it.each([
		['whole', (socket: Socket) => socket.end(end), undefined],
		['cut', (socket: Socket) => socket.destroy(), 'incomplete'],
	])('comes through TLS as it is: %s', async (_, finish, kind) => {
		const readTls = (name: string) =>
			readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
		const keys = {cert: readTls('server.pem'), key: readTls('server-key.pem')};
		const tlsServer = createTlsServer(keys, (socket) => {
			socket.on('error', () => undefined);
			socket.once(
				'data',
				() => void writeSlowly(socket, () => setTimeout(() => finish(socket), 5)),
			);
		});
		onTestFinished(() => void tlsServer.close());
		await new Promise<void>((resolve) => tlsServer.listen(0, '127.0.0.1', resolve));
		const {port} = tlsServer.address() as AddressInfo;
		const route = {proxy: undefined, certificates: String(readTls('ca.pem'))};
		const {content, error} = await collectTurn(
			ask(new URL(`https://localhost:${port}/v1/chat/completions`), {
				connection: {gatherMs: 40, route},
			}),
		);
		expect([content, error?.kind]).toEqual([words.join(''), kind]);
	});

	it('ends with the reason of an abort while it gathers', async () => {
		const stop = new ChatError('interrupted', 'stopped by the user', {signal: 'SIGINT'});
		const controller = new AbortController();
		server = await startRequestServer((socket) => {
			socket.write(streamHead + toHttpChunk(toEvent('Hi')));
		});
		const connection = {gatherMs: 60_000};
		const stream = ask(server.url, {signal: controller.signal, connection});
		await stream.next();
		const last = stream.next();
		controller.abort(stop);
		expect((await last).value).toEqual([{type: 'error', error: stop}]);
		await expect.poll(() => server?.sockets.size).toBe(0);
	});

	// A pause for each of its reads would take a minute.
	it('is not slowed down when it comes fast', async () => {
		const text = 'word '.repeat(40);
		const count = 4000;
		server = await startRequestServer((socket) => {
			socket.end(streamHead + toHttpChunk(toEvent(text)).repeat(count) + end);
		});
		const {content} = await collectTurn(ask(server.url, {connection: {gatherMs: 2_000}}));
		expect(content.length).toBe(text.length * count);
	});
});

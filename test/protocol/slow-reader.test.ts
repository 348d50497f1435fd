/** Replies that are read slower than they come, as a screen reads them. */
import type {Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {ChatEventBatch} from '../../src/chat/event.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {
	ask,
	lastHttpChunk,
	startRequestServer,
	streamHead,
	toEvent,
	toHttpChunk,
} from './raw-server.ts';

/** Waits after each batch. */
async function* readSlowly(
	stream: AsyncIterable<ChatEventBatch>,
): AsyncGenerator<ChatEventBatch, void, undefined> {
	for await (const batch of stream) {
		yield batch;
		await sleep(40);
	}
}

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

describe('a reply to a slow reader', () => {
	it('comes whole, in far fewer batches than pieces', async () => {
		const server = await startRequestServer(
			(socket) => void writeSlowly(socket, () => socket.end(end)),
		);
		const {events, content, isComplete} = await collectTurn(readSlowly(ask(server.url)));
		expect({content, isComplete}).toEqual({content: words.join(''), isComplete: true});
		const reads = events.filter(({type}) => type === 'text-delta');
		expect(reads.length).toBeLessThan(words.length / 2);
	});

	it('keeps all that came before the connection was reset', async () => {
		const server = await startRequestServer(
			(socket) => void writeSlowly(socket, () => setTimeout(() => socket.resetAndDestroy(), 5)),
		);
		const {error, content} = await collectTurn(readSlowly(ask(server.url)));
		expect(content).toBe(words.join(''));
		expect(error?.kind).toBe('incomplete');
	});

	it('keeps all that came before the connection was closed inside a compression', async () => {
		const body = gzipSync(words.map((word) => toEvent(word)).join(''));
		const server = await startRequestServer((socket) => {
			socket.write(gzipHead);
			for (const at of [0, 20, 40]) {
				const piece = body.subarray(at, at === 40 ? -8 : at + 20);
				socket.write(`${piece.length.toString(16)}\r\n`);
				socket.write(piece);
				socket.write('\r\n');
			}
			socket.destroySoon();
		});
		const {error, content} = await collectTurn(readSlowly(ask(server.url)));
		expect(content).toBe(words.join(''));
		expect(error?.kind).toBe('incomplete');
	});
});

/** Bodies that a server compresses although nobody asked it to. */
import {IncomingMessage} from 'node:http';
import {Socket} from 'node:net';
import {promisify} from 'node:util';
import {
	brotliCompressSync,
	brotliDecompressSync,
	constants,
	deflate,
	deflateSync,
	gzipSync,
	unzipSync,
} from 'node:zlib';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openBody} from '../../src/protocol/http/content-encoding.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {startReplayServer} from '../helpers/replay-server.ts';
import {ask, toEvent} from './raw-server.ts';

/** Text that does not shrink to nothing, so that a cut leaves some of it. */
const words = Array.from({length: 120}, (_, i) => `${i * 7919}-`);
const text = words.join('');
const stream = `${words.map((word) => toEvent(word)).join('')}${toEvent('', 'stop')}data: [DONE]\n\n`;
/** A stream that shows neither end mark nor finish reason. */
const literal = words
	.map((content) => `data: ${JSON.stringify({choices: [{index: 0, delta: {content}}]})}\n\n`)
	.join('');

async function receive(encoding: string, body: Uint8Array, reply: Partial<ReplayReply> = {}) {
	const server = await startReplayServer([
		{
			status: 200,
			headers: {'content-type': 'text/event-stream', 'content-encoding': encoding},
			bodyChunks: [body.subarray(0, 100), body.subarray(100)],
			framing: 'chunked',
			chunkDelayMs: 1,
			...reply,
		},
	]);
	onTestFinished(() => server.close());
	return collectTurn(ask(server.url));
}

type Encoder = readonly [
	encoding: string,
	compress: (text: string) => Buffer,
	/** All that can be read of a body that is cut. */
	decodeStart: (cut: Uint8Array) => Buffer,
];

const unzipStart = (cut: Uint8Array) => unzipSync(cut, {finishFlush: constants.Z_SYNC_FLUSH});

const encoders: readonly Encoder[] = [
	['gzip', gzipSync, unzipStart],
	['deflate', deflateSync, unzipStart],
	[
		'br',
		brotliCompressSync,
		(cut) => brotliDecompressSync(cut, {finishFlush: constants.BROTLI_OPERATION_FLUSH}),
	],
];

/** The words whose events are all in this part of the stream. */
const textIn = (part: string) =>
	words.filter((word) => part.includes(toEvent(word).trim())).join('');

describe('a compressed reply', () => {
	it.each(encoders)('of %s is read', async (encoding, compress) => {
		const names = encoding === 'gzip' ? ['x-gzip', 'GZIP'] : [encoding];
		for (const name of names) {
			const turn = await receive(name, compress(stream));
			expect(turn).toMatchObject({content: text, isComplete: true, notices: []});
		}
	});

	it.each(encoders)(
		'of %s that is cut is incomplete, and the text is kept',
		async (encoding, compress, decodeStart) => {
			const whole = compress(stream);
			const cut = whole.subarray(0, whole.length / 2);
			for (const end of ['clean', 'reset'] as const) {
				const turn = await receive(encoding, cut, {end});
				expect([turn.isComplete, turn.error?.kind], end).toEqual([false, 'incomplete']);
				expect(turn.content, end).toBe(textIn(decodeStart(cut).toString()));
				expect(turn.content.length, end).toBeGreaterThan(100);
			}
			const unmarked = compress(literal);
			expect((await receive(encoding, unmarked)).isComplete).toBe(true);
			const {error} = await receive(encoding, unmarked.subarray(0, -4));
			expect(error?.kind).toBe('incomplete');
		},
	);

	it.each([
		['bytes after its end', (whole: Buffer) => Buffer.concat([whole, Buffer.from('and more\r\n')])],
		['a wrong checksum', (whole: Buffer) => whole.fill(0, whole.length - 8, whole.length - 4)],
	])('with %s keeps a finished answer', async (_, spoil) => {
		expect(await receive('gzip', spoil(gzipSync(stream)))).toMatchObject({
			content: text,
			isComplete: true,
		});
	});

	it('that breaks before its first byte reports the broken connection', async () => {
		const {error} = await receive('gzip', Buffer.alloc(0), {end: 'reset'});
		expect(error).toMatchObject({kind: 'unavailable', details: {retryable: true}});
		expect(error?.message).toContain('the connection broke');
	});

	it.each(['gzip', 'br'])('with a wrong encoding %s is reported', async (encoding) => {
		const {error, content} = await receive(encoding, Buffer.from(stream));
		expect(content).toBe('');
		expect(error?.kind).toBe('protocol');
		expect(error?.message).toContain('the compressed reply is broken');
	});

	it.each(['identity', '__proto__'])('that says %j passes as it is', async (encoding) => {
		expect(await receive(encoding, Buffer.from(stream))).toMatchObject({
			content: text,
			isComplete: true,
		});
	});

	it('in an unknown encoding is named in the error', async () => {
		const {error} = await receive('zstd', Buffer.from('28b52ffd2458a90000', 'hex'));
		expect(error?.kind).toBe('protocol');
		expect(error?.message).toContain(
			'not a chat completion: bytes that are not text, with the content encoding zstd',
		);
		expect(error?.details.hint).toContain('Is this the base URL of a chat-completions service?');
	});
});

const mebibyte = 1024 * 1024;

/** 16 MiB in a few bytes. */
const bomb = brotliCompressSync(Buffer.alloc(16 * mebibyte), {
	params: {[constants.BROTLI_PARAM_QUALITY]: 1},
});

function readBomb() {
	const response = new IncomingMessage(new Socket());
	response.headers['content-encoding'] = 'br';
	const body = openBody(response, () => undefined);
	response.push(bomb);
	response.push(null);
	return body;
}

const sizeOf = (chunks: readonly Uint8Array[] = []) =>
	chunks.reduce((sum, {length}) => sum + length, 0);

describe('a reply that inflates to far more than its size', () => {
	const compress = promisify(deflate);

	async function readAll({queue}: ReturnType<typeof readBomb>) {
		let size = 0;
		for (let chunks = await queue.read(); chunks !== undefined; chunks = await queue.read()) {
			size += sizeOf(chunks);
		}
		return size;
	}

	it('waits while nothing is read', async () => {
		const body = readBomb();
		await expect.poll(() => body.queue.isPaused).toBe(true);
		// Long enough to inflate all of it.
		for (let turn = 0; turn < 8; turn++) await compress(Buffer.alloc(2 * mebibyte));
		const first = sizeOf(await body.queue.read());
		expect(first).toBeLessThan(2 * mebibyte);
		expect(first + (await readAll(body))).toBe(16 * mebibyte);
		expect(body.queue.failure).toBeUndefined();
	});

	it('ends soon after the connection has failed', async () => {
		const body = readBomb();
		body.fail('broken');
		expect(await readAll(body)).toBeLessThan(6 * mebibyte);
		expect(body.queue.failure).toBe('broken');
	});

	it('ends when its reader stops', async () => {
		const body = readBomb();
		await body.queue.read();
		body.close();
		expect(await readAll(body)).toBeLessThan(2 * mebibyte);
	});
});

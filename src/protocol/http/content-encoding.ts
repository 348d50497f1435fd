/**
 * Opens a response body as a queue, decompressed. No compression was requested, but some proxies
 * compress all the same.
 */
import type {IncomingMessage} from 'node:http';
import {createRequire} from 'node:module';
import type {Readable, Transform} from 'node:stream';
import {ChatError} from '../../errors.ts';
import {type ByteQueue, createByteQueue} from './byte-queue.ts';

const require = createRequire(import.meta.url);

type Zlib = typeof import('node:zlib');

/** Decoders by `content-encoding` name; other encodings pass unchanged. */
const decoders: Readonly<Record<string, (zlib: Zlib) => Transform>> = {
	gzip: (zlib) => zlib.createGunzip(),
	'x-gzip': (zlib) => zlib.createGunzip(),
	deflate: (zlib) => zlib.createInflate(),
	br: (zlib) => zlib.createBrotliDecompress(),
};

export type Body = {
	/** Ends with a failure if the body is cut off or its compression is broken. */
	readonly queue: ByteQueue;
	/** Ends the queue with this failure, after all received bytes. */
	fail(failure: unknown): void;
	/** Stops reading. */
	close(): void;
};

export function openBody(response: IncomingMessage, onActivity: () => void): Body {
	const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
	const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
	const decoder = create?.(require('node:zlib'));
	const queue = createByteQueue(decoder ?? response, onActivity);
	const {write, end, close} =
		decoder === undefined ? toQueue(queue) : throughDecoder(decoder, response, queue);
	const fail = (failure: unknown) => {
		response.off('data', write);
		drain(response, write);
		end(failure);
	};
	response.on('error', fail);
	response.on('data', write);
	response.on('end', () => end(undefined));
	return {queue, fail, close};
}

/** A failing paused stream drops its buffer. */
function drain(stream: Readable, write: (chunk: Uint8Array) => void): void {
	for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) write(chunk);
}

/** Where a body's bytes go. */
type Sink = {
	write(chunk: Uint8Array): void;
	/** Nothing follows. Only the first call counts. */
	end(failure: unknown): void;
	close(): void;
};

function toQueue(queue: ByteQueue): Sink {
	return {write: queue.push, end: queue.end, close: () => undefined};
}

/** Longer than any answer: a few kilobytes can inflate to terabytes. */
const maxInflatedBytes = 256 * 1024 * 1024;

/** Limit for what is still inflated once the reply has failed or was stopped. */
const maxTailBytes = 4 * 1024 * 1024;

/**
 * Ends the decoder only after decoding the last chunk: an earlier end would drop that chunk in
 * cut-off data.
 */
function throughDecoder(decoder: Transform, response: IncomingMessage, queue: ByteQueue): Sink {
	let pending = 0;
	let isOver = false;
	let failure: unknown;
	let allowance = maxInflatedBytes;
	const settle = () => {
		pending--;
		if (isOver && pending === 0 && !decoder.destroyed) decoder.end();
	};
	decoder.on('data', (chunk: Uint8Array) => {
		queue.push(chunk);
		allowance -= chunk.length;
		if (allowance < 0) decoder.destroy(tooLargeError());
	});
	decoder.on('drain', () => response.resume());
	decoder.on('end', () => queue.end(failure));
	decoder.on('error', (error) => {
		drain(decoder, queue.push);
		queue.end(failure ?? error);
	});
	return {
		write(chunk) {
			for (const piece of cutForDecoder(chunk)) {
				pending++;
				if (!decoder.write(piece, settle)) response.pause();
			}
		},
		end(reason) {
			if (isOver) return;
			isOver = true;
			failure = reason;
			if (reason !== undefined) allowance = Math.min(allowance, maxTailBytes);
			pending++;
			settle();
		},
		close() {
			decoder.destroy();
			queue.end(undefined);
		},
	};
}

function tooLargeError(): ChatError {
	return new ChatError('protocol', 'the compressed reply is too large: over 256 MiB of text');
}

/** A compressor writes this when flushing: more data follows. */
const flushMark = Buffer.from([0, 0, 0xff, 0xff]);

const tailLength = 128;
const pieceLength = 8;

/**
 * Cuts a chunk's end into small pieces. A failing decoder drops the failing write's output, and a
 * wrong checksum or surplus bytes must not cost the answer before them.
 */
function cutForDecoder(chunk: Uint8Array): readonly Uint8Array[] {
	if (flushMark.equals(chunk.subarray(-flushMark.length))) return [chunk];
	const tail = Math.max(0, chunk.length - tailLength);
	const pieces = tail === 0 ? [] : [chunk.subarray(0, tail)];
	for (let start = tail; start < chunk.length; start += pieceLength) {
		pieces.push(chunk.subarray(start, start + pieceLength));
	}
	return pieces;
}

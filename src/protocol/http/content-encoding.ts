/**
 * The body of a response as a queue, without a compression that was not asked for but may come all
 * the same.
 */
import type {IncomingMessage} from 'node:http';
import {createRequire} from 'node:module';
import type {Readable, Transform} from 'node:stream';
import {ChatError} from '../../errors.ts';
import {type ByteQueue, createByteQueue} from './byte-queue.ts';

const require = createRequire(import.meta.url);

type Zlib = typeof import('node:zlib');

/** By the name in `content-encoding`; identity and unknown ones pass as they are. */
const decoders: Readonly<Record<string, (zlib: Zlib) => Transform>> = {
	gzip: (zlib) => zlib.createGunzip(),
	'x-gzip': (zlib) => zlib.createGunzip(),
	deflate: (zlib) => zlib.createInflate(),
	br: (zlib) => zlib.createBrotliDecompress(),
};

export type Body = {
	/** Ends with a failure if the body is cut or broken inside its compression. */
	readonly queue: ByteQueue;
	/** Ends the body early: the queue ends with this failure, after all that has arrived. */
	fail(failure: unknown): void;
	/** Nobody reads on. */
	close(): void;
};

export function readBody(response: IncomingMessage, onActivity: () => void): Body {
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

/** A stream that is paused may hold something back, and drops it when it fails. */
function drain(stream: Readable, write: (chunk: Uint8Array) => void): void {
	for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) write(chunk);
}

/** Where the bytes of a body go. */
type Sink = {
	write(chunk: Uint8Array): void;
	/** Nothing follows. Only the first call counts. */
	end(failure: unknown): void;
	close(): void;
};

function toQueue(queue: ByteQueue): Sink {
	return {
		write: (chunk) => queue.push(chunk),
		end: (failure) => queue.end(failure),
		close: () => undefined,
	};
}

/** No answer is that long; a few kilobytes can inflate to terabytes. */
const maxInflatedBytes = 256 * 1024 * 1024;

/** Limit of what a compression still gives once its reply has failed or was stopped. */
const maxTailBytes = 4 * 1024 * 1024;

/**
 * A decoder that is ended before it is done with its last chunk treats that one as the end of its
 * data, and drops it whole if it is not. So its end waits.
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

/** A compressor writes this to flush: more data follows. */
const flushMark = Buffer.from([0, 0, 0xff, 0xff]);

const tailLength = 128;
const pieceLength = 8;

/**
 * When a decoder fails, it drops all that the failing write gave. A wrong checksum, or bytes after
 * the data, must not cost the answer before them: the end of a chunk goes in small pieces.
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

/**
 * Moves a response body into a queue, undoing a compression that was not asked for but may come
 * all the same.
 */
import type {IncomingMessage} from 'node:http';
import {createRequire} from 'node:module';
import type {Transform} from 'node:stream';
import type {ByteQueue} from './byte-queue.ts';

const require = createRequire(import.meta.url);

type Zlib = typeof import('node:zlib');

/** By the name in `content-encoding`; identity and unknown ones pass as they are. */
const decoders: Readonly<Record<string, (zlib: Zlib) => Transform>> = {
	gzip: (zlib) => zlib.createGunzip(),
	'x-gzip': (zlib) => zlib.createGunzip(),
	deflate: (zlib) => zlib.createInflate(),
	br: (zlib) => zlib.createBrotliDecompress(),
};

/** Where the bytes of a body go. */
type Sink = {
	write(chunk: Uint8Array): void;
	/** Nothing follows. Only the first call counts. */
	end(failure: unknown): void;
};

/**
 * Moves the body into the queue. One that was cut inside its compression ends with a failure.
 *
 * @returns ends the body early: the queue ends with this failure, behind all that has arrived
 */
export function decompress(
	response: IncomingMessage,
	queue: ByteQueue,
): (failure: unknown) => void {
	const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
	const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
	const decoder = create?.(require('node:zlib'));
	const {write, end} = decoder === undefined ? toQueue(queue) : throughDecoder(decoder, queue);
	/** A response that is paused may hold something back. */
	const drain = () => {
		response.off('data', write);
		for (let chunk = response.read(); chunk !== null; chunk = response.read()) write(chunk);
	};
	const fail = (failure: unknown) => {
		drain();
		end(failure);
	};
	response.on('error', fail);
	response.on('data', write);
	response.on('end', () => end(undefined));
	return fail;
}

function toQueue(queue: ByteQueue): Sink {
	return {write: (chunk) => queue.push(chunk), end: (failure) => queue.end(failure)};
}

/**
 * A decoder that is ended before it is done with its last chunk treats that one as the end of its
 * data, and drops it whole if it is not. So its end waits.
 */
function throughDecoder(decoder: Transform, queue: ByteQueue): Sink {
	let pending = 0;
	let isOver = false;
	let failure: unknown;
	const settle = () => {
		if (isOver && pending === 0 && !decoder.destroyed) decoder.end();
	};
	decoder.on('data', (chunk: Uint8Array) => queue.push(chunk));
	decoder.on('end', () => queue.end(failure));
	decoder.on('error', (error) => queue.end(failure ?? error));
	return {
		write(chunk) {
			pending++;
			decoder.write(chunk, () => {
				pending--;
				settle();
			});
		},
		end(reason) {
			if (isOver) return;
			isOver = true;
			failure = reason;
			settle();
		},
	};
}

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

/** A body that was cut inside its compression ends the queue with a failure. */
export function decompress(response: IncomingMessage, queue: ByteQueue): void {
	const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
	const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
	const decoder = create?.(require('node:zlib'));
	if (decoder === undefined) {
		response.on('error', (error) => queue.end(error));
		response.on('data', (chunk: Uint8Array) => queue.push(chunk));
		response.on('end', () => queue.end(undefined));
		return;
	}
	decoder.on('data', (chunk: Uint8Array) => queue.push(chunk));
	decoder.on('end', () => queue.end(undefined));
	decoder.on('error', (error) => queue.end(error));
	response.on('error', () => decoder.end());
	response.on('data', (chunk: Uint8Array) => decoder.write(chunk));
	response.on('end', () => decoder.end());
}

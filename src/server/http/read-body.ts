/** Reads the body of a request, as long as it is JSON and not too large. */
import type {IncomingMessage} from 'node:http';
import {ServiceError} from '../service-error.ts';

/**
 * @param beforeReading Called once the headers are fine, for `Expect: 100-continue`.
 * @throws {ServiceError} 415 for another content type, 413 over `maxBytes`; the rest is not read.
 */
export async function readBody(
	request: IncomingMessage,
	maxBytes: number,
	beforeReading: () => void,
): Promise<Uint8Array> {
	checkContentType(request.headers['content-type']);
	if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	beforeReading();
	return await collect(request, maxBytes);
}

function checkContentType(contentType = ''): void {
	if (contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json') return;
	const actual = contentType === '' ? 'missing' : JSON.stringify(contentType.slice(0, 80));
	const message = `the content type must be application/json; it is ${actual}`;
	throw new ServiceError(415, message, {code: 'unsupported_media_type'});
}

/** Listeners, not `for await`: leaving that loop would destroy the socket before the 413. */
function collect(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		const pieces: Buffer[] = [];
		let length = 0;
		const onData = (piece: Buffer) => {
			length += piece.length;
			pieces.push(piece);
			if (length <= maxBytes) return;
			request.off('data', onData);
			reject(tooLarge(maxBytes));
		};
		request.on('data', onData);
		request.once('end', () => resolve(Buffer.concat(pieces)));
		request.once('error', reject);
		request.once('close', () => reject(new Error('the client left before the end of its body')));
	});
}

function tooLarge(maxBytes: number): ServiceError {
	const message = `the body is larger than ${Math.floor(maxBytes / 1024)} KiB`;
	return new ServiceError(413, message, {code: 'request_too_large', closesConnection: true});
}

/** Reads a request body as JSON, and refuses anything else or too much. */
import type {IncomingMessage} from 'node:http';
import {isJsonObject, type JsonObject, parseJson} from '../../json.ts';
import {invalidRequest, ServiceError} from '../service-error.ts';

/** Parsing millions of tiny values would take seconds, and gigabytes. */
const maxValues = 250_000;

/** @throws {ServiceError} 415 for another content type, 413 over `maxBytes`; the rest is not read. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
	checkContentType(request.headers['content-type']);
	if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	return await collect(request, maxBytes);
}

/** @throws {ServiceError} 400 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
	if (countValues(bytes) > maxValues) throw invalid(`has more than ${maxValues} values`);
	const value = parseJson(decode(bytes));
	if (value === undefined) throw invalid('is not valid JSON, or is nested too deep');
	if (!isJsonObject(value)) throw invalid('must be a JSON object');
	return value;
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
		request.once('close', () => reject(new Error('the client left before its body ended')));
	});
}

function tooLarge(maxBytes: number): ServiceError {
	const message = `the body is larger than ${Math.floor(maxBytes / 1024)} KiB`;
	return new ServiceError(413, message, {code: 'request_too_large'});
}

function invalid(reason: string): ServiceError {
	return invalidRequest(null, `the body ${reason}`, 'invalid_json');
}

function decode(bytes: Uint8Array): string {
	try {
		return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
	} catch {
		throw invalid('is not valid UTF-8');
	}
}

const quote = 0x22;
const backslash = 0x5c;
/** A comma, an opening bracket or an opening brace. */
const separators: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);

/** Counts values, at least as many as there are. */
function countValues(bytes: Uint8Array): number {
	let count = 1;
	let isInString = false;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at] ?? 0;
		if (byte === backslash) at += 1;
		else if (byte === quote) isInString = !isInString;
		else if (!isInString && separators.has(byte)) count += 1;
	}
	return count;
}

/** The bytes of a request as JSON; those that are not, or that are too much, end here with a 400. */
import {isJsonObject, type JsonObject} from '../json.ts';
import {invalidRequest, type ServiceError} from './service-error.ts';

/** Deeper bodies would overflow the stack of whatever walks them later. */
const maxDepth = 128;

/** Parsing millions of tiny values would take seconds, and gigabytes. */
const maxValues = 250_000;

/**
 * The object that a request body holds.
 *
 * @throws {ServiceError} 400 when it is not valid, not an object, or has too many levels or values.
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
	checkSize(bytes);
	const value = parse(decode(bytes));
	if (!isJsonObject(value)) {
		throw invalidRequest(null, 'the body must be a JSON object', 'invalid_json');
	}
	return value;
}

function decode(bytes: Uint8Array): string {
	try {
		return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
	} catch {
		throw invalidRequest(null, 'the body is not valid UTF-8', 'invalid_json');
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The engine's message may quote the body; the sender knows what it sent.
		throw invalidRequest(null, 'the body is not valid JSON', 'invalid_json');
	}
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** @throws {ServiceError} 400 */
function checkSize(bytes: Uint8Array): void {
	let depth = 0;
	let values = 0;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at] ?? 0;
		if (byte === quote) at = endOfString(bytes, at);
		else if (byte === comma) values += 1;
		else if (closers.has(byte)) depth -= 1;
		else if (openers.has(byte)) {
			depth += 1;
			values += 1;
		}
		if (depth > maxDepth) throw tooLarge(`is nested deeper than ${maxDepth} levels`);
		if (values > maxValues) throw tooLarge(`has more than ${maxValues} values`);
	}
}

function tooLarge(reason: string): ServiceError {
	return invalidRequest(null, `the body ${reason}`, 'invalid_json');
}

function endOfString(bytes: Uint8Array, start: number): number {
	let at = start + 1;
	while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
	return at;
}

/** The bytes of a request as JSON; those that are not, or that are too much, end here with a 400. */
import {isJsonObject, type JsonObject, parseJson} from '../../json.ts';
import {invalidRequest, type ServiceError} from '../service-error.ts';

/** Parsing millions of tiny values would take seconds, and gigabytes. */
const maxValues = 250_000;

/**
 * The object that a request body holds.
 *
 * @throws {ServiceError} 400
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
	if (countValues(bytes) > maxValues) throw invalid(`has more than ${maxValues} values`);
	const value = parseJson(decode(bytes));
	if (value === undefined) throw invalid('is not valid JSON, or is nested too deep');
	if (!isJsonObject(value)) throw invalid('must be a JSON object');
	return value;
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
/** A comma, and the brackets that open an array or an object. */
const separators: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);

/** At least as many as there are. */
function countValues(bytes: Uint8Array): number {
	let count = 1;
	for (let at = 0; at < bytes.length; at += 1) {
		const byte = bytes[at] ?? 0;
		if (byte === quote) at = findEndOfString(bytes, at);
		else if (separators.has(byte)) count += 1;
	}
	return count;
}

function findEndOfString(bytes: Uint8Array, start: number): number {
	let at = start + 1;
	while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
	return at;
}

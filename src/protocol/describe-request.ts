/** Describes a request for a person to read, without its secrets. */
import type {StepRequest} from '../chat/stream-chat.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {redactUrl} from '../redact.ts';
import {createRequestHeaders, type ServiceConnection} from './service-connection.ts';

/** Data in the body is shortened. The values of all headers that carry settings are hidden. */
export function describeRequest(connection: ServiceConnection, request: StepRequest): JsonObject {
	const {wire, apiKey} = connection;
	const encoded = wire.encode(request);
	const headers = Object.entries(createRequestHeaders(connection, encoded));
	const hidden = wire.headers(apiKey);
	return {
		method: 'POST',
		url: redactUrl(wire.url),
		headers: Object.fromEntries(
			headers.map(([name, value]) => [name, Object.hasOwn(hidden, name) ? '[redacted]' : value]),
		),
		body: shortenData(JSON.parse(encoded.body) as JsonValue),
	};
}

const dataUrl = /^data:[\w.+-]+\/[\w.+-]+;base64,/;
const maxDataLength = 32;

/** Shortens base64: in `data:` URLs, and in fields called `data`. */
function shortenData(value: JsonValue, name = ''): JsonValue {
	if (typeof value === 'string') {
		const [start] = dataUrl.exec(value) ?? (name === 'data' ? [''] : []);
		return start === undefined ? value : start + shortenBase64(value.slice(start.length));
	}
	if (Array.isArray(value)) return value.map((item) => shortenData(item));
	if (!isJsonObject(value)) return value;
	const fields = Object.entries(value);
	return Object.fromEntries(fields.map(([field, item]) => [field, shortenData(item, field)]));
}

function shortenBase64(text: string): string {
	if (text.length <= maxDataLength) return text;
	return `${text.slice(0, maxDataLength)}… (${Buffer.byteLength(text, 'base64')} bytes)`;
}

/** Describes a request for a person to read, without its secrets. */
import type {StepRequest} from '../chat/stream-chat.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {redactUrl} from '../redact.ts';
import {ownHeaders} from './http/exchange.ts';
import {createRequestHeaders, type ServiceConnection} from './service-connection.ts';

/** Shortens data in the body. Hides queries, and values of headers set by the user. */
export function describeRequest(connection: ServiceConnection, request: StepRequest): JsonObject {
	const {wire, apiKey} = connection;
	const encoded = wire.encode(request);
	const headers = Object.entries({...ownHeaders, ...createRequestHeaders(connection, encoded)});
	const hidden = wire.headers(apiKey);
	return {
		wire: wire.name,
		method: 'POST',
		url: redactUrl(wire.url),
		headers: Object.fromEntries(
			headers.map(([name, value]) => [name, Object.hasOwn(hidden, name) ? '[redacted]' : value]),
		),
		body: showValue(JSON.parse(encoded.body) as JsonValue),
	};
}

const dataUrl = /^data:[\w.+-]+\/[\w.+-]+;base64,/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const maxDataLength = 32;

function showValue(value: JsonValue, name = ''): JsonValue {
	if (typeof value === 'string') return showText(value, name);
	if (Array.isArray(value)) return value.map((item) => showValue(item));
	if (!isJsonObject(value)) return value;
	const fields = Object.entries(value);
	return Object.fromEntries(fields.map(([field, item]) => [field, showValue(item, field)]));
}

/** Shortens base64, in `data:` URLs and in fields called `data`. */
function showText(text: string, name: string): string {
	const isData = name === 'data' && base64.test(text);
	const [start] = isData ? [''] : (dataUrl.exec(text) ?? []);
	if (start !== undefined) return start + shortenBase64(text.slice(start.length));
	return name === 'url' && URL.canParse(text) ? redactUrl(new URL(text)) : text;
}

function shortenBase64(text: string): string {
	if (text.length <= maxDataLength) return text;
	return `${text.slice(0, maxDataLength)}… (${Buffer.byteLength(text, 'base64')} bytes)`;
}

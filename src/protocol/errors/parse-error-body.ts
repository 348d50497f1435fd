/**
 * Finds the message in any error body: nested, flat, a string, a list, JSON inside a string, HTML,
 * plain text.
 */
import {
	asArray,
	asNumber,
	asObject,
	asText,
	type JsonObject,
	type JsonValue,
	parseJson,
} from '../../json.ts';
import {shorten} from '../../wording.ts';

export type ParsedError = {
	/** Empty without one. */
	readonly message: string;
	readonly code: string | undefined;
	readonly type: string | undefined;
	/** The request field named as the cause. */
	readonly param: string | undefined;
	/** HTTP status, or a status in the body, 400 to 599. */
	readonly status: number | undefined;
	/** A constant in Google's errors, such as `API_KEY_INVALID`. */
	readonly reason: string | undefined;
	/** Google's requested delay, such as `2.5s`. */
	readonly retryDelay: string | undefined;
	/** The code or the type names an overload or a rate limit. */
	readonly isOverloaded: boolean;
	/** The body is a web page. */
	readonly isPage: boolean;
};

const maxMessageLength = 500;
const maxDepth = 8;

/** Reads an error body with an HTTP error status. */
export function readErrorBody(body: string): ParsedError {
	const json = parseJson(body.trim());
	if (json !== undefined) return readErrorPayload(json);
	const isPage = body.trimStart().startsWith('<');
	return {...readErrorPayload(null), message: plainMessage(body, isPage), isPage};
}

/** Reads a JSON value known to report an error. */
export function readErrorPayload(payload: JsonValue): ParsedError {
	const outer = asObject(payload) ?? asObject(asArray(payload)?.[0]);
	const source = asObject(outer?.['error']) ?? outer;
	const named = source?.['code'] ?? source?.['status'] ?? source?.['statusCode'];
	const code = named ?? asNumber(source?.['error']);
	// Some services send the status as a text.
	const isNumber = typeof code === 'number' || /^\d{3}$/.test(asText(code) ?? '');
	const status = isNumber ? Number(code) : undefined;
	const details = (asArray(source?.['details']) ?? []).map(asObject);
	const findDetail = (key: string) => details.flatMap((detail) => asText(detail?.[key]) ?? [])[0];
	const type = asText(source?.['type']);
	return {
		message: shorten(findMessage(payload, 0) ?? '', maxMessageLength),
		code: asText(code) ?? status?.toString(),
		type,
		param: asText(source?.['param']),
		status: status !== undefined && status >= 400 && status < 600 ? status : undefined,
		reason: findDetail('reason'),
		retryDelay: findDetail('retryDelay'),
		isOverloaded: /overloaded|rate_?limit|resource_exhausted/i.test(`${type} ${asText(code)}`),
		isPage: false,
	};
}

/** Possible message fields, most reliable first. */
const messageKeys = [
	...['error', 'message', 'detail', 'errors', 'msg', 'error_description', 'title'],
	// Portkey.
	'html-message',
];

function findMessage(value: JsonValue | undefined, depth: number): string | undefined {
	if (value === undefined || depth > maxDepth) return undefined;
	if (typeof value === 'string') return unwrapText(value.trim(), depth);
	const list = asArray(value)?.slice(0, 5);
	if (list !== undefined) {
		const messages = list.flatMap((item) => findMessage(item, depth + 1) ?? []);
		return messages.length === 0 ? undefined : messages.join('; ');
	}
	const object = asObject(value);
	if (object === undefined) return undefined;
	const inPlace = [asObject(object['metadata'])?.['raw'], locatedMessage(object)];
	for (const part of [...inPlace, ...messageKeys.map((key) => object[key])]) {
		const message = findMessage(part, depth + 1);
		if (message !== undefined) return message;
	}
	return undefined;
}

/** Some gateways put the whole upstream body into the message, as JSON text. */
function unwrapText(text: string, depth: number): string | undefined {
	const inner = /^[{[]/.test(text) ? parseJson(text) : undefined;
	return findMessage(inner, depth + 1) ?? asText(text);
}

/** Turns `{loc: ['body', 'model'], msg: 'Field required'}` into `body.model: Field required`. */
function locatedMessage(object: JsonObject): string | undefined {
	const place = asArray(object['loc']);
	const message = asText(object['msg']);
	if (place === undefined || message === undefined) return undefined;
	const steps = place.filter((step) => typeof step === 'string' || typeof step === 'number');
	return `${steps.join('.')}: ${message}`;
}

function plainMessage(body: string, isPage: boolean): string {
	const head = body.slice(0, 64 * 1024);
	const title = /<title[^<>]*>([^<]*)<\/title/i.exec(head) ?? /<h1[^<>]*>([^<]*)<\/h1/i.exec(head);
	const words = isPage ? head.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ') : head;
	const [line = ''] = (title?.[1] ?? words).trim().split(/\r\n|\r|\n/, 1);
	return shorten(line, maxMessageLength);
}

/**
 * Finds the message in an error body of any shape: nested, flat, a string, a list, JSON inside a string,
 * HTML, plain text.
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
	/** The field of the request that is named as the cause. */
	readonly param: string | undefined;
	/** The status in the body itself, 400 to 599. */
	readonly status: number | undefined;
	/** A constant that Google adds to its errors, such as `API_KEY_INVALID`. */
	readonly reason: string | undefined;
	/** The wait that Google requests, such as `2.5s`. */
	readonly retryDelay: string | undefined;
	/** The body is a web page. */
	readonly isPage: boolean;
};

const maxMessageLength = 500;
const maxDepth = 8;

/** Reads an error body that came with an HTTP status. */
export function readErrorBody(body: string): ParsedError {
	const json = parseJson(body.trim());
	if (json !== undefined) return readErrorPayload(json);
	const isPage = body.trimStart().startsWith('<');
	return {...readErrorPayload(null), message: plainMessage(body), isPage};
}

/** Reads a JSON value that is known to report an error. */
export function readErrorPayload(payload: JsonValue): ParsedError {
	const source = innermost(payload);
	const named = source?.['code'] ?? source?.['status'] ?? source?.['statusCode'];
	const code = named ?? asNumber(source?.['error']);
	const status = asNumber(code) ?? statusInText(code);
	return {
		message: shorten(findMessage(payload, 0) ?? '', maxMessageLength),
		code: asText(code) ?? (status === undefined ? undefined : String(status)),
		type: asText(source?.['type']),
		param: asText(source?.['param']),
		status: status !== undefined && status >= 400 && status < 600 ? status : undefined,
		reason: findDetail(source, 'reason'),
		retryDelay: findDetail(source, 'retryDelay'),
		isPage: false,
	};
}

/** A status as a text, which some services send. */
function statusInText(code: JsonValue | undefined): number | undefined {
	return typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : undefined;
}

function findDetail(source: JsonObject | undefined, key: string): string | undefined {
	const details = asArray(source?.['details']) ?? [];
	return details.flatMap((detail) => asText(asObject(detail)?.[key]) ?? [])[0];
}

/** Returns the object with code and type: `error` if there is one, otherwise the payload itself. */
function innermost(payload: JsonValue): JsonObject | undefined {
	const object = asObject(payload) ?? asObject(asArray(payload)?.[0]);
	return asObject(object?.['error']) ?? object;
}

/** Fields that may have the message, the most reliable first. */
const messageKeys = ['error', 'message', 'detail', 'errors', 'msg', 'error_description', 'title'];

function findMessage(value: JsonValue | undefined, depth: number): string | undefined {
	if (value === undefined || depth > maxDepth) return undefined;
	if (typeof value === 'string') return unwrapString(value, depth);
	const list = asArray(value);
	if (list !== undefined) return joinMessages(list, depth);
	const object = asObject(value);
	if (object === undefined) return undefined;
	const raw = asObject(object['metadata'])?.['raw'];
	const hidden = raw === undefined ? undefined : findMessage(raw, depth + 1);
	if (hidden !== undefined) return hidden;
	const located = locatedMessage(object);
	if (located !== undefined) return located;
	for (const key of messageKeys) {
		const message = findMessage(object[key], depth + 1);
		if (message !== undefined) return message;
	}
	return undefined;
}

/** Some gateways put the whole upstream body into the message, as JSON text. */
function unwrapString(text: string, depth: number): string | undefined {
	const trimmed = text.trim();
	if (trimmed === '') return undefined;
	if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
		const inner = parseJson(trimmed);
		const message = typeof inner === 'object' ? findMessage(inner, depth + 1) : undefined;
		if (message !== undefined) return message;
	}
	return trimmed;
}

function joinMessages(list: readonly JsonValue[], depth: number): string | undefined {
	const messages = list.slice(0, 5).flatMap((item) => findMessage(item, depth + 1) ?? []);
	return messages.length === 0 ? undefined : messages.join('; ');
}

/** Turns `{loc: ['body', 'model'], msg: 'Field required'}` into `body.model: Field required`. */
function locatedMessage(object: JsonObject): string | undefined {
	const place = asArray(object['loc']);
	const message = asText(object['msg']);
	if (place === undefined || message === undefined) return undefined;
	const steps = place.filter((step) => typeof step === 'string' || typeof step === 'number');
	return `${steps.join('.')}: ${message}`;
}

function plainMessage(body: string): string {
	const head = body.slice(0, 64 * 1024);
	const title = /<title[^<>]*>([^<]*)<\/title/i.exec(head)?.[1];
	const heading = /<h1[^<>]*>([^<]*)<\/h1/i.exec(head)?.[1];
	const text = (
		title ??
		heading ??
		(head.trimStart().startsWith('<') ? withoutTags(head) : head)
	).trim();
	return shorten(text.split(/\r\n|\r|\n/, 1)[0] ?? '', maxMessageLength);
}

function withoutTags(html: string): string {
	return html.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ');
}

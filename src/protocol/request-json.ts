/** Requests one JSON value, within limits of size and time. Nothing is retried. */
import {ChatError} from '../errors.ts';
import {type JsonObject, type JsonValue, parseJson} from '../json.ts';
import {redactUrl} from '../redact.ts';
import {formatSize} from '../wording.ts';
import {gatewayHint} from './errors/common-refusals.ts';
import type {ErrorContext} from './errors/error-context.ts';
import {errorFromPayload, errorFromReply} from './errors/service-error.ts';
import type {ServiceRoute} from './http/route.ts';
import {type HttpReply, send} from './http/transport.ts';

export type JsonRequest = {
	/** Without its URL, which describes the request. */
	readonly context: ErrorContext;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent by POST. */
	readonly body?: JsonObject | undefined;
	readonly route: ServiceRoute | undefined;
	readonly connectMs: number;
	/** For the whole exchange. */
	readonly limitMs: number;
	readonly maxBytes: number;
	readonly signal: AbortSignal;
	/** Receives lines about the request and its reply. */
	readonly trace?: ((line: string) => void) | undefined;
};

/**
 * @throws {ChatError} when the request fails, is refused or redirected, or the reply is not JSON;
 * the signal's reason when it is aborted
 */
export async function requestJson(request: JsonRequest): Promise<JsonValue> {
	const {context, signal, limitMs, trace = () => {}} = request;
	const {url} = context;
	const method = request.body === undefined ? 'GET' : 'POST';
	const body = request.body === undefined ? '' : JSON.stringify(request.body);
	const type = body === '' ? {} : {'content-type': 'application/json'};
	const headers = {...type, ...request.headers};
	trace(`> ${method} ${redactUrl(url)}`);
	trace(`> ${Object.keys(headers).join(', ')}`);
	const reply = await send({
		method,
		url,
		headers,
		body,
		route: request.route,
		limits: {connectMs: request.connectMs, idleMs: 0, payloadMs: limitMs, finishGraceMs: 0},
		isStreaming: false,
		signal,
	});
	try {
		trace(`< ${reply.head.status}`);
		const text = await readBody(reply, url, request.maxBytes);
		signal.throwIfAborted();
		const {status} = reply.head;
		if (status < 200 || status >= 300) throw errorFromReply(reply.head, text, context);
		const value = parseJson(text.replace(/^\ufeff/, ''));
		if (value === undefined) throw notJson(context, text);
		const failure = errorFromPayload(value, undefined, context);
		if (failure !== undefined) throw failure;
		return value;
	} finally {
		reply.close();
	}
}

/** The transport limits the time. */
async function readBody(reply: HttpReply, url: URL, maxBytes: number): Promise<string> {
	const utf8 = new TextDecoder();
	let text = '';
	let bytes = 0;
	for (;;) {
		const chunks = await reply.read();
		if (chunks === undefined) break;
		for (const chunk of chunks) {
			bytes += chunk.length;
			text += utf8.decode(chunk, {stream: true});
		}
		if (bytes > maxBytes) {
			throw new ChatError('protocol', `${redactUrl(url)} sent more than ${formatSize(maxBytes)}`);
		}
	}
	const failure = reply.failure();
	if (failure === undefined) return text;
	throw new ChatError(failure.kind, `${redactUrl(url)}: ${failure.message}`, failure.details);
}

function notJson({url, words}: ErrorContext, text: string): ChatError {
	const isPage = text.trimStart().startsWith('<');
	const what = isPage ? 'a web page' : 'a reply that is not valid JSON';
	return new ChatError('protocol', `${redactUrl(url)} sent ${what}`, {
		hint: isPage ? gatewayHint : words.serviceHint,
	});
}

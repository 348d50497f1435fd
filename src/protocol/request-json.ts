/** Requests one JSON value, within size and time limits, without retries. */
import {ChatError} from '../errors.ts';
import {type JsonObject, type JsonValue, parseJson} from '../json.ts';
import {redactUrl} from '../redact.ts';
import {gatewayHint} from './errors/common-refusals.ts';
import type {ErrorContext} from './errors/error-context.ts';
import {errorFromPayload, errorFromReply} from './errors/service-error.ts';
import {type Exchange, exchange, failureOf, readText} from './http/exchange.ts';

export type JsonRequest = Pick<Exchange, 'headers' | 'route' | 'maxBytes' | 'signal' | 'trace'> & {
	/** Names the request's URL, too. */
	readonly context: ErrorContext;
	/** Sent by POST. */
	readonly body?: JsonObject | undefined;
	/** Another body sent by POST, with its media type. */
	readonly form?: {readonly type: string; readonly text: string} | undefined;
	readonly connectMs: number;
	/** Milliseconds for the whole exchange. */
	readonly limitMs: number;
};

/**
 * @throws {ChatError} if the request fails, is refused or redirected, or the reply is not JSON; the
 * signal's reason when it is aborted
 */
export async function requestJson(request: JsonRequest): Promise<JsonValue> {
	const {context, headers, body, form, connectMs, limitMs, signal, ...rest} = request;
	const sent = body === undefined ? form : {type: 'application/json', text: JSON.stringify(body)};
	const {url} = context;
	const reply = await exchange({
		...rest,
		method: sent === undefined ? 'GET' : 'POST',
		url,
		headers: {...(sent && {'content-type': sent.type}), ...headers},
		...(sent && {body: sent.text}),
		limits: {connectMs, payloadMs: limitMs},
		signal,
	});
	try {
		const text = await readText(reply);
		signal.throwIfAborted();
		const failed = failureOf(reply, url);
		if (failed !== undefined) throw failed;
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

function notJson({url, words}: ErrorContext, text: string): ChatError {
	const isPage = text.trimStart().startsWith('<');
	const what = isPage ? 'a web page' : 'a reply that is not valid JSON';
	return new ChatError('protocol', `${redactUrl(url)} sent ${what}`, {
		hint: isPage ? gatewayHint : words.serviceHint,
	});
}

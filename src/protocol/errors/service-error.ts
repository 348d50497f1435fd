/**
 * Replies that are errors, as `ChatError`s: what failed, at which address, with the service's own
 * words and what to do next.
 */

import {ChatError, type ErrorKind} from '../../errors.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {redactUrl} from '../../redact.ts';
import {headerOf, type ReplyHead} from '../http/reply-head.ts';
import {asArray, asObject} from '../json-values.ts';
import {type ErrorText, readErrorBody, readErrorPayload} from './parse-error-body.ts';
import {retryAfterMs, waitInBody} from './retry-after.ts';
import {findHint, noQuota, wordsOf, wrongKey} from './service-hint.ts';

/** The connection, as messages and hints need it. */
export type ErrorContext = {
	readonly url: URL;
	readonly model: string;
	/** Where the key came from (`CHAT_API_KEY`), undefined if none was sent. */
	readonly keySource: string | undefined;
	/** Whether the next request looks for another key. */
	readonly isKeyReadAgain?: boolean | undefined;
	/** Whether the user chose the model, or got the default. */
	readonly isModelChosen: boolean;
	/** Of the reply that is being read. */
	readonly requestId?: string | undefined;
	/** The same reply's `content-encoding`. */
	readonly encoding?: string | undefined;
};

/** A reply whose status is not 2xx. */
export function errorFromReply(head: ReplyHead, body: string, context: ErrorContext): ChatError {
	if (head.status >= 300 && head.status < 400) return redirectError(head, context);
	const {status} = head;
	const text = readErrorBody(body);
	const retryable = isRetryable(head, text);
	const answered = `${redactUrl(context.url)} answered ${status} to model ${context.model}`;
	const message = text.message === '' ? answered : `${answered}: ${text.message}`;
	const waitMs = retryAfterMs(head, text);
	return new ChatError(kindOf(status, text, retryable), message, {
		status,
		code: text.code ?? text.type,
		serviceMessage: text.message,
		requestId: requestIdOf(head),
		retryable,
		retryAfterMs: waitMs,
		hint: findHint({status, text, waitMs, context}),
	});
}

function redirectError(head: ReplyHead, context: ErrorContext): ChatError {
	const location = headerOf(head, 'location');
	const target = location === undefined ? undefined : resolveTarget(location, context.url);
	const hint =
		target === undefined
			? 'Is the base URL that of a chat-completions service?'
			: 'If you trust that address, use it as the base URL.';
	return new ChatError(
		'protocol',
		`${redactUrl(context.url)} answered ${head.status}: it redirects${target === undefined ? ' to no address that can be read' : ` to ${target}; redirects are not followed`}`,
		{
			status: head.status,
			requestId: requestIdOf(head),
			retryable: false,
			hint,
		},
	);
}

function resolveTarget(location: string, base: URL): string | undefined {
	try {
		return redactUrl(new URL(location, base));
	} catch {
		return undefined;
	}
}

/**
 * An error payload in a reply whose status is 2xx, or undefined if the value is none.
 *
 * @param eventName the SSE event it came under; `error` makes any payload one
 */
export function errorFromPayload(
	payload: JsonValue,
	eventName: string | undefined,
	context: ErrorContext,
): ChatError | undefined {
	const object = asObject(payload) ?? asObject(asArray(payload)?.[0]);
	if (eventName !== 'error' && !isErrorObject(object)) return undefined;
	const groq = asObject(object?.['x_groq'])?.['error'];
	const text = readErrorPayload(groq ?? payload);
	const said = text.message === '' ? (text.code ?? 'no reason given') : text.message;
	const {status} = text;
	const retryable = isWorthRetrying(status, text);
	const waitMs = waitInBody(text);
	return new ChatError(
		kindOf(status ?? 500, text, retryable),
		`${redactUrl(context.url)} reported an error: ${said}`,
		{
			status,
			code: text.code ?? text.type,
			retryable,
			retryAfterMs: waitMs,
			hint: findHint({status, text, waitMs, context}),
		},
	);
}

function isErrorObject(object: JsonObject | undefined): boolean {
	if (object === undefined) return false;
	return (
		isSaid(object['error']) ||
		object['object'] === 'error' ||
		object['type'] === 'error' ||
		isSaid(asObject(object['x_groq'])?.['error'])
	);
}

/** `null`, `""`, `0`, `false` and `{}` in an error field mean that there is no error. */
function isSaid(error: JsonValue | undefined): boolean {
	if (typeof error !== 'object') return Boolean(error);
	return error !== null && Object.keys(error).length > 0;
}

const kindOfStatus: Readonly<Record<number, ErrorKind>> = {
	401: 'auth',
	402: 'quota',
	403: 'auth',
	407: 'auth',
};

/** A rejected request that may be fine later means that the service is only busy. */
function kindOf(status: number, text: ErrorText, retryable: boolean | undefined): ErrorKind {
	if (isOutOfQuota(text)) return 'quota';
	if (wrongKey.test(wordsOf(text))) return 'auth';
	const known = kindOfStatus[status];
	if (known !== undefined) return known;
	const isBusy = status < 500 || status === 529 || isOverloaded(text);
	if (isBusy && retryable === true) return 'busy';
	return status >= 500 ? 'unavailable' : 'rejected';
}

function isRetryable(head: ReplyHead, text: ErrorText): boolean {
	const asked = headerOf(head, 'x-should-retry');
	if (asked === 'true') return true;
	if (asked === 'false') return false;
	return isWorthRetrying(head.status, text) === true;
}

/** Undefined if nothing is known. */
function isWorthRetrying(status: number | undefined, text: ErrorText): boolean | undefined {
	if (isOutOfQuota(text)) return false;
	if (isOverloaded(text)) return true;
	if (status === undefined) return undefined;
	return [408, 409, 429].includes(status) || status >= 500;
}

function isOverloaded({type, code}: ErrorText): boolean {
	return /overloaded|rate_limit/.test(`${type} ${code}`);
}

function isOutOfQuota(text: ErrorText): boolean {
	return noQuota.test(wordsOf(text));
}

/** The headers of a reply that its context keeps. */
export function marksOf(head: ReplyHead): Pick<ErrorContext, 'requestId' | 'encoding'> {
	return {requestId: requestIdOf(head), encoding: headerOf(head, 'content-encoding')};
}

function requestIdOf(head: ReplyHead): string | undefined {
	return headerOf(head, 'x-request-id') ?? headerOf(head, 'request-id');
}

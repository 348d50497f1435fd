/** Errors that a service reports, as `ChatError`s: what failed, the service's own words, what to do. */
import {ChatError, type ErrorKind} from '../../errors.ts';
import {asArray, asObject, type JsonObject, type JsonValue} from '../../json.ts';
import {redactUrl} from '../../redact.ts';
import {type HttpHead, headerOf} from '../http/http-head.ts';
import {type ErrorContext, requestIdOf} from './error-context.ts';
import {type ParsedError, readErrorBody, readErrorPayload} from './parse-error-body.ts';
import {retryAfterMs, waitInBody} from './retry-after.ts';
import {explainRefusal, noQuota, wordsOf, wrongKey} from './service-hint.ts';

/** Makes an error of a reply whose status is not 2xx. */
export function errorFromReply(head: HttpHead, body: string, context: ErrorContext): ChatError {
	const {status} = head;
	if (status >= 300 && status < 400) return redirectError(head, context);
	const parsed = readErrorBody(body);
	const retryable = isRetryable(head, parsed);
	const asked = context.model === '' ? '' : ` to model ${context.model}`;
	const answered = `${redactUrl(context.url)} answered ${status}${asked}`;
	const message = parsed.message === '' ? answered : `${answered}: ${parsed.message}`;
	const waitMs = retryAfterMs(head, parsed);
	return new ChatError(kindOf(status, parsed, retryable), message, {
		status,
		code: parsed.code ?? parsed.type,
		serviceMessage: parsed.message,
		param: parsed.param,
		requestId: requestIdOf(head),
		retryable,
		retryAfterMs: waitMs,
		...explainRefusal({status, parsed, waitMs, context}),
	});
}

function redirectError(head: HttpHead, {url, words}: ErrorContext): ChatError {
	const location = headerOf(head, 'location');
	const target = location !== undefined && URL.canParse(location, url.href);
	const where = target
		? `to ${redactUrl(new URL(location, url))}; redirects are not followed`
		: 'to no valid address';
	const message = `${redactUrl(url)} answered ${head.status}: it redirects ${where}`;
	return new ChatError('protocol', message, {
		status: head.status,
		requestId: requestIdOf(head),
		retryable: false,
		hint: target ? 'If you trust that address, use it as the base URL.' : words.serviceHint,
	});
}

/**
 * Makes an error of a payload in a reply whose status is 2xx; undefined if the payload is not an error.
 *
 * @param eventName the name of its SSE event; `error` makes any payload an error
 */
export function errorFromPayload(
	payload: JsonValue | undefined,
	eventName: string | undefined,
	context: ErrorContext,
): ChatError | undefined {
	if (payload === undefined) return undefined;
	const object = asObject(payload) ?? asObject(asArray(payload)?.[0]);
	if (eventName !== 'error' && !isErrorObject(object)) return undefined;
	const parsed = readErrorPayload(payload);
	const reason = parsed.message === '' ? (parsed.code ?? 'no reason given') : parsed.message;
	const {status} = parsed;
	const retryable = isWorthRetrying(status, parsed);
	const waitMs = waitInBody(parsed);
	const message = `${redactUrl(context.url)} reported an error: ${reason}`;
	return new ChatError(kindOf(status ?? 500, parsed, retryable), message, {
		status,
		code: parsed.code ?? parsed.type,
		retryable,
		retryAfterMs: waitMs,
		...explainRefusal({status, parsed, waitMs, context}),
	});
}

function isErrorObject(object: JsonObject | undefined): boolean {
	if (object === undefined) return false;
	return hasContent(object['error']) || object['object'] === 'error' || object['type'] === 'error';
}

/** `null`, `""`, `0`, `false` and `{}` in an error field mean that there is no error. */
function hasContent(error: JsonValue | undefined): boolean {
	if (typeof error !== 'object') return Boolean(error);
	return error !== null && Object.keys(error).length > 0;
}

const kindOfStatus: Readonly<Record<number, ErrorKind>> = {
	401: 'auth',
	402: 'quota',
	403: 'auth',
	407: 'auth',
};

/** A rejected request that may succeed later means that the service is only busy. */
function kindOf(status: number, parsed: ParsedError, retryable: boolean | undefined): ErrorKind {
	if (isOutOfQuota(parsed)) return 'quota';
	if (wrongKey.test(wordsOf(parsed))) return 'auth';
	const known = kindOfStatus[status];
	if (known !== undefined) return known;
	const isBusy = status < 500 || status === 529 || isOverloaded(parsed);
	if (isBusy && retryable === true) return 'busy';
	return status >= 500 ? 'unavailable' : 'rejected';
}

function isRetryable(head: HttpHead, parsed: ParsedError): boolean {
	const requested = headerOf(head, 'x-should-retry');
	if (requested === 'true') return true;
	if (requested === 'false') return false;
	return isWorthRetrying(head.status, parsed) === true;
}

/** Returns undefined if nothing is known. */
function isWorthRetrying(status: number | undefined, parsed: ParsedError): boolean | undefined {
	if (isOutOfQuota(parsed)) return false;
	if (isOverloaded(parsed)) return true;
	if (status === undefined) return undefined;
	return [408, 409, 429].includes(status) || status >= 500;
}

function isOverloaded({type, code}: ParsedError): boolean {
	return /overloaded|rate_limit/.test(`${type} ${code}`);
}

function isOutOfQuota(parsed: ParsedError): boolean {
	return noQuota.test(wordsOf(parsed));
}

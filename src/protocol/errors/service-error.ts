/** Service errors as `ChatError`s: what failed, the service's own words, what to do. */
import {ChatError} from '../../errors.ts';
import {asArray, asObject, type JsonObject, type JsonValue} from '../../json.ts';
import {redactUrl} from '../../redact.ts';
import {type HttpHead, redirectError, requestIdOf} from '../http/http-head.ts';
import {explainRefusal} from './common-refusals.ts';
import type {ErrorContext} from './error-context.ts';
import {type ParsedError, readErrorBody, readErrorPayload} from './parse-error-body.ts';
import {isRetryable, retryAfterMs} from './retry.ts';

/** Makes an error from a non-2xx reply. */
export function errorFromReply(head: HttpHead, body: string, context: ErrorContext): ChatError {
	const {status} = head;
	if (status >= 300 && status < 400) {
		return redirectError(head, context.url, 'the base URL', context.words.serviceHint);
	}
	const parsed = readErrorBody(body);
	const asked = context.model === '' ? '' : ` to model ${context.model}`;
	const reason = parsed.message === '' ? '' : `: ${parsed.message}`;
	const happened = `answered ${status}${asked}${reason}`;
	return createError(happened, {...parsed, status}, head, {
		...context,
		requestId: requestIdOf(head),
	});
}

/**
 * Makes an error from a payload in a 2xx reply; undefined if the payload is not an error.
 *
 * @param eventName its SSE event name; `error` makes any payload an error
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
	return createError(`reported an error: ${reason}`, parsed, undefined, context);
}

function isErrorObject(object: JsonObject | undefined): boolean {
	if (object === undefined) return false;
	return hasContent(object['error']) || object['object'] === 'error' || object['type'] === 'error';
}

/** `null`, `""`, `0`, `false` and `{}` in an error field mean no error. */
function hasContent(error: JsonValue | undefined): boolean {
	if (typeof error !== 'object') return Boolean(error);
	return error !== null && Object.keys(error).length > 0;
}

/** If a rejected request may succeed later, the service is only busy. */
function createError(
	happened: string,
	parsed: ParsedError,
	head: HttpHead | undefined,
	context: ErrorContext,
): ChatError {
	const {status = 500, code, type, message, isOverloaded} = parsed;
	const waitMs = retryAfterMs(head, parsed);
	const {kind, ...explained} = explainRefusal({...parsed, waitMs, context});
	const retryable = isRetryable(head, parsed, kind);
	const isBusy = retryable === true && (status < 500 || status === 529 || isOverloaded);
	const usualKind = status < 500 ? 'rejected' : 'unavailable';
	const shown = `${redactUrl(context.url)} ${happened}`;
	return new ChatError(kind ?? (isBusy ? 'busy' : usualKind), shown, {
		status: parsed.status,
		code: code ?? type,
		serviceMessage: message,
		requestId: context.requestId,
		retryable,
		retryAfterMs: waitMs,
		...explained,
	});
}

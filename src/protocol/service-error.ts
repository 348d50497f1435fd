/**
 * Replies that are errors, as `ChatError`s: what failed, at which address, with the service's own
 * words and what to do next.
 */

import {ChatError, type ErrorDetails, type ErrorKind} from '../errors.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import {redactUrl} from '../redact.ts';
import {hasVersion} from './endpoint.ts';
import {type ErrorText, readErrorBody, readErrorPayload} from './error-text.ts';
import {asArray, asObject, asText} from './json.ts';
import {proxyLoginHint} from './socket-error.ts';

/** What messages and hints need to know of the connection. */
export type ErrorContext = {
	readonly url: URL;
	readonly model: string;
	/** Where the key came from (`CHAT_API_KEY`), undefined if none was sent. */
	readonly keySource: string | undefined;
	/** Whether the user chose the model, or got the default. */
	readonly isModelChosen: boolean;
	/** Of the reply that is being read. */
	readonly requestId?: string | undefined;
	/** The same reply's `content-encoding`. */
	readonly encoding?: string | undefined;
};

export type ReplyHead = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** A reply whose status is not 2xx. */
export function errorFromReply(head: ReplyHead, body: string, context: ErrorContext): ChatError {
	if (head.status >= 300 && head.status < 400) return redirectError(head, context);
	const text = readErrorBody(body);
	const kind = kindOf(head.status, text);
	const said = text.message === '' ? '' : `: ${text.message}`;
	return new ChatError(kind, `${openingOf(head.status, context)}${said}`, {
		status: head.status,
		code: text.code ?? text.type,
		requestId: requestIdOf(head),
		retryable: isRetryable(head, text),
		retryAfterMs: retryAfterMs(head),
		hint: hintFor(head.status, text, head, context),
	});
}

function openingOf(status: number, {url, model}: ErrorContext): string {
	return `${redactUrl(url)} answered ${status} to model ${model}`;
}

/** What the service itself said in an `errorFromReply`, without address and model. */
export function serviceWords(error: ChatError, context: ErrorContext): string {
	const opening = openingOf(error.details.status ?? 0, context);
	return error.message.startsWith(opening) ? error.message.slice(opening.length) : '';
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
	const details: ErrorDetails = {
		status: text.status,
		code: text.code ?? text.type,
		retryable:
			text.status === undefined ? undefined : !isOutOfQuota(text) && isRetryableStatus(text.status),
		hint: endpointHint(text, context),
	};
	return new ChatError(
		kindOf(text.status ?? 500, text),
		`${redactUrl(context.url)} reported an error: ${said}`,
		details,
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
	403: 'auth',
	407: 'auth',
	408: 'busy',
	429: 'busy',
	529: 'busy',
};

function kindOf(status: number, text: ErrorText): ErrorKind {
	const known = kindOfStatus[status];
	if (known !== undefined) return known;
	if (/overloaded|rate_limit/.test(`${text.type} ${text.code}`)) return 'busy';
	return status >= 500 ? 'unavailable' : 'rejected';
}

function isRetryable(head: ReplyHead, text: ErrorText): boolean {
	const asked = headerOf(head, 'x-should-retry');
	if (asked === 'true') return true;
	if (asked === 'false') return false;
	return !isOutOfQuota(text) && isRetryableStatus(head.status);
}

/** A 429 that waiting does not cure. */
function isOutOfQuota({type, code}: ErrorText): boolean {
	return /insufficient_quota/.test(`${type} ${code}`);
}

function isRetryableStatus(status: number): boolean {
	return status === 408 || status === 409 || status === 429 || status >= 500;
}

/**
 * The wait a service asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as
 * a date. A date is measured against the reply's own `date`, so a wrong clock here does no harm.
 * Undefined if there is none that can be understood, or its time has passed.
 */
export function retryAfterMs(head: ReplyHead): number | undefined {
	const exact = headerOf(head, 'retry-after-ms');
	if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return Number(exact);
	const value = headerOf(head, 'retry-after')?.trim();
	if (value === undefined) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const until = parseDate(value);
	if (until === undefined) return undefined;
	const from = parseDate(headerOf(head, 'date')) ?? Date.now();
	return until >= from ? until - from : undefined;
}

/** `Date.parse` makes a date of `-5` and `soon 5` too; every HTTP date has a time of day. */
function parseDate(text: string | undefined): number | undefined {
	if (text === undefined || !/\d:\d\d/.test(text)) return undefined;
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

function hintFor(
	status: number,
	text: ErrorText,
	head: ReplyHead,
	context: ErrorContext,
): string | undefined {
	if (status === 401 || status === 403) return keyHint(status, context);
	if (status === 407) return proxyLoginHint;
	if (status === 413) return 'The request is too large: send fewer or smaller images or files.';
	if (status === 429 || retryAfterMs(head) !== undefined) return waitHint(text, head);
	if (status === 400 || status === 404)
		return modelHint(text, context) ?? endpointHint(text, context, status);
	return undefined;
}

function keyHint(status: number, {keySource}: ErrorContext): string {
	if (keySource === undefined)
		return 'No API key was sent; set CHAT_API_KEY, or store one with: chat auth set';
	const verb = status === 401 ? 'accepted' : 'allowed this';
	return `The key from ${keySource} was not ${verb}; check that it belongs to this service.`;
}

function waitHint(text: ErrorText, head: ReplyHead): string {
	if (isOutOfQuota(text)) {
		return 'The account has no quota left; trying again will not help.';
	}
	const wait = retryAfterMs(head);
	return wait === undefined
		? 'Try again later.'
		: `The service asks to wait ${Math.ceil(wait / 1000)} s.`;
}

function modelHint(text: ErrorText, context: ErrorContext): string | undefined {
	const isAboutModel = /model/i.test(`${text.message} ${text.code}`);
	if (!isAboutModel) return undefined;
	if (context.isModelChosen) {
		const isNamed = text.message.includes(context.model);
		return isNamed ? 'Choose another model with -m, or with /model in a session.' : undefined;
	}
	return `No model is set, so ${context.model} was asked for; choose one with -m or CHAT_MODEL.`;
}

function endpointHint(text: ErrorText, {url}: ErrorContext, status?: number): string | undefined {
	const isWrongPath = status === 404 || /unexpected endpoint/i.test(text.message);
	if (!isWrongPath) return undefined;
	const path = url.pathname.replace(/\/chat\/completions$/, '');
	if (hasVersion(path)) return 'Check the base URL: is the path before /chat/completions right?';
	return 'The base URL has no version segment; perhaps it ends in /v1.';
}

/** What the context of a reply has of its headers. */
export function marksOf(head: ReplyHead): Pick<ErrorContext, 'requestId' | 'encoding'> {
	return {requestId: requestIdOf(head), encoding: headerOf(head, 'content-encoding')};
}

function requestIdOf(head: ReplyHead): string | undefined {
	return headerOf(head, 'x-request-id') ?? headerOf(head, 'request-id');
}

function headerOf(head: ReplyHead, name: string): string | undefined {
	const value = head.headers[name];
	return asText(typeof value === 'string' ? value : value?.[0]);
}

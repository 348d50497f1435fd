/** Decides whether and when a failed request is repeated. */
import type {ChatError, ErrorKind} from '../../errors.ts';
import {type HttpHead, headerOf} from '../http/http-head.ts';
import type {ParsedError} from './parse-error-body.ts';

/** A longer wait requested by the service is not retried. */
const maxRequestedMs = 60_000;

/**
 * Returns the milliseconds to wait before the next request; undefined for no retry. The service's
 * own `retry-after` wins. Otherwise half a second, doubled each time, at most 8 s, minus up to a
 * quarter at random so that clients do not all return at once.
 *
 * @param retries number of retries so far
 */
export function retryDelayMs(
	error: ChatError,
	retries: number,
	maxRetries: number,
	random: () => number = Math.random,
): number | undefined {
	const {retryable, isFinal, retryAfterMs} = error.details;
	if (retries >= maxRetries || retryable !== true || isFinal === true) return undefined;
	if (retryAfterMs !== undefined) return retryAfterMs <= maxRequestedMs ? retryAfterMs : undefined;
	return Math.min(500 * 2 ** retries, 8000) * (1 - random() * 0.25);
}

/**
 * Returns whether a later repeat may succeed; undefined if unknown.
 *
 * @param kind known from the service's words
 */
export function isRetryable(
	head: HttpHead | undefined,
	{status, isOverloaded}: ParsedError,
	kind: ErrorKind | undefined,
): boolean | undefined {
	const requested = head && headerOf(head, 'x-should-retry');
	if (requested === 'true' || requested === 'false') return requested === 'true';
	if (kind === 'quota' || kind === 'rejected') return false;
	if (isOverloaded || status === undefined) return isOverloaded || undefined;
	return [408, 409, 429].includes(status) || status >= 500;
}

/**
 * Returns milliseconds: from `retry-after-ms`, from `retry-after` in seconds or as a date, or from
 * the body. A date is compared with the reply's own `date`, so that a wrong local clock does no
 * harm. Returns undefined without a readable delay, or if it has passed.
 */
export function retryAfterMs(head: HttpHead | undefined, parsed: ParsedError): number | undefined {
	if (head === undefined) return waitInBody(parsed);
	const exact = headerOf(head, 'retry-after-ms');
	if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return Number(exact);
	const value = headerOf(head, 'retry-after')?.trim();
	if (value === undefined) return waitInBody(parsed);
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const until = parseDate(value);
	if (until === undefined) return undefined;
	const from = parseDate(headerOf(head, 'date')) ?? Date.now();
	return until >= from ? until - from : undefined;
}

/** `Date.parse` also accepts `-5` and `soon 5`; every HTTP date has a time. */
function parseDate(text: string | undefined): number | undefined {
	if (text === undefined || !/\d:\d\d/.test(text)) return undefined;
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

/** `Please try again in 6m0.5s`, `retry after 26 seconds`. */
const waitInWords = /\b(?:retry|try again) (?:in|after) ((?:\d+(?:\.\d+)?\s?[a-z]+\s?)+)/i;

/** Google has a field for it, others only a sentence. */
function waitInBody({retryDelay, message}: ParsedError): number | undefined {
	const text = retryDelay ?? waitInWords.exec(message)?.[1] ?? '';
	const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s?(ms|mil|s|m|h)/gi)];
	if (parts.length === 0) return undefined;
	return parts
		.map(([, count, unit = '']) => Number(count) * (msOfUnit[unit.toLowerCase()] ?? 1))
		.reduce((sum, ms) => sum + ms);
}

const msOfUnit: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000};

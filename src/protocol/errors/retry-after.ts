/** Finds how long a service asks to wait before the next request. */
import {type HttpHead, headerOf} from '../http/http-head.ts';
import type {ParsedError} from './parse-error-body.ts';

/**
 * Returns milliseconds: from `retry-after-ms`, from `retry-after` in seconds or as a date, or from the
 * body. A date is compared with the reply's own `date`, so that a wrong clock here does no harm. Returns
 * undefined if no wait can be read, or its time has passed.
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

/** `Date.parse` also accepts `-5` and `soon 5`; every HTTP date has a time of day. */
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
	return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * msOf(unit), 0);
}

const msOfUnit: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000};

function msOf(unit: string): number {
	return msOfUnit[unit.toLowerCase()] ?? 1;
}

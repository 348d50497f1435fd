import {describe, expect, it} from 'vitest';
import {ChatError, type ErrorDetails} from '../../src/errors.ts';
import {readErrorBody} from '../../src/protocol/errors/parse-error-body.ts';
import {retryAfterMs, retryDelayMs} from '../../src/protocol/errors/retry.ts';
import type {HttpHead} from '../../src/protocol/http/http-head.ts';

const failed = (details: ErrorDetails = {retryable: true}) =>
	new ChatError('unavailable', 'down', details);

describe('the delay before a retry', () => {
	it('is half a second, doubled each time, and at most eight', () => {
		const delays = [0, 1, 2, 3, 4, 5, 20].map((retries) =>
			retryDelayMs(failed(), retries, 100, () => 0),
		);
		expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
	});

	it('is up to a quarter shorter at random', () => {
		expect(retryDelayMs(failed(), 0, 2, () => 1)).toBe(375);
		for (let run = 0; run < 100; run++) {
			const delayMs = retryDelayMs(failed(), 1, 2) ?? 0;
			expect(delayMs).toBeGreaterThanOrEqual(750);
			expect(delayMs).toBeLessThanOrEqual(1000);
		}
	});

	it.each<[string, ErrorDetails, retries: number, expected: number | undefined]>([
		['the one that the service requests, even 0', {retryAfterMs: 0}, 1, 0],
		['a minute at most', {retryAfterMs: 60_000}, 1, 60_000],
		['missing when the service requests more', {retryAfterMs: 60_001}, 0, undefined],
		['missing after all retries', {}, 2, undefined],
		['missing for other failures', {retryable: false, retryAfterMs: 1}, 0, undefined],
	])('is %s', (_, details, retries, expected) => {
		const error = failed({retryable: true, ...details});
		expect(retryDelayMs(error, retries, 2, () => 1)).toBe(expected);
	});
});

const nothing = readErrorBody('');

const date = 'Fri, 20 Nov 2026 10:00:00 GMT';

describe('the wait that a service requests', () => {
	it.each([
		['milliseconds', {'retry-after-ms': '1500'}, 1500],
		['milliseconds before seconds', {'retry-after-ms': '20', 'retry-after': '3'}, 20],
		['seconds if the milliseconds are none', {'retry-after-ms': 'soon', 'retry-after': '3'}, 3000],
		[
			'a date, by the clock of the service',
			{date, 'retry-after': 'Fri, 20 Nov 2026 10:00:07 GMT'},
			7000,
		],
		['a date that starts with a number', {date, 'retry-after': '20 Nov 2026 10:00:09 GMT'}, 9000],
		['a date that is now', {date, 'retry-after': date}, 0],
		['a date that has passed', {date, 'retry-after': 'Fri, 20 Nov 2026 09:59:59 GMT'}, undefined],
		['a negative number', {'retry-after': '-5'}, undefined],
		['words that only count without a header', {}, 5000],
	] as ReadonlyArray<[string, HttpHead['headers'], number | undefined]>)(
		'as %s is understood',
		(_, headers, expected) => {
			const text = {...nothing, message: 'Try again in 5s.'};
			expect(retryAfterMs({status: 429, headers}, text)).toBe(expected);
		},
	);

	it('as a date is compared with the local clock if the reply has no date', () => {
		const until = new Date(Date.now() + 30_000).toUTCString();
		const waitMs = retryAfterMs({status: 429, headers: {'retry-after': until}}, nothing);
		expect(waitMs).toBeGreaterThan(25_000);
		expect(waitMs).toBeLessThanOrEqual(30_000);
	});

	it.each([
		['Please try again in 20ms. Visit our site.', 20],
		['Try again in 6m0.5s', 360_500],
		['Please retry after 26 seconds.', 26_000],
		['The agent took 5s to try again', undefined],
	])('in words is read: %s', (message, expected) => {
		expect(retryAfterMs({status: 429, headers: {}}, {...nothing, message})).toBe(expected);
	});

	it('is read from the field that Google sends, not from its words', () => {
		const details = [
			{'@type': 'Help', links: []},
			{'@type': 'RetryInfo', retryDelay: '2s'},
		];
		const message = 'You exceeded your current quota. Please retry in 2.5s.';
		const text = readErrorBody(JSON.stringify([{error: {code: 429, message, details}}]));
		expect(retryAfterMs({status: 429, headers: {}}, text)).toBe(2000);
	});
});

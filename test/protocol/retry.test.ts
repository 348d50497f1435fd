import {describe, expect, it} from 'vitest';
import {ChatError, type ErrorDetails} from '../../src/errors.ts';
import {retryDelayMs} from '../../src/protocol/errors/retry.ts';

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

	it('is exactly the one that the service requests, even 0', () => {
		for (const asked of [0, 1, 700.5, 60_000]) {
			const error = failed({retryable: true, retryAfterMs: asked});
			expect(retryDelayMs(error, 5, 9, () => 1)).toBe(asked);
		}
	});

	it('is undefined when the service requests more than a minute', () => {
		const error = failed({retryable: true, retryAfterMs: 60_001});
		expect(retryDelayMs(error, 0, 9)).toBeUndefined();
	});

	it('is undefined after all retries', () => {
		expect(retryDelayMs(failed(), 1, 2)).toBeDefined();
		expect(retryDelayMs(failed(), 2, 2)).toBeUndefined();
		expect(retryDelayMs(failed(), 0, 0)).toBeUndefined();
	});

	it('is undefined for other failures', () => {
		expect(retryDelayMs(failed({retryable: false, retryAfterMs: 1}), 0, 9)).toBeUndefined();
	});
});

import {describe, expect, it} from 'vitest';
import {ChatError, type ErrorDetails} from '../../src/errors.ts';
import {retryDelayMs, wait} from '../../src/protocol/retry.ts';

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

	it('is the one the service asks for, none at all too, without chance', () => {
		for (const asked of [0, 1, 700.5, 60_000]) {
			const error = failed({retryable: true, retryAfterMs: asked});
			expect(retryDelayMs(error, 5, 9, () => 1)).toBe(asked);
		}
	});

	it('does not exist when the service asks for more than a minute', () => {
		const error = failed({retryable: true, retryAfterMs: 60_001});
		expect(retryDelayMs(error, 0, 9)).toBeUndefined();
	});

	it('does not exist when all retries are used up', () => {
		expect(retryDelayMs(failed(), 1, 2)).toBeDefined();
		expect(retryDelayMs(failed(), 2, 2)).toBeUndefined();
		expect(retryDelayMs(failed(), 0, 0)).toBeUndefined();
	});

	it.each([{retryable: false}, {}, {retryable: false, retryAfterMs: 1}])(
		'does not exist for a failure like %j',
		(details) => {
			expect(retryDelayMs(failed(details), 0, 9)).toBeUndefined();
		},
	);
});

describe('waiting', () => {
	const stop = new ChatError('interrupted', 'stop');

	it('takes as long as it says', async () => {
		const startMs = performance.now();
		await wait(30, new AbortController().signal);
		expect(performance.now() - startMs).toBeGreaterThanOrEqual(28);
	});

	it('ends at once with the reason of an abort', async () => {
		const controller = new AbortController();
		const waiting = wait(60_000, controller.signal);
		controller.abort(stop);
		await expect(waiting).rejects.toBe(stop);
	});

	it('does not begin when it is aborted already', async () => {
		await expect(wait(60_000, AbortSignal.abort(stop))).rejects.toBe(stop);
	});

	it('leaves neither a timer nor a listener behind', async () => {
		const timers = () =>
			process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
		const before = timers();
		const controller = new AbortController();
		let listeners = 0;
		const {signal} = controller;
		const {addEventListener, removeEventListener} = signal;
		signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
			listeners++;
			addEventListener.apply(signal, args);
		};
		signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
			listeners--;
			removeEventListener.apply(signal, args);
		};
		await wait(1, signal);
		expect(listeners).toBe(0);
		const waiting = wait(60_000, signal);
		controller.abort(stop);
		await expect(waiting).rejects.toBe(stop);
		expect(timers()).toBe(before);
	});
});

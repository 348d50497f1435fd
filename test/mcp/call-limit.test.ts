import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {startCallLimit} from '../../src/mcp/call-limit.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test.each([60_000, 0])(
	'a limit of %i ms without progress leaves ten minutes at most',
	(limitMs) => {
		const limit = startCallLimit(limitMs, () => performance.now());
		for (let minutes = 0; minutes < 9.5; minutes += 0.5) {
			vi.advanceTimersByTime(30_000);
			limit.restart();
		}
		expect(limit.signal.aborted).toBe(false);
		vi.advanceTimersByTime(30_000);
		expect(limit.signal.reason).toBe('600 s');
	},
);

test('the time of the user does not count', () => {
	const limit = startCallLimit(1000, () => performance.now());
	vi.advanceTimersByTime(900);
	limit.pause();
	limit.pause();
	vi.advanceTimersByTime(3_600_000);
	limit.restart();
	limit.resume();
	vi.advanceTimersByTime(3_600_000);
	expect(limit.signal.aborted).toBe(false);
	limit.resume();
	vi.advanceTimersByTime(1000);
	expect(limit.signal.reason).toBe('1 s');
});

test('a question that outlives its call leaves no timer', () => {
	const limit = startCallLimit(1000, () => performance.now());
	limit.pause();
	limit.clear();
	limit.resume();
	limit.restart();
	expect(vi.getTimerCount()).toBe(0);
});

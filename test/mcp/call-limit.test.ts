import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {startCallLimit} from '../../src/mcp/call-limit.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const now = () => performance.now();

test('progress keeps a call, but not longer than ten minutes', () => {
	const limit = startCallLimit(60_000, now);
	for (let minutes = 0; minutes < 9.5; minutes += 0.5) {
		vi.advanceTimersByTime(30_000);
		limit.restart();
	}
	expect(limit.end()).toBeUndefined();
	vi.advanceTimersByTime(30_000);
	expect(limit.end()).toBe('600 s');
	expect(limit.signal.aborted).toBe(true);
});

test('without a limit ten minutes are left', () => {
	const limit = startCallLimit(0, now);
	vi.advanceTimersByTime(599_999);
	expect(limit.end()).toBeUndefined();
	vi.advanceTimersByTime(1);
	expect(limit.end()).toBe('600 s');
});

test('the time of the user does not count', async () => {
	const limit = startCallLimit(1000, now);
	vi.advanceTimersByTime(900);
	const answers: Array<() => void> = [];
	const ask = () => limit.pauseFor(() => new Promise<void>((resolve) => answers.push(resolve)));
	const both = [ask(), ask()];
	vi.advanceTimersByTime(3_600_000);
	limit.restart();
	answers[0]?.();
	await both[0];
	vi.advanceTimersByTime(3_600_000);
	expect(limit.end()).toBeUndefined();
	answers[1]?.();
	await both[1];
	vi.advanceTimersByTime(1000);
	expect(limit.end()).toBe('1 s');
});

test('a question that outlives its call leaves no timer', async () => {
	const limit = startCallLimit(1000, now);
	let answer = () => {};
	const asked = limit.pauseFor(() => new Promise<void>((resolve) => (answer = resolve)));
	limit.clear();
	answer();
	await asked;
	limit.restart();
	expect(vi.getTimerCount()).toBe(0);
});

/**
 * Limits the cost of work on a machine of any speed: the processor time of this process is compared
 * with that of other work.
 */
import {expect} from 'vitest';

/** In milliseconds; shorter times are mostly noise. */
const leastMs = 3;

const growth = 8;

/** Quadratic work would have a factor of 64. */
const largestGrowth = 32;

/** Returns milliseconds of processor time, the minimum of three runs: the first one compiles. */
export function costOf(run: () => void): number {
	return Math.max(leastMs, Math.min(measure(run), measure(run), measure(run)));
}

/** Fails if the work exceeds the limit in each of five runs: single runs may be disturbed. */
export function expectCost(run: () => void, limitMs: number): void {
	let least = measure(run);
	for (let again = 0; again < 4 && least > limitMs; again += 1)
		least = Math.min(least, measure(run));
	expect(least).toBeLessThanOrEqual(limitMs);
}

/** Fails if eight times the input costs far more than eight times the time. */
export function expectLinearCost(run: (size: number) => void, size: number): void {
	const small = costOf(() => run(size));
	expectCost(() => run(growth * size), largestGrowth * small);
}

function measure(run: () => void): number {
	const before = process.cpuUsage();
	run();
	const {user, system} = process.cpuUsage(before);
	return (user + system) / 1000;
}

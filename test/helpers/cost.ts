/**
 * Holds work to a cost in proportion, on a machine of any speed: what is measured is the processor
 * time of this process, and it is compared with that of other work.
 */
import {expect} from 'vitest';

/** Shorter times are mostly noise, in milliseconds. */
const leastMs = 3;

const growth = 8;

/** Of work that grows with the square of its input, the factor would be 64. */
const largestGrowth = 32;

/** Milliseconds of processor time; the least of three runs, since the first ones are compiled. */
export function costOf(run: () => void): number {
	return Math.max(leastMs, Math.min(measure(run), measure(run), measure(run)));
}

/** Fails if the work takes more than this in each of five runs: any of them may be disturbed. */
export function expectCost(run: () => void, limitMs: number): void {
	let least = measure(run);
	for (let again = 0; again < 4 && least > limitMs; again += 1)
		least = Math.min(least, measure(run));
	expect(least).toBeLessThanOrEqual(limitMs);
}

/** Fails if eight times the input costs far more than eight times as much. */
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

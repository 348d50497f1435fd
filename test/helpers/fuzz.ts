/**
 * Tests with random inputs. `npm test` runs one short round from a fixed seed. `npm run test:fuzz`
 * starts from a random seed, which it prints, and runs whole rounds until each test's time is up.
 */
import fc from 'fast-check';
import {test} from 'vitest';

const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
const budgetMs = Number(process.env['FUZZ_MS'] ?? 0);

/**
 * Defines a test of at least one round. Everything random in a round follows from its seed. The
 * error of a failed round begins with the seed that repeats it.
 */
export function fuzz(name: string, round: (seed: number) => void | Promise<void>): void {
	test(name, {tags: ['fuzz']}, async () => {
		const start = performance.now();
		let seed = firstSeed;
		do {
			try {
				await round(seed);
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				throw new Error(`FUZZ_SEED=${seed}: ${reason}`, {cause: error});
			}
			seed += 1;
		} while (performance.now() - start < budgetMs);
	});
}

/** Defines a test of a property, with `runs` inputs per whole round. */
export function fuzzProperty<Values>(
	name: string,
	runs: number,
	property: fc.IRawProperty<Values>,
): void {
	const numRuns = budgetMs > 0 ? runs : Math.ceil(runs / 5);
	fuzz(name, (seed) => fc.assert(property, {seed, numRuns}));
}

/** Runs jobs, a limited number at once. */

/**
 * Resolves when all jobs that were started have ended. After a failure no job starts, and the first
 * failure is thrown.
 *
 * @param jobs is read as jobs can start
 * @param isStopped whether no further job may start
 */
export async function runPool<Job>(
	jobs: Iterable<Job>,
	count: number,
	work: (job: Job) => Promise<void>,
	isStopped: () => boolean,
): Promise<void> {
	const source = jobs[Symbol.iterator]();
	const failures: unknown[] = [];
	const runJobs = async () => {
		try {
			while (failures.length === 0 && !isStopped()) {
				const next = source.next();
				if (next.done === true) return;
				await work(next.value);
			}
		} catch (error) {
			failures.push(error);
		}
	};
	await Promise.all(Array.from({length: count}, runJobs));
	source.return?.();
	if (failures.length > 0) throw failures[0];
}

/**
 * Lets one run at a time change a file. Threat: two runs read the same file, and the change of the
 * first one is lost.
 */
import {rmSync, statSync, writeFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/** A change takes a few milliseconds, so that an older lock is of a run that died. */
const staleMs = 3000;

/**
 * @param work is synchronous, so that it never holds the lock for long
 * @throws the system's error when the lock cannot be created
 */
export async function withLock<Result>(path: string, work: () => Result): Promise<Result> {
	while (!tryLock(path)) {
		const stats = statSync(path, {throwIfNoEntry: false});
		// A clock that was set back makes a lock of the future.
		const ageMs = stats === undefined ? 0 : Math.abs(Date.now() - stats.mtimeMs);
		if (ageMs > staleMs) rmSync(path, {force: true});
		await delay(1 + Math.random() * 10);
	}
	try {
		return work();
	} finally {
		rmSync(path, {force: true});
	}
}

function tryLock(path: string): boolean {
	try {
		writeFileSync(path, '', {flag: 'wx', mode: 0o600});
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
}

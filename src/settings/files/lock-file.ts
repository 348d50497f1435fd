/**
 * One run at a time: a file that only one run can create. A run that dies leaves it behind, so a
 * lock that stays the same for long enough counts as abandoned. That is measured by the clock of
 * the run that waits, because the time of a file may lie in the future.
 */
import {randomUUID} from 'node:crypto';
import {closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/** How long one change may take, which is next to nothing. */
const abandonedMs = 3000;

/** How long to wait while other runs are always faster. */
const limitMs = 30_000;

/**
 * @param work changes the file, and gets the id of the user that this process creates files as; not
 * asynchronous, so that the lock is never held for long
 * @param patienceMs how long the same lock may stay
 * @throws {Error} when other runs hold the lock for too long, or it cannot be created; anything
 * else that `work` throws
 */
export async function withLock<Result>(
	path: string,
	work: (uid: number) => Result,
	patienceMs = abandonedMs,
): Promise<Result> {
	const token = randomUUID();
	const start = performance.now();
	let seen = {text: '', since: start};
	for (;;) {
		const uid = createLock(path, token);
		if (uid !== undefined) return release(path, token, () => work(uid));
		const now = performance.now();
		if (now - start > limitMs) throw new Error('other runs keep changing it');
		const text = readLock(path);
		if (text !== seen.text) seen = {text, since: now};
		else if (now - seen.since > patienceMs) rmSync(path, {force: true});
		await delay(1 + Math.random() * 10);
	}
}

/** @returns the id of the owner of the new file, which is this user; undefined if there is one */
function createLock(path: string, token: string): number | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(path, 'wx', 0o600);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
		throw error;
	}
	try {
		writeFileSync(descriptor, token);
		return fstatSync(descriptor).uid;
	} finally {
		closeSync(descriptor);
	}
}

function release<Result>(path: string, token: string, work: () => Result): Result {
	try {
		return work();
	} finally {
		// A run that was stopped for long may find the lock of another one.
		if (readLock(path) === token) rmSync(path, {force: true});
	}
}

function readLock(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}

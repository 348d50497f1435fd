/**
 * Lets one run at a time change a file. Threat: two runs read the same file, and the change of the
 * first one is lost.
 */
import {randomUUID} from 'node:crypto';
import {closeSync, openSync, readFileSync, rmSync, writeSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/** A change takes a few milliseconds. */
const staleMs = 3000;

/** How long to wait while other runs keep being faster. */
const limitMs = 30_000;

/**
 * A run that dies leaves its lock behind, so one that stays the same for `patienceMs` is removed,
 * measured with a monotonic clock: the wall clock may jump.
 *
 * @param work is synchronous, so that it never holds the lock for long
 * @throws {Error} when other runs hold the lock for too long, or it cannot be created
 */
export async function withLock<Result>(
	path: string,
	work: () => Result,
	patienceMs = staleMs,
): Promise<Result> {
	const token = randomUUID();
	const start = performance.now();
	let seen = {token: '', since: start};
	while (!tryLock(path, token)) {
		const now = performance.now();
		if (now - start > limitMs) throw new Error('other runs keep changing it');
		const holder = readLock(path);
		if (holder !== seen.token) seen = {token: holder, since: now};
		else if (now - seen.since > patienceMs) rmSync(path, {force: true});
		await delay(1 + Math.random() * 10);
	}
	try {
		return work();
	} finally {
		// A run that was suspended may find the lock of another one.
		if (readLock(path) === token) rmSync(path, {force: true});
	}
}

function tryLock(path: string, token: string): boolean {
	let fd: number;
	try {
		fd = openSync(path, 'wx', 0o600);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
	try {
		writeSync(fd, token);
		return true;
	} catch (error) {
		// A full disk takes the file, but not the token.
		rmSync(path, {force: true});
		throw error;
	} finally {
		closeSync(fd);
	}
}

function readLock(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}

/**
 * Lets one run at a time change a file. Threat: two runs read the same file, and the change of the
 * first one is lost.
 */
import {randomUUID} from 'node:crypto';
import {closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/** How long to wait while other runs keep being faster. */
const limitMs = 30_000;

export type LockOptions = {
	/** How long a holder may be silent, in milliseconds: it shows that it is alive unless it is busy. */
	readonly patienceMs?: number;
	/** Ends the wait for the lock, not the work. */
	readonly signal?: AbortSignal;
	/** Returns the error to throw instead of waiting, once another run has shown that it is alive. */
	readonly refuse?: () => Error;
};

/**
 * A run that dies leaves its lock behind, so one that stays the same for `patienceMs` is removed,
 * measured with a monotonic clock: the wall clock may jump.
 *
 * @throws {Error} when other runs hold the lock for too long, or it cannot be created
 */
export async function withLock<Result>(
	path: string,
	work: () => Result | Promise<Result>,
	{patienceMs = 3000, signal, refuse}: LockOptions = {},
): Promise<Result> {
	const token = randomUUID();
	const start = performance.now();
	let seen = {token: '', since: start};
	while (!tryLock(path, token)) {
		signal?.throwIfAborted();
		const now = performance.now();
		if (now - start > limitMs) throw new Error('other runs keep changing it');
		const holder = readLock(path);
		if (holder !== seen.token) {
			const isAlive = seen.token !== '' && holder !== '';
			if (isAlive && refuse !== undefined) throw refuse();
			seen = {token: holder, since: now};
		} else if (now - seen.since > patienceMs) rmSync(path, {force: true});
		await delay(1 + Math.random() * 10);
	}
	// A run that was suspended may find the lock of another one.
	const isHeld = () => readLock(path).startsWith(token);
	let beats = 0;
	const beat = setInterval(() => {
		try {
			if (isHeld()) writeFileSync(path, `${token} ${++beats}`);
		} catch {
			// A lock that cannot be written, as on a full disk, becomes stale.
		}
	}, patienceMs / 6);
	try {
		return await work();
	} finally {
		clearInterval(beat);
		if (isHeld()) rmSync(path, {force: true});
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

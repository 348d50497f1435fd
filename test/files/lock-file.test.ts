import {existsSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {withLock} from '../../src/files/lock-file.ts';
import {createDirectory} from '../input/input-helpers.ts';

describe('a lock', () => {
	test('runs one change at a time, and is removed after the last one', async () => {
		const directory = createDirectory({file: ''});
		const file = join(directory, 'file');
		const lock = join(directory, 'lock');
		const add = (word: string) => () => {
			expect(existsSync(lock)).toBe(true);
			writeFileSync(file, `${readFileSync(file, 'utf8')} ${word}`);
		};
		const words = Array.from({length: 20}, (_, index) => `word${index}`);
		await Promise.all(words.map((word) => withLock(lock, add(word))));
		expect(new Set(readFileSync(file, 'utf8').trim().split(' '))).toEqual(new Set(words));
		expect(existsSync(lock)).toBe(false);
	});

	test('is released after a failure', async () => {
		const lock = join(createDirectory(), 'lock');
		const failing = withLock(lock, () => {
			throw new Error('ENOSPC');
		});
		await expect(failing).rejects.toThrow('ENOSPC');
		expect(existsSync(lock)).toBe(false);
	});

	test.each([
		['long ago', 1],
		['in the future', 4_000_000_000],
	])('of a run that died is removed, even if its time is %s', async (_, time) => {
		const directory = createDirectory({lock: 'left behind'});
		const lock = join(directory, 'lock');
		utimesSync(lock, time, time);
		expect(await withLock(lock, () => 'done', {patienceMs: 20})).toBe('done');
		expect(existsSync(lock)).toBe(false);
	});

	test('is kept while its holder waits for something', async () => {
		const lock = join(createDirectory(), 'lock');
		const patience = {patienceMs: 300};
		let isFirstDone = false;
		const first = withLock(
			lock,
			async () => {
				await delay(400);
				isFirstDone = true;
			},
			patience,
		);
		expect(await withLock(lock, () => isFirstDone, patience)).toBe(true);
		await first;
	});

	test('is waited for until a signal is aborted', async () => {
		const lock = join(createDirectory({lock: 'of another run'}), 'lock');
		const ending = new AbortController();
		const waiting = withLock(lock, () => 'done', {signal: ending.signal});
		ending.abort(new Error('enough'));
		await expect(waiting).rejects.toThrow('enough');
		expect(existsSync(lock)).toBe(true);
	});

	test('of another run stays after a change that took too long', async () => {
		const lock = join(createDirectory(), 'lock');
		await withLock(lock, () => writeFileSync(lock, 'of another run'));
		expect(readFileSync(lock, 'utf8')).toBe('of another run');
	});
});

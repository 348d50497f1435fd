import {Readable} from 'node:stream';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {createByteQueue} from '../../src/protocol/http/byte-queue.ts';

function create(gatherMs = 0) {
	const source = new Readable({read: () => undefined});
	let activity = 0;
	const queue = createByteQueue(source, {gatherMs, onActivity: () => activity++});
	return {source, queue, activity: () => activity};
}

const bytes = (length: number) => new Uint8Array(length);
const sizesOf = async (reading: Promise<readonly Uint8Array[] | undefined>) =>
	(await reading)?.map(({length}) => length);

describe('a byte queue', () => {
	it('hands out all that came since the last time', async () => {
		const {queue} = create();
		queue.push(bytes(1));
		queue.push(bytes(0));
		queue.push(bytes(2));
		expect(await sizesOf(queue.read())).toEqual([1, 2]);
		const next = queue.read();
		queue.push(bytes(3));
		expect(await sizesOf(next)).toEqual([3]);
	});

	it('hands out what came before a failure first', async () => {
		const {queue} = create();
		queue.push(bytes(1));
		queue.end('broken');
		queue.push(bytes(2));
		queue.end('later');
		expect(await sizesOf(queue.read())).toEqual([1]);
		expect(await queue.read()).toBeUndefined();
		expect(await queue.read()).toBeUndefined();
		expect(queue.failure).toBe('broken');
	});

	it('wakes a reader at the end', async () => {
		const {queue} = create();
		const reading = queue.read();
		queue.end(undefined);
		expect(await reading).toBeUndefined();
		expect(queue.failure).toBeUndefined();
	});

	it('pauses its source over 1 MiB, and tells when it goes on', async () => {
		const {source, queue, activity} = create();
		source.resume();
		queue.push(bytes(1024 * 1024));
		expect([queue.isPaused, source.isPaused(), queue.hasUnread]).toEqual([false, false, true]);
		queue.push(bytes(1));
		expect([queue.isPaused, source.isPaused(), queue.hasUnread]).toEqual([true, true, true]);
		expect(activity()).toBe(2);
		await queue.read();
		expect([queue.isPaused, source.isPaused(), queue.hasUnread]).toEqual([false, false, false]);
		expect(activity()).toBe(3);
		source.destroy();
	});

	it('lets what comes slowly gather before the next read, if it may', async () => {
		const {source, queue, activity} = create(20);
		source.resume();
		queue.push(bytes(100));
		await queue.read();
		expect([queue.isPaused, source.isPaused()]).toEqual([true, true]);
		await expect.poll(() => source.isPaused(), {interval: 1}).toBe(false);
		expect([queue.isPaused, activity()]).toEqual([false, 2]);
		source.destroy();
	});

	it('lets what comes fast in at once', async () => {
		const {source, queue} = create(60_000);
		source.resume();
		queue.push(bytes(16 * 1024));
		await queue.read();
		expect([queue.isPaused, source.isPaused()]).toEqual([false, false]);
		source.destroy();
	});

	it('leaves a source alone that has ended while it gathered', async () => {
		const {source, queue, activity} = create(1);
		source.resume();
		queue.push(bytes(1));
		await queue.read();
		queue.end('broken');
		expect(await queue.read()).toBeUndefined();
		await sleep(10);
		expect([source.isPaused(), activity()]).toEqual([true, 1]);
		source.destroy();
	});
});

import {Readable} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {createByteQueue} from '../../src/protocol/http/byte-queue.ts';

function create() {
	const source = new Readable({read: () => undefined});
	let activity = 0;
	const queue = createByteQueue(source, () => activity++);
	return {source, queue, activity: () => activity};
}

const bytes = (length: number) => new Uint8Array(length);
const sizesOf = async (reading: Promise<readonly Uint8Array[] | undefined>) =>
	(await reading)?.map(({length}) => length);

describe('a byte queue', () => {
	it('returns everything that came since the last read, before a failure too', async () => {
		const {queue} = create();
		const first = queue.read();
		queue.push(bytes(3));
		expect(await sizesOf(first)).toEqual([3]);
		for (const size of [1, 0, 2]) queue.push(bytes(size));
		queue.end('broken');
		queue.push(bytes(4));
		queue.end('later');
		expect(await sizesOf(queue.read())).toEqual([1, 2]);
		expect(await queue.read()).toBeUndefined();
		expect(queue.failure).toBe('broken');
	});

	it('pauses its source over 1 MiB, and resumes it unless it has ended', async () => {
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
		queue.push(bytes(1024 * 1024 + 1));
		queue.end('broken');
		await queue.read();
		expect([source.isPaused(), activity()]).toEqual([true, 4]);
		source.destroy();
	});
});

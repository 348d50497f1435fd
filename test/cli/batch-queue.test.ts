/** Batches between a loop that pushes and one that pulls: all of them, in order, none waited for. */
import {describe, expect, test} from 'vitest';
import type {ChatEventBatch} from '../../src/chat/event.ts';
import {type BatchQueue, createBatchQueue} from '../../src/cli/batch-queue.ts';

function batch(text: string): ChatEventBatch {
	return [{type: 'text-delta', text}];
}

function textOf(batches: readonly ChatEventBatch[]): string {
	return batches
		.flat()
		.map((event) => (event.type === 'text-delta' ? event.text : ''))
		.join('');
}

async function readAll(queue: BatchQueue): Promise<readonly ChatEventBatch[]> {
	const batches: ChatEventBatch[] = [];
	for await (const next of queue) batches.push(next);
	return batches;
}

describe('what is pushed', () => {
	test('before anybody reads is kept', async () => {
		const queue = createBatchQueue();
		for (const text of 'abc') queue.push(batch(text));
		queue.end();
		expect(textOf(await readAll(queue))).toBe('abc');
	});

	test('while somebody waits arrives', async () => {
		const queue = createBatchQueue();
		const reader = queue[Symbol.asyncIterator]();
		const first = reader.next();
		queue.push(batch('a'));
		expect((await first).value).toEqual(batch('a'));
		const second = reader.next();
		queue.push(batch('b'));
		queue.push(batch('c'));
		expect((await second).value).toEqual(batch('b'));
		expect((await reader.next()).value).toEqual(batch('c'));
		const last = reader.next();
		queue.end();
		expect((await last).done).toBe(true);
	});

	test('between two reads is not overtaken', async () => {
		const queue = createBatchQueue();
		const reader = queue[Symbol.asyncIterator]();
		queue.push(batch('a'));
		queue.push(batch('b'));
		const seen = [(await reader.next()).value];
		queue.push(batch('c'));
		queue.end();
		for (let next = await reader.next(); !next.done; next = await reader.next()) {
			seen.push(next.value);
		}
		expect(textOf(seen)).toBe('abc');
	});

	test('in bursts of any size comes out whole', async () => {
		const queue = createBatchQueue();
		const read = readAll(queue);
		let pushed = '';
		for (let burst = 0; burst < 50; burst += 1) {
			for (let index = 0; index < burst % 7; index += 1) {
				pushed += `${burst}.${index} `;
				queue.push(batch(`${burst}.${index} `));
			}
			await Promise.resolve();
		}
		queue.end();
		expect(textOf(await read)).toBe(pushed);
	});
});

test('a queue that ends empty gives nothing', async () => {
	const queue = createBatchQueue();
	const read = readAll(queue);
	queue.end();
	expect(await read).toEqual([]);
});

import {Readable} from 'node:stream';
import {describe, expect, test, vi} from 'vitest';
import {readStdin} from '../../src/input/read-bytes.ts';
import {inputOf, neverAborted, openInput} from './input-helpers.ts';

const signal = neverAborted;

test('all pieces are read to the end', async () => {
	const bytes = await readStdin(inputOf('data', 'one ', new Uint8Array([0, 255]), ' two'), {
		signal,
	});
	expect(Buffer.from(bytes)).toEqual(Buffer.from('one \x00\xff two', 'latin1'));
});

test('an empty stream gives no bytes', async () => {
	expect(await readStdin(inputOf('data'), {signal})).toHaveLength(0);
});

test('a stream of strings is read as UTF-8', async () => {
	const stream = Readable.from(['é', '日']);
	const bytes = await readStdin({kind: 'data', read: () => stream}, {signal});
	expect(Buffer.from(bytes).toString()).toBe('é日');
});

describe('slow input', () => {
	test('is announced and then read in full', async () => {
		const {input, stream} = openInput();
		const bytes = readStdin(input, {
			signal,
			waitingAfterMs: 5,
			onWaiting() {
				stream.push('late');
				stream.push(null);
			},
		});
		expect(Buffer.from(await bytes).toString()).toBe('late');
	});

	test('is announced when it falls silent in the middle', async () => {
		const {input, stream} = openInput();
		stream.push('early, ');
		const onWaiting = () => {
			stream.push('late');
			stream.push(null);
		};
		const bytes = await readStdin(input, {signal, waitingAfterMs: 20, onWaiting});
		expect(Buffer.from(bytes).toString()).toBe('early, late');
	});

	test('is announced when it was silent for the whole time since its last piece', async () => {
		const {input, stream} = openInput();
		let silentSince = 0;
		let silentMs = 0;
		setTimeout(() => {
			silentSince = performance.now();
			stream.push('a');
		}, 25);
		const onWaiting = () => {
			silentMs = performance.now() - silentSince;
			stream.push(null);
		};
		await readStdin(input, {signal, waitingAfterMs: 50, onWaiting});
		expect(silentMs).toBeGreaterThan(48);
	});

	test('is announced only once', async () => {
		const {input, stream} = openInput();
		const onWaiting = vi.fn();
		const bytes = readStdin(input, {signal, waitingAfterMs: 5, onWaiting});
		await vi.waitUntil(() => onWaiting.mock.calls.length > 0, {interval: 2});
		stream.push('a');
		// Another silence of the same length, seen by another reader.
		await new Promise<void>((resolve) => {
			const other = openInput();
			const end = () => {
				other.stream.push(null);
				resolve();
			};
			void readStdin(other.input, {signal, waitingAfterMs: 15, onWaiting: end});
		});
		stream.push(null);
		await bytes;
		expect(onWaiting).toHaveBeenCalledTimes(1);
	});

	test('is not announced when it comes in time', async () => {
		const onWaiting = vi.fn();
		await readStdin(inputOf('data', 'fast'), {signal, onWaiting});
		expect(onWaiting).not.toHaveBeenCalled();
	});
});

describe('limits and failures', () => {
	test('exactly the limit is read', async () => {
		const bytes = await readStdin(inputOf('data', 'abc', 'de'), {signal, maxBytes: 5});
		expect(bytes).toHaveLength(5);
	});

	test('more than the limit is refused as bad data, and no more is read', async () => {
		const stream = new Readable({
			read() {
				this.push(Buffer.alloc(400_000));
			},
		});
		const bytes = readStdin({kind: 'data', read: () => stream}, {signal, maxBytes: 65_536});
		await expect(bytes).rejects.toMatchObject({
			kind: 'data',
			message: 'stdin is larger than the 64 KiB limit',
		});
		expect(stream.destroyed).toBe(true);
	});

	test('a stream that fails is input that cannot be read', async () => {
		const {input, stream} = openInput();
		const bytes = readStdin(input, {signal});
		stream.push('some');
		stream.destroy(Object.assign(new Error('read EIO'), {code: 'EIO'}));
		await expect(bytes).rejects.toMatchObject({
			kind: 'input',
			message: 'cannot read stdin: input/output error',
			details: {code: 'EIO'},
		});
	});
});

describe('an abort', () => {
	test('rejects with its reason and destroys the stream, though nothing comes', async () => {
		const {input, stream} = openInput();
		const controller = new AbortController();
		const reason = new Error('stopped by the user');
		const bytes = readStdin(input, {signal: controller.signal});
		stream.push('some');
		controller.abort(reason);
		await expect(bytes).rejects.toBe(reason);
		expect(stream.destroyed).toBe(true);
	});

	test('before the start reads nothing', async () => {
		const {input, stream} = openInput();
		const reason = new Error('stopped before');
		await expect(readStdin(input, {signal: AbortSignal.abort(reason)})).rejects.toBe(reason);
		expect(stream.destroyed).toBe(true);
	});

	test('after the end changes nothing', async () => {
		const controller = new AbortController();
		const bytes = await readStdin(inputOf('data', 'all'), {signal: controller.signal});
		controller.abort();
		expect(Buffer.from(bytes).toString()).toBe('all');
	});
});

import {Writable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {createOutputStream} from '../src/environment.ts';

type Done = (error?: Error | null) => void;

/** A stream whose writes end when the test says so. */
function createSlowStream(highWaterMark = 16) {
	const writes: Array<{readonly text: string; readonly done: Done}> = [];
	const stream = new Writable({
		highWaterMark,
		write(chunk: Buffer, _encoding, done) {
			writes.push({text: chunk.toString(), done});
		},
	});
	const finish = (error?: Error) => writes.shift()?.done(error);
	return {stream, finish};
}

function errorOf(code: string): Error {
	return Object.assign(new Error(`write ${code}`), {code});
}

describe('an output stream', () => {
	test('asks to wait only when the reader is slow', async () => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		expect(output.write('short')).toBeUndefined();
		const waiting = output.write('longer than the high-water mark');
		expect(waiting).toBeInstanceOf(Promise);
		finish();
		finish();
		await expect(waiting).resolves.toBeUndefined();
	});

	test('is flushed once all has left', async () => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		void output.write('text');
		let isFlushed = false;
		const flushed = output.flush().then(() => {
			isFlushed = true;
		});
		await Promise.resolve();
		expect(isFlushed).toBe(false);
		finish();
		finish();
		await flushed;
	});

	test.each([
		['EPIPE', 'closed'],
		['ENOSPC', 'output'],
		['EIO', 'output'],
	])('that fails with %s fails with kind %s, then and ever after', async (code, kind) => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		const waiting = output.write('longer than the high-water mark');
		finish(errorOf(code));
		await expect(waiting).rejects.toMatchObject({kind});
		expect(() => output.write('more')).toThrow(expect.objectContaining({kind}));
		await expect(output.flush()).rejects.toMatchObject({kind});
	});

	test('that breaks while it is flushed does not pass for flushed', async () => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		void output.write('text');
		const flushed = output.flush();
		finish(errorOf('EPIPE'));
		await expect(flushed).rejects.toMatchObject({kind: 'closed'});
	});
});

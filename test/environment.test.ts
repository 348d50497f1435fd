import {Writable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {createOutputStream, type OutputStream} from '../src/environment.ts';
import {createProcessEnvironment} from '../src/process-environment.ts';

const long = 'longer than the high-water mark';

type Done = (error?: Error | null) => void;

/** A stream whose writes the test completes. */
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
		const waiting = output.write(long);
		expect(waiting).toBeInstanceOf(Promise);
		finish();
		finish();
		await expect(waiting).resolves.toBeUndefined();
	});

	test('is flushed when everything is written', async () => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		void output.write('text');
		const flushed = output.flush();
		expect(await Promise.race([flushed, 'not yet'])).toBe('not yet');
		finish();
		finish();
		await flushed;
	});

	test.each([
		['EPIPE', 'closed'],
		['ENOSPC', 'output'],
	])('that fails with %s fails with kind %s, and every later write too', async (code, kind) => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		const waiting = output.write(long);
		finish(errorOf(code));
		await expect(waiting).rejects.toMatchObject({kind});
		expect(() => output.write('more')).toThrow(expect.objectContaining({kind}));
		await expect(output.flush()).rejects.toMatchObject({kind});
	});

	test.each([
		['two writes', (output: OutputStream) => [output.write(long), output.write(long)]],
		['two flushes', (output: OutputStream) => [output.flush(), output.flush()]],
	])('that fails rejects every waiting write: %s', async (_, start) => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		void output.write('text');
		const waiting = Promise.allSettled(start(output));
		finish(errorOf('EPIPE'));
		const failed = {status: 'rejected', reason: expect.objectContaining({kind: 'closed'})};
		expect(await waiting).toEqual([failed, failed]);
		expect(stream.listenerCount('drain')).toBe(0);
	});

	test('that is slow releases all waiting writes when it drains', async () => {
		const {stream, finish} = createSlowStream();
		const output = createOutputStream(stream, false);
		const waiting = Promise.all([output.write(long), output.write(long)]);
		finish();
		finish();
		await expect(waiting).resolves.toEqual([undefined, undefined]);
		expect(stream.listenerCount('drain')).toBe(0);
	});
});

test('the process makes ids of eight characters, all different', () => {
	const {createId} = createProcessEnvironment();
	const ids = Array.from({length: 1000}, createId);
	expect(ids.filter((id) => !/^[0-9a-v]{8}$/.test(id))).toEqual([]);
	expect(new Set(ids).size).toBe(ids.length);
});

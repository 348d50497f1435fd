import {chmodSync, mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {pathHint, readFileBytes, readStdin} from '../../src/input/read-bytes.ts';
import {createDirectory, inputOf, neverAborted, openInput} from './input-helpers.ts';

const signal = neverAborted;

test('all pieces are read to the end', async () => {
	const bytes = await readStdin(inputOf('data', 'one ', new Uint8Array([0, 255]), ' two'), {
		signal,
	});
	expect(Buffer.from(bytes)).toEqual(Buffer.from('one \x00\xff two', 'latin1'));
});

describe('slow input', () => {
	const limitMs = 3000;

	beforeEach(() => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	test('is announced when it was silent for the whole time since its last piece, and only once', async () => {
		const {input, stream} = openInput();
		const onWaiting = vi.fn();
		const bytes = readStdin(input, {signal, onWaiting});
		vi.advanceTimersByTime(limitMs - 1);
		stream.push('a');
		await setImmediate();
		vi.advanceTimersByTime(limitMs - 1);
		expect(onWaiting).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(onWaiting).toHaveBeenCalledTimes(1);
		stream.push('b');
		await setImmediate();
		vi.advanceTimersByTime(2 * limitMs);
		expect(onWaiting).toHaveBeenCalledTimes(1);
		stream.push(null);
		await bytes;
	});
});

describe('limits and failures', () => {
	test('more than the limit is refused as bad data, and no more is read', async () => {
		const exact = inputOf('data', 'abc', 'de');
		expect(await readStdin(exact, {signal, maxBytes: 5})).toHaveLength(5);
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

test('an abort rejects with its reason and destroys the stream, though nothing comes', async () => {
	const {input, stream} = openInput();
	const controller = new AbortController();
	const reason = new Error('stopped by the user');
	const bytes = readStdin(input, {signal: controller.signal});
	stream.push('some');
	controller.abort(reason);
	await expect(bytes).rejects.toBe(reason);
	expect(stream.destroyed).toBe(true);
});

describe('a file that cannot be read says what, which file, and what next', () => {
	const missing = {kind: 'input', details: {code: 'ENOENT', hint: pathHint}};
	const noFile = {kind: 'data', details: {hint: 'Name a regular file.'}};

	async function expectFailure(path: string, failure: object, cwd = createDirectory({a: ''})) {
		await expect(readFileBytes(path, 1000, {cwd})).rejects.toMatchObject(failure);
	}

	test.each([
		['gone', {...missing, message: 'no such file: gone'}],
		['folder', {...noFile, message: 'folder is a directory, not a file'}],
		['/dev/zero', {...noFile, message: '/dev/zero is a device, not a file'}],
		['loop', {kind: 'input', message: 'cannot read loop: too many symbolic links'}],
	])('%s', async (path, failure) => {
		const cwd = createDirectory({a: ''});
		mkdirSync(join(cwd, 'folder'));
		symlinkSync('loop', join(cwd, 'loop'));
		await expectFailure(path, failure, cwd);
	});

	test.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
		const cwd = createDirectory({secret: 'x'});
		chmodSync(join(cwd, 'secret'), 0);
		const message = 'cannot read secret: permission denied';
		await expectFailure('secret', {kind: 'input', message}, cwd);
	});
});

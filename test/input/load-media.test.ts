import {execFileSync} from 'node:child_process';
import {truncateSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type LoadedAttachments, loadMedia, mediaFromBytes} from '../../src/input/load-media.ts';
import type {FileSource} from '../../src/input/read-bytes.ts';
import {createDirectory, pixelGif, pixelJpeg, pixelPng, pixelWebp} from './input-helpers.ts';

const mebibyte = 1_048_576;
const dataUrl = (mediaType: string, bytes: Uint8Array) =>
	`data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;

async function loadImage(source: string, from: FileSource) {
	return imageOf(await loadMedia(source, 'image', from));
}

function imageFromBytes(bytes: Uint8Array, name: string) {
	return imageOf(mediaFromBytes(bytes, name, 'image'));
}

function imageOf({attachments: [image], notices}: LoadedAttachments) {
	if (image?.type !== 'image' || image.part.type !== 'image') throw new Error('not an image');
	return {part: image.part, notices};
}

describe('an image whose end is missing', () => {
	test.each([
		['PNG', pixelPng],
		['JPEG', pixelJpeg],
		// A preview in the headers has an end of its own.
		['JPEG with a preview', withPreview(pixelJpeg)],
		['WebP', pixelWebp],
	])('is refused: %s', async (_, bytes) => {
		for (const length of [20, bytes.length - 10]) {
			const cwd = createDirectory({picture: bytes.subarray(0, length)});
			await expect(loadImage('picture', {cwd})).rejects.toMatchObject({
				kind: 'data',
				message: 'picture is a broken image: its end is missing',
			});
		}
		const cwd = createDirectory({picture: Buffer.concat([bytes, Buffer.from('more')])});
		await expect(loadImage('picture', {cwd})).resolves.toBeDefined();
	});

	function withPreview(jpeg: Buffer): Buffer {
		const head = Buffer.from([0xff, 0xe1, 0, 0]);
		head.writeUInt16BE(jpeg.length + 2, 2);
		return Buffer.concat([jpeg.subarray(0, 2), head, jpeg, jpeg.subarray(2)]);
	}
});

describe('a file becomes a data: URL', () => {
	test('with a notice above 4 MiB, and none at it', async () => {
		const cwd = createDirectory({'large.png': pixelPng, 'medium.png': pixelPng});
		truncateSync(join(cwd, 'large.png'), 4 * mebibyte + 1);
		truncateSync(join(cwd, 'medium.png'), 4 * mebibyte);
		const large = await loadImage('large.png', {cwd});
		expect(large.notices).toEqual([
			{code: 'image-large', message: expect.stringMatching(/^large\.png is large \(4\.0 MiB\)/)},
		]);
		expect((await loadImage('medium.png', {cwd})).notices).toEqual([]);
	});

	test('up to 20 MiB', async () => {
		const cwd = createDirectory({'over.png': pixelPng});
		truncateSync(join(cwd, 'over.png'), 20 * mebibyte + 1);
		await expect(loadImage('over.png', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: 'over.png is larger than the 20 MiB limit',
		});
	});
});

describe('what cannot be sent as an image says what, which file, and what next', () => {
	test('a text file, which -f takes', async () => {
		const cwd = createDirectory({'notes.txt': 'some notes'});
		await expect(loadImage('notes.txt', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: 'notes.txt is not an image: png, jpeg, gif and webp are supported',
			details: {hint: {repl: 'Attach a text file with /file.'}},
		});
	});

	test('a pipe that nobody writes to, without waiting for it', async () => {
		const cwd = createDirectory();
		execFileSync('mkfifo', [join(cwd, 'pipe')]);
		await expect(loadImage('pipe', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: 'pipe is a pipe, not a file',
		});
	});
});

describe('an http URL', () => {
	test('is sent as it is', async () => {
		const url = 'HTTPS://EXAMPLE.com/Photo%20one.png?b=c#d';
		expect(await loadImage(url, {cwd: '/'})).toEqual({part: {type: 'image', url}, notices: []});
	});

	test.each(['https://hunter2@example.com/a.png', 'http://:hunter2@example.com/'])(
		'with a user or a password is refused without repeating them: %s',
		async (url) => {
			const error = await loadImage(url, {cwd: '/'}).catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({kind: 'usage', message: expect.stringContaining('example.com')});
			expect(JSON.stringify(error) + String(error)).not.toContain('hunter2');
		},
	);

	test.each(['http:photo.png', 'https://user:hunter2@ho st/'])(
		'that does not parse is bad data, and is not repeated: %s',
		async (url) => {
			const error = await loadImage(url, {cwd: '/'}).catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({kind: 'data', message: 'the image URL is not valid'});
			expect(JSON.stringify(error)).not.toContain('hunter2');
		},
	);
});

describe('a data: URL', () => {
	test('of an image is sent, with the type of its bytes', async () => {
		for (const type of ['image/gif', 'IMAGE/GIF', 'image/png', 'text/plain']) {
			const {part} = await loadImage(dataUrl(type, pixelGif), {cwd: '/'});
			expect(part).toEqual({type: 'image', url: dataUrl('image/gif', pixelGif)});
		}
	});

	test.each([
		['without base64', 'data:image/png,abc', 'is not an image'],
		['of text', dataUrl('text/plain', Buffer.from('hello')), 'is not an image'],
	])('%s is bad data', async (_name, url, message) => {
		await expect(loadImage(url, {cwd: '/'})).rejects.toMatchObject({
			kind: 'data',
			message: expect.stringContaining(message),
		});
	});
});

describe('bytes that came without a file', () => {
	test('become a part, also as a window into a larger buffer', () => {
		const larger = Buffer.concat([Buffer.alloc(7), pixelPng, Buffer.alloc(9)]);
		const window = new Uint8Array(larger.buffer, larger.byteOffset + 7, pixelPng.length);
		expect(imageFromBytes(window, 'stdin').part.url).toBe(dataUrl('image/png', pixelPng));
	});

	test('are checked under their name', () => {
		const refusal = (bytes: Uint8Array) => () => imageFromBytes(bytes, 'stdin');
		expect(refusal(new Uint8Array())).toThrow('stdin is empty');
		expect(refusal(Buffer.from('text'))).toThrow('stdin is not an image');
		const large = Buffer.concat([pixelPng, Buffer.alloc(20 * mebibyte)]);
		expect(refusal(large)).toThrow('stdin is larger than the 20 MiB limit');
	});
});

import {expect, test} from 'vitest';
import {detectImage, detectMedia} from '../src/media-type.ts';

/** Latin-1: one character is one byte. */
const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
	['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
	['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
	['image/gif', 'GIF87a\x0a\0\x2c\x01'],
	['image/gif', 'GIF89a'],
	['image/webp', 'RIFF\x24\n\0\0WEBPVP8 '],
])('%s is detected by its first bytes: %j', (type, beginning) => {
	expect(detectImage(bytes(beginning))).toBe(type);
	expect(detectImage(bytes(`before${beginning}`).subarray('before'.length))).toBe(type);
});

test.each([
	['application/pdf', '%PDF-1.7'],
	['audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
	['audio/mpeg', 'ID3\x04\0\0'],
	['audio/mpeg', '\xff\xfb\x90\x64'],
	['image/gif', 'GIF89a'],
	[undefined, 'ID3 tags'],
	[undefined, '\xff\xf1\x50\x80'],
	[undefined, 'text'],
])('%s is what a request can carry: %j', (type, beginning) => {
	expect(detectMedia(bytes(beginning))).toBe(type);
});

test.each([
	['nothing', ''],
	['text', 'hello'],
	['svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
	['bmp', 'BM\x36\0\0\0'],
	['pdf', '%PDF-1.7'],
	['avif', '\0\0\0\x20ftypavif'],
	['another riff', 'RIFF\x24\0\0\0WAVEfmt '],
	['a beginning cut short', '\x89PNG'],
	['gif of no known version', 'GIF90a\x01\0\x01\0'],
])('%s is not an image', (_, content) => {
	expect(detectImage(bytes(content))).toBeUndefined();
});

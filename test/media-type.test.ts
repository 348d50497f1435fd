import {expect, test} from 'vitest';
import {detectImage, detectMedia} from '../src/media-type.ts';

test.each([
	['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
	['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
	['image/gif', 'GIF87a\x0a\0\x2c\x01'],
	['image/gif', 'GIF89a'],
	['image/webp', 'RIFF\x24\n\0\0WEBPVP8 '],
	['application/pdf', '%PDF-1.7'],
	['audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
	['audio/mpeg', 'ID3\x04\0\0'],
	['audio/mpeg', '\xff\xfb\x90\x64'],
	[undefined, 'ID3 tags'],
	[undefined, '\xff\xf1\x50\x80'],
	[undefined, ''],
	[undefined, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
	[undefined, 'RIFF\x24\0\0\0AVI fmt '],
	[undefined, '\x89PNG'],
	[undefined, 'GIF90a\x01\0\x01\0'],
])('%s begins with %j', (type, beginning) => {
	// Latin-1: one character is one byte.
	const bytes = Buffer.from(`before${beginning}`, 'latin1').subarray('before'.length);
	expect(detectMedia(bytes)).toBe(type);
	expect(detectImage(bytes)).toBe(type?.startsWith('image/') ? type : undefined);
});

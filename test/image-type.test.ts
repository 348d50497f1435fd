import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {detectImage} from '../src/image-type.ts';
import {fuzzProperty} from './helpers/fuzz.ts';

/** Latin-1: one character is one byte. */
const bytes = (...pieces: readonly (string | readonly number[])[]) =>
	Buffer.concat(
		pieces.map((p) => (typeof p === 'string' ? Buffer.from(p, 'latin1') : Buffer.from(p))),
	);

const pngStart = '\x89PNG\r\n\x1a\n';
const png = bytes(
	pngStart,
	[0, 0, 0, 13],
	'IHDR',
	[0, 0, 2, 0x80],
	[0, 0, 1, 0xe0],
	[8, 6, 0, 0, 0],
);

const frame = (marker: number, height: number, width: number) =>
	bytes(
		[0xff, marker, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255],
		[3, 1, 0x22, 0],
	);
const jfif = bytes([0xff, 0xe0, 0, 16], 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0]);
const huffmanTable = bytes([0xff, 0xc4, 0, 5, 0, 0, 0]);
const jpeg = bytes([0xff, 0xd8], [...jfif], [...huffmanTable], [...frame(0xc0, 600, 800)]);

const riff = (fourCc: string, payload: readonly number[]) =>
	bytes('RIFF', [100, 0, 0, 0], 'WEBP', fourCc, [payload.length, 0, 0, 0], payload);
const lossyWebp = riff('VP8 ', [0x30, 1, 0, 0x9d, 1, 0x2a, 0x40, 0x41, 0xf0, 0x80]);
/** Width 300, height 200, each stored less one in 14 bits. */
const losslessBits = (300 - 1) | ((200 - 1) << 14);
const losslessWebp = riff('VP8L', [
	0x2f,
	losslessBits & 255,
	(losslessBits >> 8) & 255,
	(losslessBits >> 16) & 255,
	losslessBits >>> 24,
]);
const extendedWebp = riff('VP8X', [0x10, 0, 0, 0, 0xff, 0xff, 0x01, 0x2b, 1, 0]);

describe('the four types are detected from their bytes, with their size', () => {
	const samples: ReadonlyArray<readonly [string, Uint8Array, string, number, number]> = [
		['png', png, 'image/png', 640, 480],
		['jpeg', jpeg, 'image/jpeg', 800, 600],
		[
			'progressive jpeg with fill bytes',
			bytes([0xff, 0xd8], [...jfif], [0xff, 0xff], [...frame(0xc2, 7, 9)]),
			'image/jpeg',
			9,
			7,
		],
		['gif 87a', bytes('GIF87a', [10, 0, 0x2c, 1]), 'image/gif', 10, 300],
		['gif 89a', bytes('GIF89a', [1, 0, 1, 0]), 'image/gif', 1, 1],
		['webp, lossy', lossyWebp, 'image/webp', 320, 240],
		['webp, lossless', losslessWebp, 'image/webp', 300, 200],
		['webp, extended', extendedWebp, 'image/webp', 131072, 300],
	];
	test.each(samples)('%s', (_name, image, mediaType, width, height) => {
		expect(detectImage(image)).toEqual({mediaType, width, height});
	});

	test('a view of a larger buffer', () => {
		const larger = bytes('some bytes before', [...png], 'and after');
		expect(detectImage(larger.subarray(17, 17 + png.length))).toEqual(detectImage(png));
	});

	test('a thumbnail inside a segment is not the image', () => {
		const thumbnail = bytes([0xff, 0xd8], [...frame(0xc0, 1, 1)]);
		const exif = bytes([0xff, 0xe1, 0, 2 + thumbnail.length], [...thumbnail]);
		const image = bytes([0xff, 0xd8], [...exif], [...frame(0xc1, 50, 60)]);
		expect(detectImage(image)).toEqual({mediaType: 'image/jpeg', width: 60, height: 50});
	});
});

describe('anything else is undefined', () => {
	test.each([
		['nothing', ''],
		['text', 'hello'],
		['svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
		['bmp', 'BM\x36\0\0\0'],
		['pdf', '%PDF-1.7'],
		['avif', '\0\0\0\x20ftypavif'],
		['another riff', 'RIFF\x24\0\0\0WAVEfmt '],
		['a magic number cut short', '\x89PNG\r\n\x1a'],
		['gif of no known version', 'GIF90a\x01\0\x01\0'],
	])('%s', (_name, content) => {
		expect(detectImage(bytes(content))).toBeUndefined();
	});
});

describe('a truncated or odd header gives the size 0', () => {
	const odd: ReadonlyArray<readonly [string, Uint8Array, string]> = [
		['png, cut', png.subarray(0, 23), 'image/png'],
		[
			'png without IHDR first',
			bytes(pngStart, [0, 0, 0, 4], 'CgBI', [0, 0, 0, 9, 0, 0, 0, 9]),
			'image/png',
		],
		[
			'png over 2^31',
			bytes(pngStart, [0, 0, 0, 13], 'IHDR', [255, 0, 0, 0, 0, 0, 0, 1]),
			'image/png',
		],
		[
			'png with no height',
			bytes(pngStart, [0, 0, 0, 13], 'IHDR', [0, 0, 0, 1, 0, 0, 0, 0]),
			'image/png',
		],
		['gif, cut', bytes('GIF89a', [1, 0, 1]), 'image/gif'],
		['jpeg, cut', jpeg.subarray(0, 30), 'image/jpeg'],
		[
			'jpeg with a segment length of 0',
			bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0], [...jfif]),
			'image/jpeg',
		],
		[
			'jpeg with pixels before a frame',
			bytes([0xff, 0xd8, 0xff, 0xda, 0, 2], [...frame(0xc0, 3, 3)]),
			'image/jpeg',
		],
		[
			'jpeg without markers',
			bytes([0xff, 0xd8, 0xff, 0xe0, 0, 3, 0], 'no markers here'),
			'image/jpeg',
		],
		['webp, cut', lossyWebp.subarray(0, 29), 'image/webp'],
		['webp, lossless, cut', losslessWebp.subarray(0, 24), 'image/webp'],
		[
			'webp that starts in the middle',
			riff('VP8 ', [0x31, 1, 0, 9, 9, 9, 9, 9, 9, 9]),
			'image/webp',
		],
		['webp of an unknown chunk', riff('WHAT', new Array(20).fill(7)), 'image/webp'],
	];
	test.each(odd)('%s', (_name, image, mediaType) => {
		expect(detectImage(image)).toEqual({mediaType, width: 0, height: 0});
	});
});

const starts = [png, jpeg, lossyWebp, losslessWebp, extendedWebp, bytes('GIF89a')];
const start = fc
	.constantFrom(...starts)
	.chain((image) => fc.nat({max: image.length}).map((length) => image.subarray(0, length)));
fuzzProperty(
	'no bytes make it throw, and sizes are whole and never negative',
	100,
	fc.property(start, fc.uint8Array({maxLength: 60}), (head, tail) => {
		const image = detectImage(Buffer.concat([head, tail]));
		if (image === undefined) return;
		expect(Number.isInteger(image.width) && image.width >= 0).toBe(true);
		expect(Number.isInteger(image.height) && image.height >= 0).toBe(true);
		expect(image.width === 0).toBe(image.height === 0);
	}),
);

test('a JPEG of only small segments is read in linear time', () => {
	const image = new Uint8Array(4_000_000).fill(0xff);
	for (let offset = 2; offset + 4 <= image.length; offset += 4) {
		image.set([0xff, 0xe0, 0, 2], offset);
	}
	image.set([0xff, 0xd8]);
	expect(detectImage(image)).toEqual({mediaType: 'image/jpeg', width: 0, height: 0});
});

import {describe, expect, test} from 'vitest';
import {
	type Colour,
	dataUrl,
	makeGif,
	makeJpeg,
	makePng,
	makeSolidPng,
	makeWebp,
} from './helpers/images.ts';
import {ask, bodyOf, post, serve} from './helpers/service.ts';

const sol = {model: 'MODEL-5.6-sol'};

function imagePart(url: string) {
	return {type: 'image_url', image_url: {url}};
}

async function describeImage(mediaType: string, bytes: Uint8Array): Promise<string> {
	const {url} = await serve();
	const parts = [{type: 'text', text: 'what is this?'}, imagePart(dataUrl(mediaType, bytes))];
	return await ask(url, parts, sol);
}

/** A 2 x 2 image of every PNG kind, all of it (nearly) one colour. */
const pngs: ReadonlyArray<readonly [name: string, bytes: Buffer, colour: string]> = [
	[
		'grey of 1 bit',
		makePng({width: 2, height: 2, bitDepth: 1, colourType: 0}, Buffer.from([0, 0xc0, 0, 0xc0])),
		'white (#ffffff)',
	],
	[
		'grey of 2 bits',
		makePng({width: 2, height: 2, bitDepth: 2, colourType: 0}, Buffer.from([0, 0x50, 0, 0x50])),
		'dark grey (#555555)',
	],
	[
		'grey of 8 bits',
		makePng({width: 2, height: 2, bitDepth: 8, colourType: 0}, Buffer.from([0, 0, 0, 0, 0, 0])),
		'black (#000000)',
	],
	[
		'grey of 16 bits',
		makePng({width: 1, height: 1, bitDepth: 16, colourType: 0}, Buffer.from([0, 0xff, 0xff])),
		'white (#ffffff)',
	],
	['colours of 8 bits', makeSolidPng(2, 2, [255, 0, 0]), 'red (#ff0000)'],
	[
		'colours of 16 bits',
		makePng(
			{width: 1, height: 1, bitDepth: 16, colourType: 2},
			Buffer.from([0, 0, 9, 0, 9, 0xff, 9]),
		),
		'blue (#0000ff)',
	],
	[
		'a palette',
		makePng(
			{width: 4, height: 1, bitDepth: 2, colourType: 3, palette: [0, 0, 0, 0, 160, 0, 9, 9, 9]},
			Buffer.from([0, 0b01010100]),
		),
		'green (#00a000)',
	],
	[
		'a palette with a transparent entry',
		makePng(
			{
				width: 4,
				height: 1,
				bitDepth: 2,
				colourType: 3,
				palette: [0, 0, 0, 0, 160, 0],
				transparency: [255, 0],
			},
			Buffer.from([0, 0b01010100]),
		),
		'black (#000000)',
	],
	[
		'grey with alpha',
		makePng({width: 2, height: 1, bitDepth: 8, colourType: 4}, Buffer.from([0, 255, 255, 0, 0])),
		'white (#ffffff)',
	],
	[
		'colours with alpha',
		makePng(
			{width: 2, height: 1, bitDepth: 8, colourType: 6},
			Buffer.from([0, 9, 9, 9, 0, 255, 255, 0, 255]),
		),
		'yellow (#ffff00)',
	],
	[
		'the filters sub and up',
		makePng(
			{width: 3, height: 2, bitDepth: 8, colourType: 0},
			Buffer.from([1, 200, 0, 0, 2, 0, 0, 0]),
		),
		'light grey (#c8c8c8)',
	],
	[
		'the filters average and Paeth',
		makePng(
			{width: 3, height: 2, bitDepth: 8, colourType: 0},
			Buffer.from([3, 200, 100, 100, 4, 0, 0, 0]),
		),
		'light grey (#c8c8c8)',
	],
	[
		'interlacing',
		makePng(
			{width: 2, height: 2, bitDepth: 8, colourType: 2, isInterlaced: true},
			Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0]),
		),
		'red (#ff0000)',
	],
];

describe('the main colour', () => {
	test.each(pngs)('of a PNG with %s', async (_name, bytes, colour) => {
		expect(await describeImage('image/png', bytes)).toContain(`mainly ${colour}`);
	});

	const palette: readonly Colour[] = [
		[255, 255, 255],
		[0, 0, 255],
		[255, 0, 0],
		[0, 0, 0],
	];

	test('of a GIF, through a dictionary that grows and fills up', async () => {
		const indexes = Array.from({length: 120 * 120}, (_, at) =>
			(at * at) % 7 < 4 ? 1 : (at >> 3) % 4,
		);
		const answer = await describeImage('image/gif', makeGif(120, 120, palette, indexes));
		expect(answer).toMatch(/GIF, 120 x 120 pixels, [\d,]+ bytes, mainly blue \(#0000ff\)/);
		const red = Array.from({length: 9}, (_, at) => (at < 5 ? 1 : 2));
		expect(await describeImage('image/gif', makeGif(3, 3, palette, red, 1))).toContain(
			'mainly red',
		);
	});

	test.each([
		['baseline', {width: 20, height: 10}],
		['progressive', {width: 20, height: 10, isProgressive: true}],
		['with fewer colour samples', {width: 40, height: 40, sampling: 2}],
		['with restarts', {width: 80, height: 16, restartInterval: 2}],
	])('of a JPEG, %s', async (_name, shape) => {
		const answer = await describeImage('image/jpeg', makeJpeg(shape, [0, 0, 255]));
		expect(answer).toMatch(/JPEG, \d+ x \d+ pixels, \d+ bytes, mainly blue \(#00[\da-f]{2}f[ef]\)/);
	});

	test('of a WebP is not made up', async () => {
		const answer = await describeImage('image/webp', makeWebp(7, 5));
		expect(answer).toMatch(
			/WEBP, 7 x 5 pixels, 30 bytes, colour not decoded, fingerprint [\da-f]{12}/,
		);
	});
});

describe('images', () => {
	test('of the same size and colour get two descriptions', async () => {
		const {url} = await serve();
		const plain = makeSolidPng(2, 2, [255, 0, 0]);
		const other = makePng(
			{width: 2, height: 2, bitDepth: 8, colourType: 2},
			Buffer.from([0, 255, 0, 0, 255, 0, 0, 1, 255, 0, 0, 0, 0, 0]),
		);
		const [one, two] = await Promise.all(
			[plain, other].map((bytes) => ask(url, [imagePart(dataUrl('image/png', bytes))], sol)),
		);
		expect(one).toContain('red');
		expect(two).not.toBe(one);
	});

	test('are described one by one, an address by its name alone', async () => {
		const {url} = await serve();
		const red = dataUrl('image/png', makeSolidPng(4, 3, [255, 0, 0]));
		const parts = [
			{type: 'text', text: 'compare'},
			imagePart(red),
			imagePart('http://127.0.0.1:1/cat.png'),
		];
		const answer = await ask(url, parts, sol);
		expect(answer).toMatch(/Image 1: PNG, 4 x 3 pixels.*red/);
		expect(answer).toMatch(
			/Image 2: an image at http:\/\/127\.0\.0\.1:1\/cat\.png, which I name but never fetch/,
		);
	});

	test('of an earlier message are found again', async () => {
		const {url} = await serve();
		const messages = [
			{role: 'user', content: [imagePart(dataUrl('image/png', makeSolidPng(4, 3, [0, 0, 255])))]},
			{role: 'assistant', content: 'nice'},
			{role: 'user', content: 'Which colour was the picture?'},
		];
		expect(await ask(url, '', {...sol, messages})).toContain('mainly blue');
	});

	test('with hostile bytes get a description without colour, soon', async () => {
		const bomb = makePng(
			{width: 60_000, height: 60_000, bitDepth: 8, colourType: 6},
			Buffer.alloc(1_000_000),
		);
		const lying = makePng(
			{width: 1, height: 1, bitDepth: 8, colourType: 2},
			Buffer.alloc(50_000_000),
		);
		const {url} = await serve();
		const start = performance.now();
		const parts = [bomb, lying].map((bytes) => imagePart(dataUrl('image/png', bytes)));
		const answer = await ask(url, parts, sol);
		expect(answer.match(/colour not decoded/g)).toHaveLength(2);
		expect(performance.now() - start).toBeLessThan(2_000);
	});

	test('cut or changed anywhere never fail', async () => {
		const {url} = await serve();
		const images: ReadonlyArray<readonly [string, Buffer]> = [
			['image/png', makeSolidPng(9, 9, [1, 2, 3])],
			[
				'image/gif',
				makeGif(
					9,
					9,
					[
						[1, 1, 1],
						[2, 2, 2],
						[3, 3, 3],
						[4, 4, 4],
					],
					Array.from({length: 81}, (_, at) => at % 4),
				),
			],
			['image/jpeg', makeJpeg({width: 40, height: 40, sampling: 2}, [200, 100, 50])],
		];
		for (const [mediaType, bytes] of images) {
			const variants = Array.from(bytes.keys())
				.slice(12)
				.flatMap((at) => {
					const changed = Buffer.from(bytes);
					changed[at] = (changed[at] ?? 0) ^ 0xff;
					return [changed, bytes.subarray(0, at)];
				});
			for (let at = 0; at < variants.length; at += 40) {
				const parts = variants
					.slice(at, at + 40)
					.map((variant) => imagePart(dataUrl(mediaType, variant)));
				const response = await post(url, bodyOf(parts, sol));
				expect(response.status).toBe(200);
				await response.text();
			}
		}
	});
});

import {describe, expect, test} from 'vitest';
import {dataUrl, makeSolidPng} from './helpers/images.ts';
import {ask, serveAll} from './helpers/service.ts';

const service = serveAll();

const sol = {model: 'MODEL-5.6-sol'};
const red = dataUrl('image/png', makeSolidPng(4, 3, [255, 0, 0]));

function imagePart(url: string) {
	return {type: 'image_url', image_url: {url}};
}

describe('attachments', () => {
	test('are described by type, size and fingerprint, and addresses are not fetched', async () => {
		const parts = [
			{type: 'text', text: 'compare'},
			imagePart(red),
			imagePart('http://127.0.0.1:1/cat.png'),
			{
				type: 'file',
				file: {filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjcKJSVFT0YK'},
			},
			{type: 'file', file: {file_id: 'file-1'}},
			{type: 'input_audio', input_audio: {data: 'UklGRiQAAABXQVZFZm10IA==', format: 'wav'}},
		];
		const answer = await ask(service.url, parts, sol);
		expect(answer.replace(/fingerprint [\da-f]{12}/g, 'fingerprint …')).toBe(
			[
				'You wrote “compare”. I received:',
				'',
				'- Image: PNG, 4 x 3 pixels, 73 bytes, fingerprint …',
				'- Image: http://127.0.0.1:1/cat.png, which is not fetched',
				'- File: a.pdf, application/pdf, 15 bytes, fingerprint …',
				'- File: id file-1, which is not fetched',
				'- Audio: WAV audio, 16 bytes, fingerprint …',
			].join('\n'),
		);
	});

	test.each([
		['gif', 'GIF89a\n\0\x2c\x01\0\0\0', 'GIF, 10 x 300 pixels'],
		['jpeg', '\xff\xd8\xff\xe0\0\x04\0\0\xff\xc2\0\x11\b\0\x07\0\x09\x03', 'JPEG, 9 x 7 pixels'],
		[
			'webp',
			`RIFF\x64\0\0\0WEBPVP8X\n\0\0\0\x10\0\0\0\xff\0\0\x2b\x01\0`,
			'WEBP, 256 x 300 pixels',
		],
		['webp', `RIFF\x64\0\0\0WEBPVP8L....\x2f\x08\x80\x01\0`, 'WEBP, 9 x 7 pixels'],
		['png', '\x89PNG\r\n\x1a\n', 'PNG, unknown size'],
	])('have the size that the header of a %s has', async (type, content, described) => {
		const image = dataUrl(`image/${type}`, Buffer.from(content, 'latin1'));
		expect(await ask(service.url, [imagePart(image)], sol)).toContain(`- Image: ${described}, `);
	});
});

/** Tiny PNG images, made by their bytes. */
import {deflateSync} from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

export function dataUrl(mediaType: string, bytes: Uint8Array): string {
	return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

function pngChunk(type: string, body: Uint8Array): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(body.length, 0);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, body, Buffer.alloc(4)]);
}

/** One of a single colour, 8-bit RGB. */
export function makeSolidPng(width: number, height: number, colour: Colour): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2], 8);
	const row = Buffer.from([0, ...Array.from({length: width}, () => colour).flat()]);
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		pngChunk('IHDR', header),
		pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({length: height}, () => row)))),
		pngChunk('IEND', Buffer.alloc(0)),
	]);
}

/**
 * Tiny images, made by their bytes: PNG of every colour type, GIF with real LZW, JPEG baseline and
 * progressive, and the head of a WebP.
 */
import {deflateSync} from 'node:zlib';

export type Colour = readonly [red: number, green: number, blue: number];

export function dataUrl(mediaType: string, bytes: Uint8Array): string {
	return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

function pngChunk(type: string, body: Uint8Array): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(body.length, 0);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, body, Buffer.alloc(4)]);
}

export type PngShape = {
	readonly width: number;
	readonly height: number;
	readonly bitDepth: number;
	readonly colourType: number;
	readonly isInterlaced?: boolean;
	readonly palette?: readonly number[];
	readonly transparency?: readonly number[];
};

/** A PNG from its scan lines, each with its filter byte. */
export function makePng(shape: PngShape, raw: Uint8Array): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(shape.width, 0);
	header.writeUInt32BE(shape.height, 4);
	header[8] = shape.bitDepth;
	header[9] = shape.colourType;
	header[12] = shape.isInterlaced === true ? 1 : 0;
	const {palette, transparency} = shape;
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		pngChunk('IHDR', header),
		...(palette === undefined ? [] : [pngChunk('PLTE', Buffer.from(palette))]),
		...(transparency === undefined ? [] : [pngChunk('tRNS', Buffer.from(transparency))]),
		pngChunk('IDAT', deflateSync(raw)),
		pngChunk('IEND', Buffer.alloc(0)),
	]);
}

/** A PNG of one colour, 8-bit RGB. */
export function makeSolidPng(width: number, height: number, colour: Colour): Buffer {
	const row = Buffer.from([0, ...Array.from({length: width}, () => colour).flat()]);
	const raw = Buffer.concat(Array.from({length: height}, () => row));
	return makePng({width, height, bitDepth: 8, colourType: 2}, raw);
}

/** A GIF of four colours from its indexes, compressed with a growing dictionary. */
export function makeGif(
	width: number,
	height: number,
	palette: readonly Colour[],
	indexes: readonly number[],
	transparentIndex = -1,
): Buffer {
	const head = Buffer.alloc(13);
	head.write('GIF89a', 'latin1');
	head.writeUInt16LE(width, 6);
	head.writeUInt16LE(height, 8);
	head[10] = 0x81;
	const control = Buffer.from([0x21, 0xf9, 4, transparentIndex >= 0 ? 1 : 0, 0, 0, 0, 0]);
	if (transparentIndex >= 0) control[6] = transparentIndex;
	const frame = Buffer.alloc(10);
	frame[0] = 0x2c;
	frame.writeUInt16LE(width, 5);
	frame.writeUInt16LE(height, 7);
	const data = compressLzw(indexes, 2);
	const blocks: Buffer[] = [];
	for (let at = 0; at < data.length; at += 255) {
		const block = data.subarray(at, at + 255);
		blocks.push(Buffer.from([block.length]), block);
	}
	return Buffer.concat([
		head,
		Buffer.from(palette.flat()),
		control,
		frame,
		Buffer.from([2]),
		...blocks,
		Buffer.from([0, 0x3b]),
	]);
}

function compressLzw(indexes: readonly number[], minCodeSize: number): Buffer {
	const clearCode = 2 ** minCodeSize;
	const codes = new Map<string, number>();
	let next = clearCode + 2;
	let codeBits = minCodeSize + 1;
	let bits = '';
	const emit = (code: number) => {
		bits = code.toString(2).padStart(codeBits, '0') + bits;
	};
	const codeOf = (key: string) => codes.get(key) ?? Number(key);
	emit(clearCode);
	let current = '';
	for (const index of indexes) {
		const longer = current === '' ? `${index}` : `${current},${index}`;
		if (current === '' || codes.has(longer)) {
			current = longer;
			continue;
		}
		emit(codeOf(current));
		if (next < 4096) {
			codes.set(longer, next);
			if (next === 2 ** codeBits && codeBits < 12) codeBits += 1;
			next += 1;
		}
		current = `${index}`;
	}
	emit(codeOf(current));
	emit(clearCode + 1);
	const bytes: number[] = [];
	for (let end = bits.length; end > 0; end -= 8) {
		bytes.push(Number.parseInt(bits.slice(Math.max(0, end - 8), end), 2));
	}
	return Buffer.from(bytes);
}

export type JpegShape = {
	readonly width: number;
	readonly height: number;
	readonly isProgressive?: boolean;
	/** Sampling of the first component, the others having 1. */
	readonly sampling?: number;
	readonly restartInterval?: number;
};

function segment(marker: number, body: readonly number[]): Buffer {
	const length = body.length + 2;
	return Buffer.from([0xff, marker, length >> 8, length & 255, ...body]);
}

/** A JPEG of one colour, all of it in the means of the blocks. */
export function makeJpeg(shape: JpegShape, [red, green, blue]: Colour): Buffer {
	const {width, height, isProgressive = false, sampling = 1, restartInterval = 0} = shape;
	const y = 0.299 * red + 0.587 * green + 0.114 * blue;
	const levels = [y, 128 + (blue - y) / 1.772, 128 + (red - y) / 1.402];
	const means = levels.map((level) => Math.round(level - 128) * 8);
	const bits = scanBits(shape, means, isProgressive ? '' : '0');
	const size = [height >> 8, height & 255, width >> 8, width & 255];
	return Buffer.concat([
		Buffer.from([0xff, 0xd8]),
		segment(0xdb, [0, ...Array.from({length: 64}, () => 1)]),
		segment(isProgressive ? 0xc2 : 0xc0, [
			8,
			...size,
			3,
			...[1, (sampling << 4) | sampling, 0],
			...[2, 0x11, 0],
			...[3, 0x11, 0],
		]),
		// Twelve codes of four bits for the means, one code of one bit for the end of a block.
		segment(0xc4, [0x00, ...[0, 0, 0, 12], ...Array(12).fill(0), ...Array(12).keys()]),
		segment(0xc4, [0x10, 1, ...Array(15).fill(0), 0]),
		...(restartInterval === 0 ? [] : [segment(0xdd, [0, restartInterval])]),
		segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, isProgressive ? 0 : 63, 0]),
		bits,
		Buffer.from([0xff, 0xd9]),
	]);
}

function scanBits(
	{width, height, sampling = 1, restartInterval = 0}: JpegShape,
	means: readonly number[],
	endOfBlock: string,
): Buffer {
	const units = Math.ceil(width / (8 * sampling)) * Math.ceil(height / (8 * sampling));
	const pieces: Buffer[] = [];
	let bits = '';
	let last = [0, 0, 0];
	for (let unit = 0; unit < units; unit += 1) {
		if (restartInterval > 0 && unit > 0 && unit % restartInterval === 0) {
			pieces.push(packBits(bits), Buffer.from([0xff, 0xd0 + ((unit / restartInterval - 1) % 8)]));
			bits = '';
			last = [0, 0, 0];
		}
		for (const [index, mean] of means.entries()) {
			const blocks = index === 0 ? sampling ** 2 : 1;
			for (let block = 0; block < blocks; block += 1) {
				bits += encodeDifference(mean - (last[index] ?? 0)) + endOfBlock;
				last[index] = mean;
			}
		}
	}
	return Buffer.concat([...pieces, packBits(bits)]);
}

function encodeDifference(difference: number): string {
	const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
	const value = difference < 0 ? difference + 2 ** size - 1 : difference;
	return (
		size.toString(2).padStart(4, '0') + (size === 0 ? '' : value.toString(2).padStart(size, '0'))
	);
}

function packBits(bits: string): Buffer {
	const bytes: number[] = [];
	for (let at = 0; at < bits.length; at += 8) {
		const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '1'), 2);
		bytes.push(byte, ...(byte === 0xff ? [0] : []));
	}
	return Buffer.from(bytes);
}

/** The head of a lossless WebP, which is all that is read of one. */
export function makeWebp(width: number, height: number): Buffer {
	const bytes = Buffer.alloc(30);
	bytes.write('RIFF', 0, 'latin1');
	bytes.writeUInt32LE(22, 4);
	bytes.write('WEBPVP8L', 8, 'latin1');
	bytes.writeUInt32LE(10, 16);
	bytes[20] = 0x2f;
	bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
	return bytes;
}

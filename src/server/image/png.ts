/**
 * Counts the colours of a PNG: all colour types and bit depths, interlaced or not. The output of
 * the decompression is bounded by what the header announces.
 * Source: https://www.w3.org/TR/png-3/
 */
import {constants, inflateSync} from 'node:zlib';
import {type ColourCounter, type DecodeBudget, UndecodableImage} from './pixels.ts';

type Header = {
	readonly width: number;
	readonly height: number;
	readonly bitDepth: number;
	readonly colourType: number;
	readonly isInterlaced: boolean;
};

type Chunks = {
	readonly header: Header;
	readonly palette: Uint8Array;
	readonly transparency: Uint8Array;
	readonly data: Buffer;
};

/** Samples of a pixel by colour type; others do not exist. */
const samplesOfType: Readonly<Record<number, number>> = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4};

/** Start and step of each pass of an interlaced image. */
const passes = [
	[0, 0, 8, 8],
	[4, 0, 8, 8],
	[0, 4, 4, 8],
	[2, 0, 4, 4],
	[0, 2, 2, 4],
	[1, 0, 2, 2],
	[0, 1, 1, 2],
] as const;

const signatureLength = 8;
const opaque = 128;

/** @throws {UndecodableImage} or a range error of Node for broken bytes. */
export function readPng(bytes: Uint8Array, colours: ColourCounter, budget: DecodeBudget): void {
	const chunks = readChunks(bytes);
	const {header} = chunks;
	const samples = samplesOfType[header.colourType];
	if (samples === undefined) throw new UndecodableImage('unknown colour type');
	const bitsPerPixel = samples * header.bitDepth;
	const sizes = listPasses(header);
	const length = sizes.reduce(
		(sum, {width, height}) => sum + height * (1 + Math.ceil((width * bitsPerPixel) / 8)),
		0,
	);
	budget.take(length + header.width * header.height);
	const raw = inflateSync(chunks.data, {
		maxOutputLength: length + 1024,
		finishFlush: constants.Z_SYNC_FLUSH,
	});
	const countRow = createRowCounter(chunks, samples, colours);
	let offset = 0;
	for (const {width, height} of sizes) {
		offset = readPass(raw, offset, width, height, bitsPerPixel, countRow);
	}
}

function readChunks(bytes: Uint8Array): Chunks {
	const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let header: Header | undefined;
	let palette: Uint8Array = new Uint8Array();
	let transparency: Uint8Array = new Uint8Array();
	const data: Buffer[] = [];
	for (let at = signatureLength; at + 8 <= view.length; ) {
		const length = view.readUInt32BE(at);
		const type = view.toString('latin1', at + 4, at + 8);
		const body = view.subarray(at + 8, at + 8 + length);
		if (type === 'IHDR') header = readHeader(body);
		else if (type === 'PLTE') palette = body;
		else if (type === 'tRNS') transparency = body;
		else if (type === 'IDAT') data.push(body);
		else if (type === 'IEND') break;
		at += 12 + length;
	}
	if (header === undefined) throw new UndecodableImage('no header');
	return {header, palette, transparency, data: Buffer.concat(data)};
}

function readHeader(body: Buffer): Header {
	const bitDepth = body.readUInt8(8);
	if (![1, 2, 4, 8, 16].includes(bitDepth)) throw new UndecodableImage('unknown bit depth');
	return {
		width: body.readUInt32BE(0),
		height: body.readUInt32BE(4),
		bitDepth,
		colourType: body.readUInt8(9),
		isInterlaced: body.readUInt8(12) === 1,
	};
}

function listPasses({width, height, isInterlaced}: Header) {
	if (!isInterlaced) return [{width, height}];
	return passes
		.map(([left, top, stepX, stepY]) => ({
			width: Math.ceil((width - left) / stepX),
			height: Math.ceil((height - top) / stepY),
		}))
		.filter((pass) => pass.width > 0 && pass.height > 0);
}

type CountRow = (row: Uint8Array, width: number) => void;

function readPass(
	raw: Uint8Array,
	start: number,
	width: number,
	height: number,
	bitsPerPixel: number,
	countRow: CountRow,
): number {
	const rowLength = Math.ceil((width * bitsPerPixel) / 8);
	const pixelLength = Math.max(1, bitsPerPixel >> 3);
	let above: Uint8Array = new Uint8Array(rowLength);
	let offset = start;
	for (let y = 0; y < height && offset + 1 + rowLength <= raw.length; y += 1) {
		const row = raw.subarray(offset + 1, offset + 1 + rowLength);
		unfilter(raw[offset] ?? 0, row, above, pixelLength);
		countRow(row, width);
		above = row;
		offset += 1 + rowLength;
	}
	return offset;
}

type Predict = (left: number, up: number, corner: number) => number;

const filters: readonly Predict[] = [
	() => 0,
	(left) => left,
	(_left, up) => up,
	(left, up) => (left + up) >> 1,
	predictPaeth,
];

function unfilter(type: number, row: Uint8Array, above: Uint8Array, pixelLength: number): void {
	const predict = filters[type];
	if (predict === undefined) throw new UndecodableImage('unknown filter');
	if (type === 0) return;
	for (let at = 0; at < row.length; at += 1) {
		const before = at - pixelLength;
		const left = before < 0 ? 0 : (row[before] ?? 0);
		const corner = before < 0 ? 0 : (above[before] ?? 0);
		row[at] = (row[at] ?? 0) + predict(left, above[at] ?? 0, corner);
	}
}

function predictPaeth(left: number, up: number, corner: number): number {
	const toLeft = Math.abs(up - corner);
	const toUp = Math.abs(left - corner);
	const toCorner = Math.abs(left + up - corner - corner);
	if (toLeft <= toUp && toLeft <= toCorner) return left;
	return toUp <= toCorner ? up : corner;
}

function createRowCounter(chunks: Chunks, samples: number, colours: ColourCounter): CountRow {
	const countPixel = choosePixelCounter(chunks, samples, colours);
	return (row, width) => {
		for (let x = 0; x < width; x += 1) countPixel(row, x * samples);
	};
}

/** Counts the pixel whose first sample has this index, unless it is transparent. */
type CountPixel = (row: Uint8Array, index: number) => void;

function choosePixelCounter(
	{header, palette, transparency}: Chunks,
	samples: number,
	colours: ColourCounter,
): CountPixel {
	const {bitDepth, colourType} = header;
	const read = createSampleReader(bitDepth);
	if (colourType === 3) {
		return (row, index) => {
			const entry = read(row, index);
			if ((transparency[entry] ?? 255) < opaque) return;
			const [red = 0, green = 0, blue = 0] = palette.subarray(entry * 3, entry * 3 + 3);
			colours.add(red, green, blue);
		};
	}
	const hasAlpha = samples % 2 === 0;
	if (samples >= 3) {
		return (row, index) => {
			if (hasAlpha && read(row, index + 3) < opaque) return;
			colours.add(read(row, index), read(row, index + 1), read(row, index + 2));
		};
	}
	const scale = bitDepth >= 8 ? 1 : 255 / (2 ** bitDepth - 1);
	return (row, index) => {
		if (hasAlpha && read(row, index + 1) < opaque) return;
		const grey = read(row, index) * scale;
		colours.add(grey, grey, grey);
	};
}

/** Reads one sample of a row; of 16 bits the high eight. */
function createSampleReader(bitDepth: number): (row: Uint8Array, index: number) => number {
	if (bitDepth === 8) return (row, index) => row[index] ?? 0;
	if (bitDepth === 16) return (row, index) => row[index * 2] ?? 0;
	const mask = 2 ** bitDepth - 1;
	return (row, index) => {
		const bit = index * bitDepth;
		return ((row[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & mask;
	};
}

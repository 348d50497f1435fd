/**
 * Counts the colours of a JPEG from the mean of each 8 x 8 block (its DC coefficient), baseline or
 * progressive. Nothing else of the picture is kept; the work is bounded by its size.
 * Source: ITU-T T.81, https://www.w3.org/Graphics/JPEG/itu-t81.pdf
 */
import {type HuffmanTable, makeHuffmanTable} from './huffman.ts';
import {type JpegComponent, type JpegScan, readDcScan} from './jpeg-scan.ts';
import {type ColourCounter, type DecodeBudget, UndecodableImage} from './pixels.ts';

type Frame = {
	readonly isProgressive: boolean;
	readonly width: number;
	readonly height: number;
	readonly components: readonly JpegComponent[];
};

type Tables = {
	readonly huffman: Map<number, HuffmanTable>;
	/** The first entry of each quantisation table, that of the mean. */
	readonly quantisation: Map<number, number>;
	restartInterval: number;
	/** Adobe's note on colours: 0 means red, green and blue. */
	adobeTransform: number | undefined;
};

const marker = {
	startOfImage: 0xd8,
	endOfImage: 0xd9,
	startOfScan: 0xda,
	quantisation: 0xdb,
	huffman: 0xc4,
	restartInterval: 0xdd,
	adobe: 0xee,
} as const;

/** Baseline, extended and progressive with Huffman codes; arithmetic and lossless are not read. */
const frameMarkers: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const progressiveMarker = 0xc2;

/** @throws {UndecodableImage} or a range error of Node for broken bytes. */
export function readJpeg(bytes: Uint8Array, colours: ColourCounter, budget: DecodeBudget): void {
	const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const tables: Tables = {
		huffman: new Map(),
		quantisation: new Map(),
		restartInterval: 0,
		adobeTransform: undefined,
	};
	let frame: Frame | undefined;
	let at = 2;
	while (frame === undefined || frame.components.some(({isRead}) => !isRead)) {
		const segment = findSegment(view, at);
		at = segment.end;
		if (frameMarkers.has(segment.marker)) frame = readFrame(segment, budget);
		else if (segment.marker !== marker.startOfScan) readTable(segment, tables);
		else if (frame === undefined) throw new UndecodableImage('scan without frame');
		else at = readScan(view, segment, frame, tables);
	}
	countBlocks(frame, tables, colours);
}

type Segment = {readonly marker: number; readonly body: Buffer; readonly end: number};

/** The next segment with a body; entropy-coded bytes in between are passed over. */
function findSegment(view: Buffer, start: number): Segment {
	let at = start;
	for (;;) {
		at = view.indexOf(0xff, at);
		if (at < 0) throw new UndecodableImage('ends too early');
		const code = view.readUInt8(at + 1);
		if (code === marker.endOfImage) throw new UndecodableImage('ends too early');
		const isBare = code === 0 || code === 0xff || code === 1 || (code >= 0xd0 && code <= 0xd8);
		if (!isBare) break;
		at += code === 0xff ? 1 : 2;
	}
	const end = at + 2 + view.readUInt16BE(at + 2);
	return {marker: view.readUInt8(at + 1), body: view.subarray(at + 4, end), end};
}

function readFrame({marker: code, body}: Segment, budget: DecodeBudget): Frame {
	if (body.readUInt8(0) !== 8) throw new UndecodableImage('not 8 bits a sample');
	const height = body.readUInt16BE(1);
	const width = body.readUInt16BE(3);
	budget.take(width * height);
	const count = body.readUInt8(5);
	const factors = Array.from({length: count}, (_, index) => {
		const sampling = body.readUInt8(7 + index * 3);
		return {
			id: body.readUInt8(6 + index * 3),
			horizontal: sampling >> 4,
			vertical: sampling & 15,
			quantisationId: body.readUInt8(8 + index * 3),
		};
	});
	if (
		count < 1 ||
		count > 4 ||
		factors.some(({horizontal, vertical}) => !isFactor(horizontal, vertical))
	) {
		throw new UndecodableImage('bad components');
	}
	const maxHorizontal = Math.max(...factors.map(({horizontal}) => horizontal));
	const maxVertical = Math.max(...factors.map(({vertical}) => vertical));
	const unitsAcross = Math.ceil(width / (8 * maxHorizontal));
	const unitsDown = Math.ceil(height / (8 * maxVertical));
	const components = factors.map((factor) => ({
		...factor,
		blocksAcross: unitsAcross * factor.horizontal,
		blocksDown: unitsDown * factor.vertical,
		ownAcross: Math.ceil((width * factor.horizontal) / maxHorizontal / 8),
		ownDown: Math.ceil((height * factor.vertical) / maxVertical / 8),
		means: new Int32Array(unitsAcross * factor.horizontal * unitsDown * factor.vertical),
		isRead: false,
	}));
	return {isProgressive: code === progressiveMarker, width, height, components};
}

function isFactor(horizontal: number, vertical: number): boolean {
	return horizontal >= 1 && horizontal <= 4 && vertical >= 1 && vertical <= 4;
}

function readTable({marker: code, body}: Segment, tables: Tables): void {
	if (code === marker.quantisation) readQuantisation(body, tables);
	else if (code === marker.huffman) readHuffman(body, tables);
	else if (code === marker.restartInterval) tables.restartInterval = body.readUInt16BE(0);
	else if (code === marker.adobe && body.toString('latin1', 0, 5) === 'Adobe') {
		tables.adobeTransform = body.readUInt8(11);
	}
}

function readQuantisation(body: Buffer, {quantisation}: Tables): void {
	for (let at = 0; at < body.length; ) {
		const head = body.readUInt8(at);
		const isWide = head >> 4 === 1;
		quantisation.set(head & 15, isWide ? body.readUInt16BE(at + 1) : body.readUInt8(at + 1));
		at += isWide ? 129 : 65;
	}
}

/** The class (0 DC, 1 AC) stands in the high four bits of the key. */
function readHuffman(body: Buffer, {huffman}: Tables): void {
	for (let at = 0; at + 17 <= body.length; ) {
		const counts = body.subarray(at + 1, at + 17);
		const total = counts.reduce((sum, count) => sum + count, 0);
		const symbols = body.subarray(at + 17, at + 17 + total);
		huffman.set(body.readUInt8(at), makeHuffmanTable(counts, symbols));
		at += 17 + total;
	}
}

function readScan(view: Buffer, {body, end}: Segment, frame: Frame, tables: Tables): number {
	const count = body.readUInt8(0);
	const parameters = 1 + count * 2;
	const isFirstDc = body.readUInt8(parameters) === 0 && body.readUInt8(parameters + 2) >> 4 === 0;
	if (!isFirstDc) return end;
	const parts = Array.from({length: count}, (_, index) => {
		const id = body.readUInt8(1 + index * 2);
		const selectors = body.readUInt8(2 + index * 2);
		const component = frame.components.find((candidate) => candidate.id === id);
		if (component === undefined) throw new UndecodableImage('unknown component');
		return {
			component,
			dc: tables.huffman.get(selectors >> 4),
			ac: tables.huffman.get(0x10 | (selectors & 15)),
		};
	});
	const scan: JpegScan = {
		parts,
		isProgressive: frame.isProgressive,
		shift: frame.isProgressive ? body.readUInt8(parameters + 2) & 15 : 0,
		restartInterval: tables.restartInterval,
	};
	return readDcScan(view, end, scan);
}

function countBlocks({components}: Frame, tables: Tables, colours: ColourCounter): void {
	const [luma] = components;
	if (luma === undefined) return;
	const convert = chooseConversion(components.length, tables.adobeTransform);
	const values = [0, 0, 0, 0];
	for (let y = 0; y < luma.ownDown; y += 1) {
		for (let x = 0; x < luma.ownAcross; x += 1) {
			for (const [index, component] of components.entries()) {
				const column = Math.floor((x * component.horizontal) / luma.horizontal);
				const row = Math.floor((y * component.vertical) / luma.vertical);
				const mean = component.means[row * component.blocksAcross + column] ?? 0;
				const step = tables.quantisation.get(component.quantisationId) ?? 1;
				values[index] = clamp(128 + (mean * step) / 8);
			}
			convert(values, colours);
		}
	}
}

type Conversion = (values: readonly number[], colours: ColourCounter) => void;

function chooseConversion(components: number, adobeTransform: number | undefined): Conversion {
	if (components < 3) return ([grey = 0], colours) => colours.add(grey, grey, grey);
	if (components === 4) return adobeTransform === 2 ? addInvertedYcck : addInvertedCmyk;
	if (adobeTransform === 0) return ([r = 0, g = 0, b = 0], colours) => colours.add(r, g, b);
	return addYcc;
}

const addYcc: Conversion = ([y = 0, blue = 0, red = 0], colours) => {
	const {r, g, b} = toRgb(y, blue, red);
	colours.add(r, g, b);
};

/** Adobe writes the four inks inverted: 255 is no ink. */
const addInvertedCmyk: Conversion = ([c = 0, m = 0, y = 0, k = 0], colours) => {
	colours.add(clamp((c * k) / 255), clamp((m * k) / 255), clamp((y * k) / 255));
};

const addInvertedYcck: Conversion = ([y = 0, blue = 0, red = 0, k = 0], colours) => {
	const {r, g, b} = toRgb(y, blue, red);
	addInvertedCmyk([255 - r, 255 - g, 255 - b, k], colours);
};

function toRgb(y: number, blue: number, red: number) {
	return {
		r: clamp(y + 1.402 * (red - 128)),
		g: clamp(y - 0.344136 * (blue - 128) - 0.714136 * (red - 128)),
		b: clamp(y + 1.772 * (blue - 128)),
	};
}

function clamp(value: number): number {
	return Math.max(0, Math.min(255, Math.round(value)));
}

/** One scan of a JPEG that holds the means of its blocks; whatever else it holds is read past. */
import {BitReader, type HuffmanTable} from './huffman.ts';
import {UndecodableImage} from './pixels.ts';

export type JpegComponent = {
	readonly id: number;
	/** Sampling factors, 1 to 4. */
	readonly horizontal: number;
	readonly vertical: number;
	readonly quantisationId: number;
	/** Blocks in memory, whole units of the interleaved scan. */
	readonly blocksAcross: number;
	readonly blocksDown: number;
	/** Blocks that show some of the picture. */
	readonly ownAcross: number;
	readonly ownDown: number;
	/** The mean of each block, before quantisation is undone. */
	readonly means: Int32Array;
	isRead: boolean;
};

type ScanPart = {
	readonly component: JpegComponent;
	readonly dc: HuffmanTable | undefined;
	readonly ac: HuffmanTable | undefined;
};

export type JpegScan = {
	readonly parts: readonly ScanPart[];
	readonly isProgressive: boolean;
	/** How many low bits of the means come in later scans. */
	readonly shift: number;
	/** Units between restart markers; 0: none. */
	readonly restartInterval: number;
};

type Decoder = {readonly readBlock: (index: number) => void; readonly reset: () => void} & ScanPart;

/** Reads a scan into its components; returns where it ends. */
export function readDcScan(view: Uint8Array, start: number, scan: JpegScan): number {
	const bits = new BitReader(view, start);
	const decoders = scan.parts.map((part) => createDecoder(bits, part, scan));
	const {across, down} = measureScan(decoders);
	for (let unit = 0; unit < across * down; unit += 1) {
		if (scan.restartInterval > 0 && unit > 0 && unit % scan.restartInterval === 0) {
			bits.restart();
			for (const decoder of decoders) decoder.reset();
		}
		readUnits(decoders, unit % across, Math.floor(unit / across));
	}
	for (const decoder of decoders) decoder.component.isRead = true;
	return bits.at;
}

/** Units of a scan: the blocks of its one component, or groups with blocks of each. */
function measureScan([first, second]: readonly Decoder[]) {
	if (first === undefined) throw new UndecodableImage('empty scan');
	const {component} = first;
	if (second === undefined) return {across: component.ownAcross, down: component.ownDown};
	return {
		across: component.blocksAcross / component.horizontal,
		down: component.blocksDown / component.vertical,
	};
}

function readUnits(decoders: readonly Decoder[], x: number, y: number): void {
	const [only] = decoders;
	if (only !== undefined && decoders.length === 1) {
		only.readBlock(y * only.component.blocksAcross + x);
		return;
	}
	for (const decoder of decoders) readUnit(decoder, x, y);
}

/** All blocks of one component in one unit of an interleaved scan. */
function readUnit({component, readBlock}: Decoder, x: number, y: number): void {
	const {horizontal, vertical, blocksAcross} = component;
	for (let row = 0; row < vertical; row += 1) {
		const first = (y * vertical + row) * blocksAcross + x * horizontal;
		for (let column = 0; column < horizontal; column += 1) readBlock(first + column);
	}
}

function createDecoder(bits: BitReader, part: ScanPart, scan: JpegScan): Decoder {
	const {component, dc, ac} = part;
	if (dc === undefined || (ac === undefined && !scan.isProgressive)) {
		throw new UndecodableImage('no code table');
	}
	let mean = 0;
	return {
		...part,
		reset() {
			mean = 0;
		},
		readBlock(index) {
			mean += bits.readSigned(bits.readSymbol(dc) & 15);
			component.means[index] = mean << scan.shift;
			if (!scan.isProgressive && ac !== undefined) skipDetails(bits, ac);
		},
	};
}

const detailsInBlock = 63;
const zeroRun = 0xf0;

/** Reads past the coefficients of a baseline block. */
function skipDetails(bits: BitReader, table: HuffmanTable): void {
	for (let index = 0; index < detailsInBlock; ) {
		const symbol = bits.readSymbol(table);
		const size = symbol & 15;
		if (size === 0 && symbol !== zeroRun) return;
		bits.skip(size);
		index += (symbol >> 4) + 1;
	}
}

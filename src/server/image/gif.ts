/**
 * Counts the colours of the first frame of a GIF. The work is bounded by the size of the frame.
 * Source: https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
import {type ColourCounter, type DecodeBudget, UndecodableImage} from './pixels.ts';

type Frame = {
	readonly pixels: number;
	readonly palette: Uint8Array;
	/** Index of the colour that is not seen, or -1. */
	readonly transparentIndex: number;
	readonly minCodeSize: number;
	readonly data: Uint8Array;
};

const screenEnd = 13;
const extension = 0x21;
const imageDescriptor = 0x2c;
const graphicControl = 0xf9;
const maxCodeBits = 12;

/** @throws {UndecodableImage} or a range error of Node for broken bytes. */
export function readGif(bytes: Uint8Array, colours: ColourCounter, budget: DecodeBudget): void {
	const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const frame = readFirstFrame(view);
	budget.take(frame.pixels);
	const counts = countIndexes(frame);
	for (const [index, count] of counts.entries()) {
		if (count === 0 || index === frame.transparentIndex) continue;
		const at = index * 3;
		const [red = 0, green = 0, blue = 0] = frame.palette.subarray(at, at + 3);
		colours.add(red, green, blue, count);
	}
}

function readFirstFrame(view: Buffer): Frame {
	const screen = readPalette(view, screenEnd, view.readUInt8(10));
	let at = screenEnd + screen.length;
	let transparentIndex = -1;
	while (view.readUInt8(at) === extension) {
		if (view.readUInt8(at + 1) === graphicControl && (view.readUInt8(at + 3) & 1) === 1) {
			transparentIndex = view.readUInt8(at + 6);
		}
		at = readBlocks(view, at + 2).end;
	}
	if (view.readUInt8(at) !== imageDescriptor) throw new UndecodableImage('no frame');
	const own = readPalette(view, at + 10, view.readUInt8(at + 9));
	const dataStart = at + 10 + own.length;
	return {
		pixels: view.readUInt16LE(at + 5) * view.readUInt16LE(at + 7),
		palette: own.length > 0 ? own : screen,
		transparentIndex,
		minCodeSize: view.readUInt8(dataStart),
		data: readBlocks(view, dataStart + 1).data,
	};
}

function readPalette(view: Buffer, start: number, flags: number): Buffer {
	return view.subarray(start, start + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)));
}

function readBlocks(view: Buffer, start: number): {readonly data: Buffer; readonly end: number} {
	const blocks: Buffer[] = [];
	let at = start;
	while (at < view.length && view.readUInt8(at) !== 0) {
		const length = view.readUInt8(at);
		blocks.push(view.subarray(at + 1, at + 1 + length));
		at += 1 + length;
	}
	return {data: Buffer.concat(blocks), end: at + 1};
}

/** How often each colour index occurs: LZW, decoded without keeping the picture. */
function countIndexes({minCodeSize, data, pixels}: Frame): Uint32Array {
	if (minCodeSize < 2 || minCodeSize > 8) throw new UndecodableImage('bad code size');
	const clearCode = 2 ** minCodeSize;
	const endCode = clearCode + 1;
	const dictionary = createDictionary(clearCode);
	const counts = new Uint32Array(256);
	const readCode = createCodeReader(data);
	let previous = -1;
	for (let counted = 0; counted < pixels; ) {
		const code = readCode(dictionary.codeBits);
		if (code === undefined || code === endCode) break;
		if (code === clearCode) {
			dictionary.clear();
			previous = -1;
			continue;
		}
		if (previous >= 0) dictionary.define(previous, code);
		if (!dictionary.has(code)) break;
		counted += dictionary.countString(code, counts);
		previous = code;
	}
	return counts;
}

interface Dictionary {
	/** The length of the next code. */
	readonly codeBits: number;
	has(code: number): boolean;
	/** Adds the string of `previous` and the first index of `code`, which may be the new one. */
	define(previous: number, code: number): void;
	/** Counts the indexes of a string; returns its length. */
	countString(code: number, counts: Uint32Array): number;
	clear(): void;
}

function createDictionary(clearCode: number): Dictionary {
	const firstFree = clearCode + 2;
	const prefixes = new Uint16Array(2 ** maxCodeBits);
	const suffixes = new Uint8Array(2 ** maxCodeBits);
	const firstBits = Math.log2(clearCode) + 1;
	let next = firstFree;
	let codeBits = firstBits;
	const firstIndexOf = (code: number) => {
		let rest = code;
		while (rest >= firstFree) rest = prefixes[rest] ?? 0;
		return rest;
	};
	return {
		get codeBits() {
			return codeBits;
		},
		has: (code) => code < clearCode || (code >= firstFree && code < next),
		define(previous, code) {
			if (next >= 2 ** maxCodeBits) return;
			prefixes[next] = previous;
			// The code that is being defined begins and ends with the same index.
			suffixes[next] = firstIndexOf(code === next ? previous : code);
			next += 1;
			if (next === 2 ** codeBits && codeBits < maxCodeBits) codeBits += 1;
		},
		countString(code, counts) {
			let length = 1;
			let rest = code;
			for (; rest >= firstFree; length += 1) {
				const index = suffixes[rest] ?? 0;
				counts[index] = (counts[index] ?? 0) + 1;
				rest = prefixes[rest] ?? 0;
			}
			counts[rest] = (counts[rest] ?? 0) + 1;
			return length;
		},
		clear() {
			next = firstFree;
			codeBits = firstBits;
		},
	};
}

function createCodeReader(data: Uint8Array): (bits: number) => number | undefined {
	let buffer = 0;
	let available = 0;
	let at = 0;
	return (bits) => {
		while (available < bits) {
			const byte = data[at];
			if (byte === undefined) return undefined;
			at += 1;
			buffer |= byte << available;
			available += 8;
		}
		const code = buffer & (2 ** bits - 1);
		buffer >>= bits;
		available -= bits;
		return code;
	};
}

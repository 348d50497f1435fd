/** Huffman codes of a JPEG, and the bits they are read from. */
import {UndecodableImage} from './pixels.ts';

const maxCodeLength = 16;

export type HuffmanTable = {
	/** By code length, 1 to 16: the largest code, or -1. */
	readonly largest: Int32Array;
	/** By code length: what to add to a code for the index of its symbol. */
	readonly offsets: Int32Array;
	readonly symbols: Uint8Array;
};

/** @param counts How many codes there are of each length, 1 to 16. */
export function makeHuffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
	const largest = new Int32Array(maxCodeLength + 1).fill(-1);
	const offsets = new Int32Array(maxCodeLength + 1);
	let code = 0;
	let index = 0;
	for (let length = 1; length <= maxCodeLength; length += 1) {
		const count = counts[length - 1] ?? 0;
		offsets[length] = index - code;
		index += count;
		code += count;
		if (count > 0) largest[length] = code - 1;
		code <<= 1;
	}
	return {largest, offsets, symbols};
}

/** The bits of one scan, stuffed zero bytes removed. `at` is the next byte. */
export class BitReader {
	at: number;
	readonly #view: Uint8Array;
	#byte = 0;
	#left = 0;

	constructor(view: Uint8Array, start: number) {
		this.#view = view;
		this.at = start;
	}

	/** @throws {UndecodableImage} when a marker or the end comes first. */
	readBit(): number {
		if (this.#left === 0) this.#fill();
		this.#left -= 1;
		return (this.#byte >> this.#left) & 1;
	}

	/** A signed number of so many bits, as JPEG codes differences. */
	readSigned(bits: number): number {
		if (bits === 0) return 0;
		let value = 0;
		for (let index = 0; index < bits; index += 1) value = (value << 1) | this.readBit();
		return value < 1 << (bits - 1) ? value - (1 << bits) + 1 : value;
	}

	skip(bits: number): void {
		for (let index = 0; index < bits; index += 1) this.readBit();
	}

	readSymbol({largest, offsets, symbols}: HuffmanTable): number {
		let code = 0;
		for (let length = 1; length <= maxCodeLength; length += 1) {
			code = (code << 1) | this.readBit();
			if (code <= (largest[length] ?? -1)) return symbols[code + (offsets[length] ?? 0)] ?? 0;
		}
		throw new UndecodableImage('no such code');
	}

	/** Passes over a restart marker and the bits before it. */
	restart(): void {
		this.#left = 0;
		const isMarker =
			this.#view[this.at] === 0xff && ((this.#view[this.at + 1] ?? 0) & 0xf8) === 0xd0;
		if (!isMarker) throw new UndecodableImage('no restart marker');
		this.at += 2;
	}

	#fill(): void {
		const byte = this.#view[this.at];
		if (byte === undefined) throw new UndecodableImage('ends too early');
		if (byte === 0xff && this.#view[this.at + 1] !== 0) {
			throw new UndecodableImage('ends too early');
		}
		this.at += byte === 0xff ? 2 : 1;
		this.#byte = byte;
		this.#left = 8;
	}
}

/** Reads a file of any size in pieces, or line by line. */
import {closeSync, fstatSync, openSync, readSync} from 'node:fs';

const lineFeed = 0x0a;

/**
 * Yields the lines without their ends; the last one may lack its end.
 *
 * @throws the system's error when the file cannot be read
 */
export function* readLines(path: string): Generator<Buffer, void, undefined> {
	/** Pieces of the unfinished line. */
	let pieces: Buffer[] = [];
	for (const chunk of readChunks(path, 65_536)) {
		let start = 0;
		for (;;) {
			const end = chunk.indexOf(lineFeed, start);
			if (end === -1) break;
			yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
			pieces = [];
			start = end + 1;
		}
		if (start < chunk.length) pieces.push(chunk.subarray(start));
	}
	if (pieces.length > 0) yield Buffer.concat(pieces);
}

/** @throws the system's error when the file cannot be read */
export function readEnd(path: string, maxBytes: number): Buffer {
	const fd = openSync(path, 'r');
	try {
		const {size} = fstatSync(fd);
		const chunk = Buffer.allocUnsafe(Math.min(size, maxBytes));
		return chunk.subarray(0, readSync(fd, chunk, 0, chunk.length, size - chunk.length));
	} finally {
		closeSync(fd);
	}
}

/** @throws the system's error when the file cannot be read */
export function* readChunks(path: string, maxBytes: number): Generator<Buffer, void, undefined> {
	const fd = openSync(path, 'r');
	try {
		for (;;) {
			const chunk = Buffer.allocUnsafe(maxBytes);
			const length = readSync(fd, chunk, 0, maxBytes, null);
			if (length === 0) return;
			yield chunk.subarray(0, length);
		}
	} finally {
		closeSync(fd);
	}
}

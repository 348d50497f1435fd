/** Reads a file of any size in pieces, or line by line. */
import {closeSync, fstatSync, openSync, readSync} from 'node:fs';

const lineFeed = 0x0a;

/**
 * Yields the lines without their ends; the last one may lack its end.
 *
 * @throws the system's error when the file cannot be read
 */
export function* readLines(path: string): Generator<Buffer, void, undefined> {
	const fd = openSync(path, 'r');
	try {
		for (const line of readLinesAt(fd, 0)) {
			yield line.at(-1) === lineFeed ? line.subarray(0, -1) : line;
		}
	} finally {
		closeSync(fd);
	}
}

/**
 * Yields the lines from an offset on, with their ends; the last one may lack its end.
 *
 * @throws the system's error when the file cannot be read
 */
export function* readLinesAt(fd: number, offset: number): Generator<Buffer, void, undefined> {
	/** The pieces of a line that has not ended yet. */
	let pieces: Buffer[] = [];
	for (const chunk of readChunksAt(fd, offset, 65_536)) {
		let start = 0;
		for (;;) {
			const end = chunk.indexOf(lineFeed, start) + 1;
			if (end === 0) break;
			yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
			pieces = [];
			start = end;
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
		yield* readChunksAt(fd, null, maxBytes);
	} finally {
		closeSync(fd);
	}
}

/** @param offset null for what cannot be read at an offset, such as a pipe */
function* readChunksAt(
	fd: number,
	offset: number | null,
	maxBytes: number,
): Generator<Buffer, void, undefined> {
	for (let at = offset; ; ) {
		const chunk = Buffer.allocUnsafe(maxBytes);
		const length = readSync(fd, chunk, 0, maxBytes, at);
		if (length === 0) return;
		if (at !== null) at += length;
		yield chunk.subarray(0, length);
	}
}

/** Reads the lines of a file of any size. */
import {closeSync, openSync, readSync} from 'node:fs';

const chunkBytes = 65_536;
const lineFeed = 0x0a;

/**
 * Yields the lines without their ends; the last one may lack its end.
 *
 * @throws the system's error when the file cannot be read
 */
export function* readLines(path: string): Generator<Buffer, void, undefined> {
	const fd = openSync(path, 'r');
	try {
		/** The pieces of a line that has not ended yet. */
		let pieces: Buffer[] = [];
		for (;;) {
			const chunk = Buffer.allocUnsafe(chunkBytes);
			const length = readSync(fd, chunk, 0, chunkBytes, null);
			if (length === 0) break;
			let start = 0;
			for (;;) {
				const end = chunk.subarray(0, length).indexOf(lineFeed, start);
				if (end === -1) break;
				yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
				pieces = [];
				start = end + 1;
			}
			if (start < length) pieces.push(chunk.subarray(start, length));
		}
		if (pieces.length > 0) yield Buffer.concat(pieces);
	} finally {
		closeSync(fd);
	}
}

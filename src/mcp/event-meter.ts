/** Measures messages as their bytes arrive, because a parser would keep all of one in memory. */
import {mebibyte} from '../wording.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** For a line, a reply, or an event of a server. */
export const maxMessageBytes = 10 * mebibyte;

/**
 * Returns a function that takes the next bytes and returns the size of the largest message that they
 * belong to.
 *
 * @param isEventStream whether an empty line ends a message; otherwise there is only one
 */
export function createEventMeter(isEventStream: boolean): (chunk: Uint8Array) => number {
	let size = 0;
	let isLineEmpty = true;
	return (chunk) => {
		if (!isEventStream) {
			size += chunk.length;
			return size;
		}
		let largest = 0;
		for (const byte of chunk) {
			size++;
			if (byte === lineFeed) {
				largest = Math.max(largest, size);
				if (isLineEmpty) size = 0;
				isLineEmpty = true;
			} else if (byte !== carriageReturn) {
				isLineEmpty = false;
			}
		}
		return Math.max(largest, size);
	};
}

/** Keeps the end of a log. */
import {StringDecoder} from 'node:string_decoder';

export interface LogTail {
	push(chunk: Uint8Array | string): void;
	/** The last lines. */
	lines(): readonly string[];
	/** All bytes so far. */
	size(): number;
}

const maxLength = 65_536;

export function createLogTail(): LogTail {
	const decoder = new StringDecoder('utf8');
	let text = '';
	let size = 0;
	return {
		push(chunk) {
			size += chunk.length;
			text = (text + decoder.write(Buffer.from(chunk))).slice(-maxLength);
		},
		lines() {
			// A carriage return is how a progress bar starts again.
			return text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
		},
		size: () => size,
	};
}

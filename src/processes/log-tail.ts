/** Keeps the end of a log. */
import type {Buffer} from 'node:buffer';

export interface LogTail {
	push(chunk: Buffer): void;
	/** The last lines. */
	lines(): readonly string[];
	/** All bytes so far. */
	size(): number;
}

const maxLength = 16_384;
const maxLines = 20;

export function createLogTail(): LogTail {
	let text = '';
	let size = 0;
	return {
		push(chunk) {
			size += chunk.length;
			text = (text + chunk.toString('utf8')).slice(-maxLength);
		},
		lines() {
			// A carriage return is how a progress bar starts again.
			const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
			return lines.slice(-maxLines);
		},
		size: () => size,
	};
}

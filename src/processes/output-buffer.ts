/** Output of a process: the beginning and the end of what a tool writes, or all of it. */
import {Buffer} from 'node:buffer';
import {detectImage} from '../media-type.ts';

export interface OutputBuffer {
	push(chunk: Uint8Array): void;
	/** The number of bytes pushed. */
	readonly length: number;
	/** Returns the text for the model. */
	toText(): string;
}

const headBytes = 24 * 1024;
const tailBytes = 8 * 1024;

export function createOutputBuffer(): OutputBuffer {
	const head: Buffer[] = [];
	let headLength = 0;
	let tail = Buffer.alloc(0);
	let length = 0;
	return {
		push(chunk) {
			length += chunk.length;
			const room = headBytes - headLength;
			if (room > 0) {
				head.push(Buffer.from(chunk.subarray(0, room)));
				headLength += Math.min(room, chunk.length);
			}
			if (chunk.length > room) {
				const rest = chunk.subarray(Math.max(0, room)).subarray(-tailBytes);
				tail = Buffer.concat([tail, rest]).subarray(-tailBytes);
			}
		},
		get length() {
			return length;
		},
		toText() {
			const beginning = Buffer.concat(head);
			if (isBinary(beginning) || isBinary(tail)) return describeBinary(beginning, length);
			const left = length - headLength - tail.length;
			if (left === 0) return Buffer.concat([beginning, tail]).toString('utf8');
			const start = beginning.toString('utf8').replace(/\ufffd+$/, '');
			const end = tail.toString('utf8').replace(/^\ufffd+/, '');
			return `${start}\n[… ${left} bytes omitted …]\n${end}`;
		},
	};
}

/** Keeps everything: the limit is that of the process. */
export function createWholeBuffer(): OutputBuffer & {toBytes(): Buffer} {
	const chunks: Uint8Array[] = [];
	let length = 0;
	const toBytes = () => Buffer.concat(chunks);
	return {
		push(chunk) {
			chunks.push(chunk);
			length += chunk.length;
		},
		get length() {
			return length;
		},
		toText: () => toBytes().toString('utf8'),
		toBytes,
	};
}

function describeBinary(beginning: Buffer, length: number): string {
	const image = detectImage(beginning);
	const what = image === undefined ? 'binary output' : `binary output, ${image}`;
	return `[${what}, ${length} bytes]`;
}

/** Text has no NUL, and hardly any invalid UTF-8. */
function isBinary(bytes: Buffer): boolean {
	if (bytes.includes(0)) return true;
	const text = bytes.toString('utf8');
	const broken = text.split('\ufffd').length - 1;
	// A character may be cut at either edge.
	return broken > 4 && broken > text.length / 10;
}

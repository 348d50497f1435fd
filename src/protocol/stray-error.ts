/**
 * Finds an error that a service wrote into an open event stream without framing it as an event:
 * a raw JSON body, or llama.cpp's old `error: {…}` line.
 *
 * The parser drops such lines, so the end of the stream is kept aside and looked at when the
 * stream turns out to have no proper end. Costs nothing per event.
 */
import {type JsonValue, parseJson} from '../json.ts';
import {asObject} from './json.ts';

export interface StreamTail {
	push(text: string): void;
	/** The last stray error line, if there is one. */
	findError(): JsonValue | undefined;
}

/** UTF-16 units of the stream that are kept. */
const tailLength = 64 * 1024;

/** Nothing after the end mark matters. */
const endLine = /^data:\s*\[DONE\]\s*$/;

const strayLine = /^(?:error:\s*)?(\{.*\})\s*$/;

export function createStreamTail(): StreamTail {
	let pieces: string[] = [];
	let first = 0;
	let length = 0;
	let isWhole = true;
	return {
		push(text) {
			pieces.push(text);
			length += text.length;
			for (;;) {
				const oldest = pieces[first];
				if (oldest === undefined || length - oldest.length < tailLength) break;
				length -= oldest.length;
				pieces[first] = '';
				first++;
				isWhole = false;
			}
			if (first > 1024) {
				pieces = pieces.slice(first);
				first = 0;
			}
		},
		findError() {
			const text = pieces.slice(first).join('');
			const lines = text.slice(-tailLength).split(/\r\n|\r|\n/);
			if (!isWhole || text.length > tailLength) lines.shift();
			const done = lines.findIndex((line) => endLine.test(line));
			const before = done === -1 ? lines : lines.slice(0, done);
			for (const line of before.toReversed()) {
				const json = strayLine.exec(line)?.[1];
				const value = json === undefined ? undefined : asObject(parseJson(json));
				if (value !== undefined) return value;
			}
			return undefined;
		},
	};
}

/**
 * Reads the lines of an event stream that its parser drops: an error outside of any event (a raw JSON
 * body, or the `error: {…}` line of old llama.cpp), and a last line without its end.
 */
import {type JsonObject, parseJson} from '../../json.ts';
import {asObject} from '../json-values.ts';

export interface UnframedErrors {
	push(text: string): void;
	/** Call it once, when nothing follows. */
	end(): {
		/** The last error before the end mark, if there is one. */
		readonly error: JsonObject | undefined;
		/** The last line has text, but no end. */
		readonly isOpen: boolean;
	};
}

/** UTF-16 units; a longer line is not an error. */
const maxLineLength = 64 * 1024;

const errorLine = /^(?:error:[ \t]*)?(\{.*\})[ \t]*$/;

/** @param endMark the payload that ends a stream */
export function createUnframedErrors(endMark: string | undefined): UnframedErrors {
	let error: JsonObject | undefined;
	let isDone = false;
	/** The start of a line whose end has not come. */
	let open = '';

	const takeLine = (line: string) => {
		if (isDone || line.length > maxLineLength) return;
		if (line.startsWith('data:')) {
			isDone = line.slice('data:'.length).trim() === endMark;
			return;
		}
		const [, json] = errorLine.exec(line) ?? [];
		if (json !== undefined) error = asObject(parseJson(json)) ?? error;
	};

	return {
		push(chunk) {
			// A line end that is cut in two makes a blank line, which means nothing here.
			const text = chunk.includes('\r') ? chunk.replaceAll('\r', '\n') : chunk;
			let start = 0;
			for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
				if (open !== '') takeLine(open + text.slice(start, end));
				else if (mayMatter(text, start, end)) takeLine(text.slice(start, end));
				open = '';
				start = end + 1;
			}
			// The rest of a line that is too long makes no difference.
			if (open.length <= maxLineLength) open += text.slice(start);
		},
		end() {
			takeLine(open);
			return {error, isOpen: open.trim() !== ''};
		},
	};
}

/** Whether a line begins with `{` or `e`, or is short enough for the end mark: nearly all do not. */
function mayMatter(text: string, start: number, end: number): boolean {
	const first = text.charCodeAt(start);
	return start < end && (first === 0x7b || first === 0x65 || end - start < 32);
}

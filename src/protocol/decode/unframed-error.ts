/**
 * Reads the lines of an event stream that the parser drops: an error that was not framed as an
 * event (a raw JSON body, or llama.cpp's old `error: {…}` line), and a last line without its end.
 *
 * Costs one search and a look at one character per line; only lines that may be errors are kept.
 */
import {type JsonObject, parseJson} from '../../json.ts';
import {asObject} from '../json-values.ts';

export interface UnframedErrors {
	push(text: string): void;
	/** Call it once, when nothing follows. */
	end(): {
		/** The last stray error before the end mark, if there is one. */
		readonly error: JsonObject | undefined;
		/** The last line has text and no end. */
		readonly isOpen: boolean;
	};
}

/** UTF-16 units; a longer line is not an error. */
const maxLineLength = 64 * 1024;

/** Nothing after the end mark matters. */
const endLine = /^data:\s*\[DONE\]\s*$/;

const strayLine = /^(?:error:\s*)?(\{.*\})\s*$/;

export function createUnframedErrors(): UnframedErrors {
	let error: JsonObject | undefined;
	let isDone = false;
	/** The beginning of a line whose end has not come; empty between two lines. */
	let open = '';

	const takeLine = (line: string) => {
		if (isDone || line.length > maxLineLength) return;
		isDone = endLine.test(line);
		const json = strayLine.exec(line)?.[1];
		error = asObject(json === undefined ? undefined : parseJson(json)) ?? error;
	};

	return {
		push(chunk) {
			// A line end cut in two makes a blank line, which means nothing here.
			const text = chunk.includes('\r') ? chunk.replaceAll('\r', '\n') : chunk;
			let start = 0;
			for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
				if (open !== '') takeLine(open + text.slice(start, end));
				else if (mayMatter(text, start, end)) takeLine(text.slice(start, end));
				open = '';
				start = end + 1;
			}
			// What is longer than a line may be only has to stay so.
			if (open.length <= maxLineLength) open += text.slice(start);
		},
		end() {
			takeLine(open);
			return {error, isOpen: open.trim() !== ''};
		},
	};
}

/** Whether a line may be an error or the end mark: it begins with `{` or `e`, or is short. */
function mayMatter(text: string, start: number, end: number): boolean {
	if (start === end) return false;
	const first = text.charCodeAt(start);
	return first === 0x7b || first === 0x65 || end - start < 32;
}

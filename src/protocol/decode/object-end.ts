/**
 * Finds the end of a JSON object in a growing text. Reads no character twice and parses the text at most
 * once, so that a long text costs linear time.
 */
import {parseJson} from '../../json.ts';
import {asObject} from '../json-values.ts';

export interface ObjectEnd {
	push(piece: string): void;
	/**
	 * Whether the text so far is one JSON object.
	 *
	 * @param text all pieces
	 */
	isReached(text: string): boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const openings: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closings: ReadonlySet<number> = new Set([0x7d, 0x5d]);

export function createObjectEnd(): ObjectEnd {
	let depth = 0;
	let isInString = false;
	let isEscaped = false;
	/** Every bracket is closed, and only white space has followed. */
	let isClosed = false;
	/** More followed the last bracket: the text is not one object. */
	let isOver = false;
	let isObject: boolean | undefined;

	const readInString = (code: number) => {
		if (isEscaped) isEscaped = false;
		else if (code === backslash) isEscaped = true;
		else if (code === quote) isInString = false;
	};

	const read = (code: number) => {
		if (isInString) readInString(code);
		else if (code === quote) isInString = true;
		else if (openings.has(code)) depth++;
		else if (closings.has(code)) isClosed = --depth === 0;
	};

	return {
		push(piece) {
			for (let place = 0; place < piece.length && !isOver; place++) {
				const code = piece.charCodeAt(place);
				if (!isClosed) read(code);
				else if (code > 0x20) isOver = true;
			}
		},
		isReached(text) {
			if (!isClosed || isOver) return false;
			isObject ??= asObject(parseJson(text)) !== undefined;
			return isObject;
		},
	};
}

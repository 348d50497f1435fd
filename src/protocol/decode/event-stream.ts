/**
 * Parses text as server-sent events, with eventsource-parser.
 *
 * Differs from the WHATWG rule in two points: a last event that no blank line ends is delivered, as other
 * clients do (https://github.com/openai/openai-node/issues/2725), and lines that are not fields are
 * reported, because some services write their errors there.
 */
import {createParser} from 'eventsource-parser';
import {ChatError} from '../../errors.ts';

export interface EventStreamParser {
	/** @throws {ChatError} `protocol` when one event is larger than the limit */
	push(text: string): void;
	/** Delivers the event that was not ended, if there is one. */
	end(): void;
	/** The last line has text, but no end. */
	readonly isOpen: boolean;
}

/** The largest event that is buffered, in UTF-16 units. Real ones reach 64 Mi. */
const maxEventLength = 256 * 1024 * 1024;

/**
 * @param onEvent is called within `push` and `end`, which throw what it throws
 * @param onStrayLine takes a line that is neither a field nor a comment
 */
export function createEventStreamParser(
	onEvent: (data: string, name: string | undefined) => void,
	onStrayLine: (line: string) => void,
): EventStreamParser {
	/** Pieces of a line whose end has not come: the parser passes over a stray line that is cut. */
	let open: string[] = [];
	let openLength = 0;
	let isTooLarge = false;
	const parser = createParser({
		maxBufferSize: maxEventLength,
		onEvent: ({data, event}) => onEvent(data, event),
		onError: ({type, line}) => {
			isTooLarge ||= type === 'max-buffer-size-exceeded';
			if (type === 'unknown-field' && line !== undefined) onStrayLine(line);
		},
	});
	const push = (text: string) => {
		const end = lengthOfLines(text);
		if (end > 0) {
			open.push(text.slice(0, end));
			parser.feed(open.join(''));
			open = [];
			openLength = 0;
		}
		open.push(text.slice(end));
		openLength += text.length - end;
		if (isTooLarge || openLength > maxEventLength) {
			throw new ChatError('protocol', 'the service sent an event of over 256 MiB');
		}
	};
	return {
		push,
		end: () => push('\n\n'),
		get isOpen() {
			return open.some((piece) => /\S/.test(piece));
		},
	};
}

/** Returns the length of the lines that have an end. */
function lengthOfLines(text: string): number {
	const end = text.lastIndexOf('\n') + 1;
	// Searching backwards is slow, and most streams have no CR.
	return text.includes('\r', end) ? text.lastIndexOf('\r') + 1 : end;
}

/**
 * Parses server-sent events with eventsource-parser, with two exceptions from the WHATWG rules: a
 * last event without its blank line is delivered, as other clients do
 * (https://github.com/openai/openai-node/issues/2725), and lines that are not fields are reported,
 * because some services write errors there.
 */
import {createParser} from 'eventsource-parser';
import {ChatError} from '../../errors.ts';

export interface EventStreamParser {
	/** @throws {ChatError} `protocol` when one event is larger than the limit */
	push(text: string): void;
	/** Delivers the unfinished event, if there is one. */
	end(): void;
	/** The last line has text, but no end. */
	readonly isOpen: boolean;
}

/** Maximum event size in UTF-16 units. Real events reach 64 Mi. */
const maxEventLength = 256 * 1024 * 1024;

/**
 * @param onEvent is called within `push` and `end`, which pass on its exceptions
 * @param onStrayLine receives lines that are neither fields nor comments
 */
export function createEventStreamParser(
	onEvent: (data: string, name: string | undefined) => void,
	onStrayLine: (line: string) => void,
): EventStreamParser {
	/** Pieces of an unfinished line: the parser ignores a stray line that arrives in pieces. */
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

/** Returns the total length of finished lines. */
function lengthOfLines(text: string): number {
	const end = text.lastIndexOf('\n') + 1;
	// Searching backwards is slow, and most streams have no CR.
	return text.includes('\r', end) ? text.lastIndexOf('\r') + 1 : end;
}

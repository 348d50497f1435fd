/**
 * Parses text as server-sent events, with eventsource-parser.
 *
 * Differs from the WHATWG rule in one point, as the clients of this convention do: a last event
 * that no blank line ends is delivered (https://github.com/openai/openai-node/issues/2725).
 */
import {createParser} from 'eventsource-parser';
import {ChatError} from '../../errors.ts';

export interface EventStreamParser {
	/** @throws {ChatError} `protocol` when one event is larger than the limit */
	push(text: string): void;
	/** Delivers the event that was not ended, if there is one. */
	end(): void;
}

/** The largest event that is buffered, in UTF-16 units. Real ones reach 64 Mi. */
const maxEventLength = 256 * 1024 * 1024;

/** @param onEvent is called within `push` and `end`, which throw what it throws */
export function createEventStreamParser(
	onEvent: (data: string, name: string | undefined) => void,
): EventStreamParser {
	let isTooLarge = false;
	const parser = createParser({
		maxBufferSize: maxEventLength,
		onEvent: ({data, event}) => onEvent(data, event),
		onError: (error) => {
			// Lines without a field are ignored; `unframed-error.ts` reads those that matter.
			isTooLarge ||= error.type === 'max-buffer-size-exceeded';
		},
	});
	const push = (text: string) => {
		parser.feed(text);
		if (isTooLarge) throw new ChatError('protocol', 'the service sent an event of over 256 MiB');
	};
	return {push, end: () => push('\n\n')};
}

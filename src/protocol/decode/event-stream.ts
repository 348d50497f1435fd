/**
 * Text to the payloads of server-sent events. Thin dress over eventsource-parser.
 *
 * Differs from the WHATWG rule in one point, as the clients of this convention do: a last event
 * that no blank line ends is delivered (https://github.com/openai/openai-node/issues/2725).
 */
import {createParser} from 'eventsource-parser';
import {ChatError} from '../../errors.ts';

export type Payload = {readonly name: string | undefined; readonly data: string};

export interface EventStreamParser {
	/** @throws {ChatError} `protocol` when one event is larger than the limit. */
	push(text: string): readonly Payload[];
	/** Delivers the event that was not ended, if there is one. */
	end(): readonly Payload[];
}

/** The largest event that is buffered, in UTF-16 units. Real ones reach 64 Mi. */
const maxEventLength = 256 * 1024 * 1024;

export function createEventStreamParser(): EventStreamParser {
	let payloads: Payload[] = [];
	let isTooLarge = false;
	const parser = createParser({
		maxBufferSize: maxEventLength,
		onEvent: ({event, data}) => {
			payloads.push({name: event, data});
		},
		onError: (error) => {
			// Lines that are no field are passed over; see `unframed-error.ts` for those that matter.
			isTooLarge ||= error.type === 'max-buffer-size-exceeded';
		},
	});
	const push = (text: string): readonly Payload[] => {
		payloads = [];
		parser.feed(text);
		if (isTooLarge) throw new ChatError('protocol', 'the service sent an event of over 256 MiB');
		return payloads;
	};
	return {push, end: () => push('\n\n')};
}

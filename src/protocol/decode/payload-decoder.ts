/** The contract of a wire's decoder: the payloads of one reply in, the events of one step out. */
import type {ChatEvent} from '../../chat/event.ts';
import type {ChatError} from '../../errors.ts';
import {type JsonValue, parseJson} from '../../json.ts';
import type {StreamEnd} from './completion.ts';

/** Knows what payloads mean, but not bytes. */
export interface PayloadDecoder {
	/** The payload that ends a stream, if there is one that is not JSON. */
	readonly endMark: string | undefined;
	/**
	 * Decodes the data of one event of a stream; returns whether it is a payload, as `parsePayload` says.
	 *
	 * @param name the name of the event
	 * @throws {ChatError} when the payload reports an error
	 */
	push(data: string, name: string | undefined): boolean;
	/**
	 * Decodes a reply that was not streamed; returns whether it is an answer.
	 *
	 * @throws {ChatError} when the reply reports an error
	 */
	pushWhole(reply: JsonValue): boolean;
	/**
	 * Ends the step.
	 *
	 * @throws {ChatError} when the reply is cut off, empty or failed
	 */
	end(end: StreamEnd): void;
	/** Releases text that was held back, and adds usage and finish reason to the error. */
	fail(error: ChatError): ChatError;
	/** The events since the last call. */
	take(): readonly ChatEvent[];
	/** The service has given a finish reason. */
	readonly isFinished: boolean;
	/** A payload has said that nothing follows. */
	readonly isDone: boolean;
}

/** Returns undefined for data that is not valid JSON; the data of an event called `error` may be a text. */
export function parsePayload(data: string, name: string | undefined): JsonValue | undefined {
	const payload = parseJson(data);
	return payload === undefined && name === 'error' ? data : payload;
}

/** The contract for a wire's decoder: one reply's payloads in, one step's events out. */
import type {ChatEvent} from '../../chat/event.ts';
import type {ChatError} from '../../errors.ts';
import {type JsonValue, parseJson} from '../../json.ts';
import type {StreamEnd} from './completion.ts';

/** Knows what payloads mean, but not bytes. */
export interface PayloadDecoder {
	/** The end-of-stream payload, if it is not JSON. */
	readonly endMark: string | undefined;
	/**
	 * Decodes one event's data; returns whether it is a payload, as defined by `parsePayload`.
	 *
	 * @param name the event's name
	 * @throws {ChatError} for a payload that reports an error
	 */
	push(data: string, name: string | undefined): boolean;
	/**
	 * Decodes an unstreamed reply; returns whether it is an answer.
	 *
	 * @throws {ChatError} for a reply that reports an error
	 */
	pushWhole(reply: JsonValue): boolean;
	/**
	 * Ends the step.
	 *
	 * @throws {ChatError} when the reply is cut off, empty or failed
	 */
	end(end: StreamEnd): void;
	/** Releases held-back text, and adds usage and finish reason to the error. */
	fail(error: ChatError): ChatError;
	/** The events since the last call. */
	take(): readonly ChatEvent[];
	/** The service has given a finish reason. */
	readonly isFinished: boolean;
	/** A payload said that nothing follows. */
	readonly isDone: boolean;
}

/** Returns undefined for invalid JSON; an `error` event's data may be plain text. */
export function parsePayload(data: string, name: string | undefined): JsonValue | undefined {
	const payload = parseJson(data);
	return payload === undefined && name === 'error' ? data : payload;
}

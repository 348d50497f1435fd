/** The contract of a wire's decoder: the payloads of one reply in, the events of one step out. */
import type {ChatEvent} from '../../chat/event.ts';
import type {ChatError} from '../../errors.ts';
import type {JsonValue} from '../../json.ts';
import type {StreamEnd} from './completion.ts';

/** Knows what payloads mean, but not bytes. */
export interface PayloadDecoder {
	/** The payload that ends a stream, if there is one that is not JSON. */
	readonly endMark: string | undefined;
	/**
	 * Decodes one payload of a stream.
	 *
	 * @param eventName the name of its SSE event
	 * @throws {ChatError} when the payload reports an error
	 */
	push(payload: JsonValue, eventName: string | undefined): void;
	/**
	 * Decodes a reply that was not streamed; returns whether it is an answer.
	 *
	 * @throws {ChatError} when the reply reports an error
	 */
	pushWhole(reply: JsonValue): boolean;
	/** Returns the text of a payload that has nothing else; undefined for any other payload. */
	plainTextOf(payload: JsonValue | undefined): string | undefined;
	/** Decodes a payload that differs from the last one only in its plain text. */
	pushText(text: string): void;
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

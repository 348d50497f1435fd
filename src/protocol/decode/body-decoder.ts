/** The contract for body decoders, one for each kind of body. */
import type {ChatError} from '../../errors.ts';

/** How a body ended, as far as the transport knows. */
export type BodyEnd = {
	/** The last chunk came, or the content length was reached. */
	readonly isBodyComplete: boolean;
	/** Why the transport ended early, if it did. */
	readonly failure: ChatError | undefined;
};

/** Passes one body's payloads to a `PayloadDecoder`. Its methods throw a `ChatError`. */
export interface BodyDecoder {
	push(text: string): void;
	/** Call it once, also after `isDone`. */
	end(end: BodyEnd): void;
	/** Anything further is irrelevant. */
	readonly isDone: boolean;
	/** How many payloads have come. */
	readonly payloads: number;
}

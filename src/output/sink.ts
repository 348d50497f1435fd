/**
 * The way out of the program. A terminal is only ever given `SafeText`; exact text goes to pipes
 * and files alone.
 */
import type {OutputStream} from '../environment.ts';
import {ChatError} from '../errors.ts';
import type {SafeText} from '../terminal/safe-text.ts';

export interface Sink {
	readonly isTerminal: boolean;
	/** Resolves when more may be written; see `OutputStream.write` for failures. */
	write(text: SafeText): Promise<void> | undefined;
	/** Text as it came, byte for byte. Never on a terminal. */
	writeExact(text: string): Promise<void> | undefined;
}

export function createSink(stream: OutputStream): Sink {
	return {
		isTerminal: stream.isTerminal,
		write: (text) => (text === '' ? undefined : stream.write(text)),
		writeExact(text) {
			if (stream.isTerminal) throw new ChatError('bug', 'raw text for a terminal');
			return text === '' ? undefined : stream.write(text);
		},
	};
}

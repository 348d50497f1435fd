/**
 * The way out of the program. A terminal gets only `SafeText`; exact text goes to pipes and files
 * alone.
 */
import type {OutputStream} from '../environment.ts';
import {ChatError} from '../errors.ts';
import type {SafeText} from '../terminal/safe-text.ts';

export interface StderrWriter {
	readonly isTerminal: boolean;
	/** Resolves when more may be written. */
	write(text: SafeText): Promise<void> | undefined;
}

/** Its methods fail as `OutputStream.write` does. */
export interface StdoutWriter extends StderrWriter {
	/** Writes text byte for byte. Never on a terminal. */
	writeExact(text: string): Promise<void> | undefined;
}

export type Streams = {readonly stdout: StdoutWriter; readonly stderr: StderrWriter};

/** Never fails: no answer is worth losing over a message beside it. */
export function createStderrWriter(stream: OutputStream): StderrWriter {
	return {
		isTerminal: stream.isTerminal,
		async write(text) {
			if (text === '') return;
			try {
				await stream.write(text);
			} catch (error) {
				if (!(error instanceof ChatError)) throw error;
			}
		},
	};
}

export function createStdoutWriter(stream: OutputStream): StdoutWriter {
	return {
		isTerminal: stream.isTerminal,
		write: (text) => (text === '' ? undefined : stream.write(text)),
		writeExact(text) {
			if (stream.isTerminal) throw new ChatError('bug', 'exact text for a terminal');
			return text === '' ? undefined : stream.write(text);
		},
	};
}

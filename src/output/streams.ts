/**
 * The way out of the program. A terminal gets only `SafeText`; exact text goes to pipes and files
 * alone.
 */
import type {OutputStream} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {type SafeText, stripUnsafe} from '../terminal/safe-text.ts';
import {textWidthOf, wrapLine} from '../wording.ts';

interface Writer {
	readonly isTerminal: boolean;
	/** Resolves when more may be written. */
	write(text: SafeText): Promise<void> | undefined;
}

export interface StderrWriter extends Writer {
	/** Writes lines of words, which a terminal gets wrapped. */
	writeWords(text: SafeText): Promise<void> | undefined;
}

/** A writer failing as `OutputStream.write` does. */
export interface StdoutWriter extends Writer {
	/** Writes text byte for byte. Never on a terminal. */
	writeExact(text: string): Promise<void> | undefined;
}

export type Streams = {readonly stdout: StdoutWriter; readonly stderr: StderrWriter};

/** Never fails: no answer is worth losing over a message beside it. */
export function createStderrWriter(stream: OutputStream): StderrWriter {
	const write = async (text: SafeText) => {
		if (text === '') return;
		try {
			await stream.write(text);
		} catch (error) {
			if (!(error instanceof ChatError)) throw error;
		}
	};
	return {
		isTerminal: stream.isTerminal,
		write,
		writeWords: (text) => write(wrapFor(stream, text)),
	};
}

/** The rows of a message have the indent of its hint. */
function wrapFor(stream: OutputStream, text: SafeText): SafeText {
	if (!stream.isTerminal) return text;
	const rows = text.split('\n').flatMap((line) => {
		const [start = ''] = /^(?:chat: | +)/.exec(line) ?? [];
		return wrapLine(line, textWidthOf(stream), ' '.repeat(start.length || 2));
	});
	return stripUnsafe(rows.join('\n'));
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

/**
 * Reads lines from a terminal doing its own editing (cooked mode), so the program needs no cursor:
 * Emacs, a screen reader and a braille display work as in a shell.
 */
import {StringDecoder} from 'node:string_decoder';
import type {Keyboard} from '../../environment.ts';
import {readInput, scheduleAfterInput} from '../../schedule-after-input.ts';

type LineHandlers = {
	/** Receives a line, or several arriving together, as from a paste. */
	readonly onLines: (text: string) => void;
	/** The terminal dropped a line's end. */
	readonly onCut: () => void;
	/** Ctrl-D, or the terminal is gone. */
	readonly onEnd: (isGone: boolean) => void;
};

export interface LineReader {
	/** Drops what was typed but not entered. Resolves with whether there was something. */
	dropTyped(): Promise<boolean>;
	/** Leaves the terminal to another reader. */
	pause(): void;
	resume(): void;
	stop(): void;
}

/** Two typed lines take longer. */
const pasteMs = 40;

/** Some systems keep no more bytes per line in cooked mode. */
const longestLine: Readonly<Record<string, number>> = {darwin: 1023, linux: 4095};

export function readTypedLines(
	keyboard: Keyboard,
	platform: string,
	{onLines, onCut, onEnd}: LineHandlers,
): LineReader {
	const {stream} = keyboard;
	const longest = longestLine[platform] ?? Number.POSITIVE_INFINITY;
	const decoder = new StringDecoder('utf8');
	/** Whole lines that may go on, and the open one. */
	let lines = '';
	let partial = '';
	let cancelFlush = () => {};
	let onDropped: (() => void) | undefined;

	const flush = () => {
		const text = lines.slice(0, -1);
		lines = '';
		onLines(text);
	};
	const onData = (chunk: Uint8Array) => {
		if (onDropped !== undefined) return onDropped();
		const text = partial + decoder.write(chunk).replaceAll('\r\n', '\n');
		// Longer lines only come in parts, from a program aware of the limit.
		if (chunk.length >= longest && chunk.at(-1) === 0x0a) {
			partial = '';
			return onCut();
		}
		const end = text.lastIndexOf('\n') + 1;
		lines += text.slice(0, end);
		partial = text.slice(end);
		if (end === 0) return;
		cancelFlush();
		cancelFlush = scheduleAfterInput(flush, pasteMs);
	};
	const stop = () => {
		cancelFlush();
		stream.off('data', onData).off('end', onEnded).off('error', onFailed);
		keyboard.close();
	};
	const onEnded = () => {
		cancelFlush();
		lines += partial === '' ? '' : `${partial}\n`;
		if (lines !== '') flush();
		onEnd(!keyboard.isConnected());
	};
	const onFailed = () => onEnd(true);
	const pause = () => {
		stream.off('data', onData).pause();
	};
	const resume = () => {
		stream.on('data', onData).resume();
	};
	stream.on('end', onEnded).on('error', onFailed);
	resume();

	return {
		pause,
		resume,
		async dropTyped() {
			if (lines !== '') {
				cancelFlush();
				flush();
			}
			let hasDropped = partial !== '';
			onDropped = () => {
				hasDropped = true;
			};
			// In raw mode the terminal hands out the line being edited.
			stream.setRawMode(true);
			await readInput();
			await readInput();
			stream.setRawMode(false);
			onDropped = undefined;
			partial = '';
			return hasDropped;
		},
		stop,
	};
}

/**
 * Reads keys from a terminal between `start` and `stop`. While stopped it holds no listener,
 * leaving the terminal to an editor or a shell.
 */
import {Buffer} from 'node:buffer';
import type {Readable} from 'node:stream';
import {scheduleAfterInput} from '../../schedule-after-input.ts';
import {createKeyDecoder, type ReportHandlers} from './key-decoder.ts';
import type {KeyInput} from './key-input.ts';

/** The terminal is asked for the focus only for `onFocus`. */
export type KeyReaderOptions = ReportHandlers & {
	/** Receives each read's keys, at least one. */
	readonly onKeys: (keys: readonly KeyInput[]) => void;
	/** Called once, when the terminal has ended or failed. */
	readonly onEnd?: () => void;
};

/** A terminal's input; raw mode is set if the stream supports it. */
export type KeySource = Readable & {readonly setRawMode?: (isRaw: boolean) => unknown};

export interface KeyReader {
	/** Sets raw mode, starts reading, and returns the text to write to the terminal. */
	start(): string;
	/** Releases the terminal, drops pending input, and returns the text to write to the terminal. */
	stop(): string;
}

// Bracketed paste; xterm's modifyOtherKeys, which a terminal that does not know it may take for a
// style; kitty's flags 1 (distinct codes) and 4 (the key on a Latin layout), on its stack.
const enableModes = '\u001b[?2004h\u001b[>4;1m\u001b[m\u001b[>5u';
const disableModes = '\u001b[<u\u001b[>4m\u001b[m\u001b[?2004l';

// Reports of the focus, and the question whether there are any; a terminal that does not know the
// question may print its last letter, which is erased.
const enableFocus = '\u001b[?1004h\u001b7\u001b[?1004$p\u001b8\u001b[K';
const disableFocus = '\u001b[?1004l';

/** Can be started and stopped any number of times. */
export function createKeyReader(
	stream: KeySource,
	{onKeys, onEnd, ...reports}: KeyReaderOptions,
): KeyReader {
	const {onFocus} = reports;
	let decoder = createKeyDecoder(reports);
	let isStarted = false;
	let cancelFlush: (() => void) | undefined;
	/** The bytes read now were typed before raw mode. */
	let isEarly = false;

	const deliver = (keys: readonly KeyInput[]) => {
		if (keys.length > 0) onKeys(keys);
	};
	const flush = () => {
		cancelFlush = undefined;
		deliver(decoder.flush());
	};
	const onData = (chunk: Uint8Array | string) => {
		cancelFlush?.();
		cancelFlush = undefined;
		const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		const keys = decoder.push(isEarly ? bytes.map(asTyped) : bytes);
		const delayMs = decoder.flushDelayMs;
		if (delayMs !== undefined) cancelFlush = scheduleAfterInput(flush, delayMs);
		deliver(keys);
	};
	const release = () => {
		isStarted = false;
		cancelFlush?.();
		cancelFlush = undefined;
		stream.off('data', onData).off('end', onGone).off('error', onGone);
		stream.pause();
	};
	const onGone = () => {
		release();
		onEnd?.();
	};

	return {
		start() {
			if (isStarted) return '';
			isStarted = true;
			decoder = createKeyDecoder(reports);
			stream.on('end', onGone).on('error', onGone);
			stream.setRawMode?.(true);
			if (isStarted) stream.on('data', onData).resume();
			isEarly = true;
			// Waiting bytes are read in the event loop's next round, which may not be this one.
			setImmediate(() =>
				setImmediate(() => {
					isEarly = false;
				}),
			);
			return onFocus === undefined ? enableModes : enableModes + enableFocus;
		},
		stop() {
			if (!isStarted) return '';
			// The listeners are still there, because a terminal hanging up reports an error.
			stream.setRawMode?.(false);
			release();
			return onFocus === undefined ? disableModes : disableFocus + disableModes;
		},
	};
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Without raw mode Enter arrives as a line feed. */
function asTyped(byte: number): number {
	return byte === lineFeed ? carriageReturn : byte;
}

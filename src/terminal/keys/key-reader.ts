/**
 * Reads keys from a terminal while it is started, and holds nothing of it while it is stopped, so
 * that an editor or a shell may have it. The only place with timers and listeners.
 */
import {Buffer} from 'node:buffer';
import type {Readable} from 'node:stream';
import {scheduleAfterInput} from '../../schedule-after-input.ts';
import {createKeyDecoder} from './key-decoder.ts';
import type {KeyInput} from './key-input.ts';

export type KeyReaderOptions = {
	/** Gets every batch of keys as it is read; never an empty one. */
	readonly onKeys: (keys: readonly KeyInput[]) => void;
	/** The terminal is gone: it ended or failed. Nothing follows. */
	readonly onEnd?: () => void;
	/** Calls back once, after so many milliseconds, unless the returned function is called. */
	readonly schedule?: (callback: () => void, delayMs: number) => () => void;
};

/** A terminal's input; raw mode is left alone where it does not exist. */
export type KeySource = Readable & {readonly setRawMode?: (isRaw: boolean) => unknown};

export interface KeyReader {
	/**
	 * Takes the terminal: raw mode, flowing.
	 *
	 * @returns what to write to the terminal; empty if it is started already.
	 */
	start(): string;
	/**
	 * Lets the terminal go. What waited for more bytes is dropped.
	 *
	 * @returns what to write to the terminal; empty if it is not started.
	 */
	stop(): string;
}

// Bracketed paste; kitty's flags 1 (distinct codes) and 4 (the key on a Latin layout), on its stack.
const enableModes = '\u001b[?2004h\u001b[>5u';
const disableModes = '\u001b[<u\u001b[?2004l';

/** Does nothing until `start`. May be started and stopped any number of times. */
export function createKeyReader(
	stream: KeySource,
	{onKeys, onEnd, schedule = scheduleAfterInput}: KeyReaderOptions,
): KeyReader {
	let decoder = createKeyDecoder();
	let isStarted = false;
	let cancelFlush: (() => void) | undefined;
	/** What is read now was typed before the terminal was raw. */
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
		if (delayMs !== undefined) cancelFlush = schedule(flush, delayMs);
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
			decoder = createKeyDecoder();
			stream.on('end', onGone).on('error', onGone);
			stream.setRawMode?.(true);
			if (isStarted) stream.on('data', onData).resume();
			isEarly = true;
			// What already lies there is read before.
			setImmediate(() => {
				isEarly = false;
			});
			return enableModes;
		},
		stop() {
			if (!isStarted) return '';
			// Before the listeners go: a terminal that hung up answers with an error.
			stream.setRawMode?.(false);
			release();
			return disableModes;
		},
	};
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A terminal that is not raw makes a line feed of Enter. */
function asTyped(byte: number): number {
	return byte === lineFeed ? carriageReturn : byte;
}

/**
 * Standard input, to its end. There is no time-out: however slow the other side is, nothing of it
 * is dropped; the user is only told what the program waits for.
 */
import type {InputStream} from '../environment.ts';
import {collectBytes} from './collect-bytes.ts';
import {createSilenceTimer, waitingAfterMs} from './silence-timer.ts';

export type StdinOptions = {
	readonly signal: AbortSignal;
	/** Called at most once, when nothing came for `waitingAfterMs`. */
	readonly onWaiting?: (() => void) | undefined;
	/** Default 3000. */
	readonly waitingAfterMs?: number | undefined;
	/** Default 64 MiB. */
	readonly maxBytes?: number | undefined;
};

/**
 * @throws {ChatError} `data` when more than `maxBytes` come, `input` when reading fails; when
 * `signal` aborts, its reason. In each case the stream is destroyed.
 */
export async function readStdin(input: InputStream, options: StdinOptions): Promise<Uint8Array> {
	const {signal, onWaiting, maxBytes = 64 * 1_048_576} = options;
	const timer = createSilenceTimer(options.waitingAfterMs ?? waitingAfterMs, onWaiting);
	try {
		return await collectBytes(input.read(), {
			name: 'stdin',
			maxBytes,
			signal,
			onData: timer.restart,
		});
	} finally {
		timer.stop();
	}
}

/**
 * Bytes that have arrived and were not read yet.
 *
 * A `Readable` that is destroyed drops what it has buffered. Here everything that reached the
 * process before a reset, a time-out or an abort is still handed out, because partial text is
 * never lost.
 */
import type {Readable} from 'node:stream';

export interface ByteQueue {
	push(chunk: Uint8Array): void;
	/** Nothing follows. The first call counts. */
	end(failure: unknown): void;
	/** All chunks since the last call, never none; undefined at the end. Never throws. */
	read(): Promise<readonly Uint8Array[] | undefined>;
	/** The source was told to wait. */
	readonly isPaused: boolean;
	/** Something waits to be read. */
	readonly hasUnread: boolean;
	readonly failure: unknown;
}

/** Bytes that may wait here before the source is paused. */
const highWaterMark = 1024 * 1024;

/**
 * @param source is paused while too much waits to be read
 * @param onActivity is called when bytes have come, or can come again after a pause
 */
export function createByteQueue(source: Readable, onActivity: () => void): ByteQueue {
	let chunks: Uint8Array[] = [];
	let size = 0;
	let isEnded = false;
	let failure: unknown;
	let wake: (() => void) | undefined;
	const take = (): readonly Uint8Array[] => {
		const taken = chunks;
		chunks = [];
		size = 0;
		if (!isEnded && source.isPaused()) {
			source.resume();
			onActivity();
		}
		return taken;
	};

	return {
		push(chunk) {
			if (isEnded || chunk.length === 0) return;
			chunks.push(chunk);
			size += chunk.length;
			if (size > highWaterMark) source.pause();
			onActivity();
			wake?.();
		},
		end(reason) {
			if (isEnded) return;
			isEnded = true;
			failure = reason;
			wake?.();
		},
		async read() {
			while (chunks.length === 0 && !isEnded) {
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
			}
			return chunks.length > 0 ? take() : undefined;
		},
		get isPaused() {
			return size > highWaterMark;
		},
		get hasUnread() {
			return size > 0;
		},
		get failure() {
			return failure;
		},
	};
}

/**
 * Bytes that have arrived but are still unread. A destroyed `Readable` drops its buffer. This queue
 * still hands out everything received before a reset, timeout or abort: partial text is never lost.
 */
import type {Readable} from 'node:stream';

export interface ByteQueue {
	push(chunk: Uint8Array): void;
	/** Nothing follows. The first call counts. */
	end(failure: unknown): void;
	/** Resolves with all chunks since the last call, at least one; undefined at the end. Never throws. */
	read(): Promise<readonly Uint8Array[] | undefined>;
	/** The source waits for the reader. */
	readonly isPaused: boolean;
	readonly hasUnread: boolean;
	readonly failure: unknown;
}

/** Unread bytes at which the source is paused. */
const highWaterMark = 1024 * 1024;

/** @param onActivity is called when bytes have come, or can come again after a pause */
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

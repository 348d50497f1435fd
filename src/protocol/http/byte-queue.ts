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

/** A service that sends less than this between two reads is slow: more may gather before the next. */
const gatheredBytes = 16 * 1024;

export type ByteQueueOptions = {
	/** How long small pieces gather before they are let in, in milliseconds; 0: not at all. */
	readonly gatherMs: number;
	/** Called when bytes have come, or can come again after a pause. */
	readonly onActivity: () => void;
};

/** @param source is paused while too much waits to be read, and while it gathers */
export function createByteQueue(
	source: Readable,
	{gatherMs, onActivity}: ByteQueueOptions,
): ByteQueue {
	let chunks: Uint8Array[] = [];
	let size = 0;
	let isEnded = false;
	let failure: unknown;
	let wake: (() => void) | undefined;
	let gathering: NodeJS.Timeout | undefined;

	const resume = () => {
		gathering = undefined;
		if (isEnded || !source.isPaused()) return;
		source.resume();
		onActivity();
	};
	const take = (): readonly Uint8Array[] => {
		const taken = chunks;
		const isSlow = size < gatheredBytes;
		chunks = [];
		size = 0;
		if (gathering !== undefined || isEnded) return taken;
		if (gatherMs > 0 && isSlow) {
			source.pause();
			gathering = setTimeout(resume, gatherMs);
		} else {
			resume();
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
			clearTimeout(gathering);
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
			return gathering !== undefined || size > highWaterMark;
		},
		get hasUnread() {
			return size > 0;
		},
		get failure() {
			return failure;
		},
	};
}

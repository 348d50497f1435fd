/**
 * Reads a stream to its end into memory, within a limit. Nothing that came is ever dropped: it is
 * all, or an error.
 */
import type {Readable} from 'node:stream';
import {ChatError} from '../errors.ts';

export type CollectLimits = {
	/** What the stream is called in messages. */
	readonly name: string;
	readonly maxBytes: number;
	readonly signal: AbortSignal;
	/** Called for each piece that comes. */
	readonly onData?: (() => void) | undefined;
};

/**
 * @throws {ChatError} `data` when more than `maxBytes` come, `input` when reading fails; when
 * `signal` aborts, its reason. In each case the stream is destroyed.
 */
export function collectBytes(stream: Readable, limits: CollectLimits): Promise<Uint8Array> {
	const work = () => collect(stream, limits);
	return untilAborted(work, limits.signal, () => stream.destroy());
}

async function collect(stream: Readable, limits: CollectLimits): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const piece of stream) {
			const chunk = toBytes(piece);
			limits.onData?.();
			length += chunk.length;
			if (length > limits.maxBytes) throw tooLarge(limits.name, limits.maxBytes);
			chunks.push(chunk);
		}
	} catch (error) {
		throw error instanceof ChatError ? error : unreadable(limits.name, error);
	}
	return Buffer.concat(chunks, length);
}

function toBytes(piece: string | Uint8Array): Uint8Array {
	return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

/**
 * The result of `work`, or the signal's reason as soon as it aborts, even if `work` is stuck in a
 * read that nothing can stop (a pipe whose writer sleeps).
 */
export function untilAborted<Result>(
	work: () => Promise<Result>,
	signal: AbortSignal,
	onAbort?: () => void,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		const abort = () => {
			reject(signal.reason);
			onAbort?.();
		};
		if (signal.aborted) {
			abort();
			return;
		}
		signal.addEventListener('abort', abort, {once: true});
		const stopListening = () => signal.removeEventListener('abort', abort);
		work().then(resolve, reject).finally(stopListening);
	});
}

export function tooLarge(name: string, maxBytes: number): ChatError {
	const kibibytes = maxBytes / 1024;
	const limit = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
	return new ChatError('data', `${name} is larger than the ${limit} limit`);
}

/** Why a file or a stream cannot be read, by the system's error code. */
const reasonOfCode: Readonly<Record<string, string>> = {
	EACCES: 'permission denied',
	EPERM: 'not permitted',
	ELOOP: 'its links go round in a circle',
	ENAMETOOLONG: 'its name is too long',
	EIO: 'the device failed',
};

export function unreadable(name: string, cause: unknown): ChatError {
	const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
	return new ChatError('input', `cannot read ${name}: ${reasonOfCode[code] ?? code}`, {
		code,
		cause,
	});
}

/**
 * Sends the chunks of a reply as server-sent events: at a rate or as fast as the reader takes them,
 * and not one more once the reader is gone.
 */
import type {ServerResponse} from 'node:http';
import {setImmediate, setTimeout} from 'node:timers/promises';
import {doneMarker, type WireChunk} from '../protocol/wire.ts';

export type StreamPace = {
	/** Chunks a second; absent: as fast as the socket takes them. */
	readonly tokensPerSecond?: number | undefined;
	/** How long a reader may take nothing before it is dropped. */
	readonly drainTimeoutMs: number;
};

/** Few large writes cost a fraction of many small ones. */
const batchLength = 16_384;

/** Shorter waits are not worth a timer: the tokens of that time leave together. */
const shortestWaitMs = 4;

/**
 * Writes the chunks and the end marker. Returns early when `signal` aborts, which the caller does
 * when the connection closes; destroys a response whose reader stopped reading.
 */
export async function streamReply(
	response: ServerResponse,
	chunks: Iterable<WireChunk>,
	pace: StreamPace,
	signal: AbortSignal,
): Promise<void> {
	const waitForTurn = createMetronome(pace.tokensPerSecond, signal);
	let batch = '';
	const flush = async () => {
		const isTaken = batch === '' || response.write(batch);
		batch = '';
		if (!isTaken) await waitForDrain(response, pace.drainTimeoutMs, signal);
	};
	for (const chunk of chunks) {
		if (signal.aborted) return;
		batch += `data: ${JSON.stringify(chunk)}\n\n`;
		const turn = waitForTurn();
		if (turn === undefined && batch.length < batchLength) continue;
		await flush();
		await (turn ?? setImmediate());
	}
	batch += `data: ${doneMarker}\n\n`;
	await flush();
	if (!signal.aborted) response.end();
}

/** Counts turns; returns a wait when the next one is not due yet. */
function createMetronome(
	perSecond: number | undefined,
	signal: AbortSignal,
): () => Promise<void> | undefined {
	if (perSecond === undefined) return () => undefined;
	const start = performance.now();
	let turns = 0;
	return () => {
		turns += 1;
		const wait = start + (turns * 1000) / perSecond - performance.now();
		return wait < shortestWaitMs ? undefined : delay(wait, signal);
	};
}

/** Waits, but not past an abort; never fails. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
	await setTimeout(milliseconds, undefined, {signal}).catch(() => undefined);
}

async function waitForDrain(
	response: ServerResponse,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<void> {
	const drained = new AbortController();
	const stop = () => drained.abort();
	response.once('drain', stop);
	signal.addEventListener('abort', stop, {once: true});
	if (signal.aborted) stop();
	await delay(timeoutMs, drained.signal);
	response.off('drain', stop);
	signal.removeEventListener('abort', stop);
	if (!drained.signal.aborted) response.destroy();
}

/**
 * Sends the body of a reply piece by piece: at a rate or as fast as the reader takes it, with the
 * silences and the early end that a fault asks for, and not one byte more once the reader is gone.
 */
import type {ServerResponse} from 'node:http';
import {setTimeout} from 'node:timers/promises';
import type {Ending} from './fault.ts';
import {hangUp} from './hang-up.ts';

export type StreamPace = {
	/** Events a second; absent: as fast as the socket takes them. */
	readonly tokensPerSecond?: number | undefined;
	/** How long a silence may last before a comment breaks it; absent: without limit. */
	readonly keepAliveMs?: number | undefined;
	/** How long a reader may take nothing before it is dropped. */
	readonly drainTimeoutMs: number;
	/** Awaited between two writes without a pause. */
	readonly nextTurn: () => Promise<void>;
};

/** An event or a whole body, bytes out of the middle of one, a silence, or the end right here. */
export type BodyPart =
	| string
	| Uint8Array
	/** Milliseconds; `Infinity` waits until the reader leaves. */
	| {readonly pauseMs: number}
	| {readonly ending: Ending};

/** Few large writes cost a fraction of many small ones. */
const batchLength = 16_384;

/** Shorter waits are not worth a timer: the tokens of that time leave together. */
const shortestWaitMs = 4;

/** A timer with a longer wait would fire at once. */
const longestTimerMs = 2_147_483_647;

const keepAliveComment = ': keep-alive\n\n';

/**
 * Writes the parts after the head, and ends the response. Returns early when `signal` aborts, which
 * the caller does when the connection closes; destroys a response whose reader stopped reading.
 */
export async function streamReply(
	response: ServerResponse,
	parts: Iterable<BodyPart>,
	pace: StreamPace,
	signal: AbortSignal,
): Promise<void> {
	const writer = createBodyWriter(response, pace, signal);
	for (const part of parts) {
		if (signal.aborted) return;
		if (typeof part === 'object' && 'ending' in part) {
			await writer.pause(0);
			return await hangUp(response, part.ending);
		}
		const waiting = writer.add(part);
		if (waiting !== undefined) await waiting;
	}
	if (signal.aborted) return;
	await writer.flush();
	if (!signal.aborted) response.end();
}

interface BodyWriter {
	/** Takes what comes next, an event at its turn; a promise only if there is something to wait for. */
	add(part: Exclude<BodyPart, {readonly ending: Ending}>): Promise<void> | undefined;
	/** Writes what waits, keeps silent, and restarts the count of turns. */
	pause(milliseconds: number): Promise<void>;
	/** Writes what waits. */
	flush(): Promise<void>;
}

function createBodyWriter(
	response: ServerResponse,
	{tokensPerSecond, keepAliveMs, drainTimeoutMs, nextTurn}: StreamPace,
	signal: AbortSignal,
): BodyWriter {
	let nextWait = createMetronome(tokensPerSecond);
	let batch = '';
	const write = async (data: string | Uint8Array) => {
		if (!response.write(data)) await waitForDrain(response, drainTimeoutMs, signal);
	};
	const flush = async () => {
		const data = batch;
		batch = '';
		if (data !== '') await write(data);
	};
	const addLater = async (text: string, waitMs: number) => {
		await flush();
		if (waitMs > 0) await keepSilence(response, waitMs, keepAliveMs, signal);
		else await nextTurn();
		batch += text;
	};
	const addBytes = async (bytes: Uint8Array) => {
		await flush();
		await write(bytes);
	};
	const pause = async (milliseconds: number) => {
		await flush();
		response.flushHeaders();
		await keepSilence(response, milliseconds, keepAliveMs, signal);
		nextWait = createMetronome(tokensPerSecond);
	};
	return {
		flush,
		pause,
		add(part) {
			if (part instanceof Uint8Array) return addBytes(part);
			if (typeof part === 'object') return pause(part.pauseMs);
			const waitMs = nextWait();
			if (waitMs > 0 || batch.length >= batchLength) return addLater(part, waitMs);
			batch += part;
			return undefined;
		},
	};
}

/** Returns the milliseconds until the next turn; 0 when it is due. */
function createMetronome(perSecond: number | undefined): () => number {
	if (perSecond === undefined) return () => 0;
	const start = performance.now();
	let turns = 0;
	return () => {
		const wait = start + (turns * 1000) / perSecond - performance.now();
		turns += 1;
		return wait < shortestWaitMs ? 0 : wait;
	};
}

/** Waits for 24 days at most, and not past an abort; never fails. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
	await setTimeout(Math.min(milliseconds, longestTimerMs), undefined, {signal}).catch(
		() => undefined,
	);
}

async function keepSilence(
	response: ServerResponse,
	milliseconds: number,
	keepAliveMs = longestTimerMs,
	signal: AbortSignal,
): Promise<void> {
	for (let left = milliseconds; left > 0 && !signal.aborted; ) {
		const step = Math.min(left, keepAliveMs, longestTimerMs);
		await delay(step, signal);
		left -= step;
		const isHeard = keepAliveMs < longestTimerMs && !response.writableNeedDrain;
		if (left > 0 && isHeard && !signal.aborted) response.write(keepAliveComment);
	}
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

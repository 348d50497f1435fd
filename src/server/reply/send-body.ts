/**
 * Sends a reply body piece by piece: at a rate or as fast as the reader takes it, with the fault's
 * silences and early end, and not one byte more once the reader is gone.
 */
import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {setImmediate, setTimeout} from 'node:timers/promises';
import type {Ending} from './fault.ts';

/** Waits for its caller's turn, one at a time: other requests are read between any two turns. */
export type TakeTurn = (caller?: 'newcomer') => Promise<void>;

type Pace = {
	/** Events a second; absent: as fast as the socket takes them. */
	readonly tokensPerSecond?: number | undefined;
	/** See `pause`. */
	readonly keepAliveMs?: number | undefined;
	readonly takeTurn: TakeTurn;
};

/** An event or a whole body, a byte range within one, a silence, or the end right here. */
export type BodyPart =
	| string
	| Uint8Array
	/** Milliseconds; `Infinity` waits until the reader leaves. */
	| {readonly pauseMs: number}
	| {readonly ending: Ending};

/** A few large writes cost a fraction of many small ones. */
const batchLength = 16_384;

/** Shorter delays are not worth a timer: their tokens leave together. */
const shortestWaitMs = 4;

/** A timer with a longer wait would fire at once. */
const longestTimerMs = 2_147_483_647;

/** The longest silence for a reader who has closed its side, and may be gone. */
const longestHalfOpenMs = 60_000;

/** A reset discards unread data on the other side, so it comes a little later. */
const resetDelayMs = 25;

const keepAliveComment = ': keep-alive\n\n';

/**
 * Writes the parts after the head, and ends the response. Returns early when `signal` aborts, which
 * the caller does when the connection closes.
 */
export async function sendBody(
	response: ServerResponse,
	parts: Iterable<BodyPart>,
	{tokensPerSecond, keepAliveMs, takeTurn}: Pace,
	signal: AbortSignal,
): Promise<void> {
	let nextWait = createMetronome(tokensPerSecond);
	let batch = '';
	let isBegun = false;
	const flush = async () => {
		if (batch === '') return;
		// The first batch belongs to its caller's turn.
		if (isBegun) await takeTurn();
		isBegun = true;
		await write(response, batch, signal);
		batch = '';
	};
	for (const part of parts) {
		if (signal.aborted) return;
		if (typeof part === 'string') {
			const waitMs = nextWait();
			if (waitMs > 0 || batch.length >= batchLength) {
				await flush();
				await pause(response, waitMs, signal, keepAliveMs);
			}
			batch += part;
			continue;
		}
		await flush();
		if (part instanceof Uint8Array) {
			await write(response, part, signal);
		} else {
			response.flushHeaders();
			if ('ending' in part) return await hangUp(response, part.ending);
			await pause(response, part.pauseMs, signal, keepAliveMs);
			nextWait = createMetronome(tokensPerSecond);
		}
	}
	await flush();
	response.end();
}

/** Newcomers get every other turn, so that a short reply does not wait for all long ones. */
export function createTurns(): TakeTurn {
	const newcomers: Array<() => void> = [];
	const others: Array<() => void> = [];
	let isRunning = false;
	const run = async () => {
		isRunning = true;
		for (let turn = 0; newcomers.length + others.length > 0; turn += 1) {
			await setImmediate();
			const [first, second] = turn % 2 === 0 ? [newcomers, others] : [others, newcomers];
			const start = first.shift() ?? second.shift();
			start?.();
		}
		isRunning = false;
	};
	return (caller) =>
		new Promise((resolve) => {
			(caller === undefined ? others : newcomers).push(resolve);
			if (!isRunning) void run();
		});
}

/** Ends a response here; `end` ends it cleanly, though perhaps too early. */
export async function hangUp(response: ServerResponse, ending: Ending): Promise<void> {
	if (ending === 'end') {
		response.end();
		return;
	}
	const {socket} = response;
	if (ending === 'fin') {
		socket?.destroySoon();
		return;
	}
	await setTimeout(resetDelayMs);
	socket?.resetAndDestroy();
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

/**
 * Waits, but not beyond an abort; never fails.
 *
 * @param keepAliveMs maximum silence before a keep-alive comment; absent: no limit
 */
export async function pause(
	response: ServerResponse,
	milliseconds: number,
	signal: AbortSignal,
	keepAliveMs = longestTimerMs,
): Promise<void> {
	for (let left = milliseconds; left > 0 && !signal.aborted; ) {
		const step = Math.min(left, keepAliveMs, longestTimerMs);
		if (step > longestHalfOpenMs) hangUpAtEnd(response.socket);
		await setTimeout(step, undefined, {signal}).catch(() => undefined);
		left -= step;
		const isHeard = keepAliveMs < longestTimerMs && !response.writableNeedDrain;
		if (left > 0 && isHeard && !signal.aborted) response.write(keepAliveComment);
	}
}

/** Ends the connection with its reader: without a write, nothing else reveals a lost reader. */
function hangUpAtEnd(socket: ServerResponse['socket']): void {
	if (socket?.readableEnded === true) socket.destroy();
	else socket?.once('end', () => socket.destroy());
}

/** Waits for a slow reader. */
async function write(
	response: ServerResponse,
	data: string | Uint8Array,
	signal: AbortSignal,
): Promise<void> {
	if (!response.write(data)) await once(response, 'drain', {signal}).catch(() => undefined);
}

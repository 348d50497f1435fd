/**
 * From the events of a turn to the actions of a session.
 *
 * Invariant: the events of a turn reach the state at most once every 33 ms, but for the few results of
 * tools and the parts of a long text, so that a screen costs the same whatever the service's rate.
 */

import type {ChatEvent, ChatEventBatch} from '../chat/event.ts';
import {toChatError} from '../errors.ts';
import {readInput} from '../schedule-after-input.ts';
import type {Action} from './action.ts';
import {cutBatch, lengthOfText, partLength} from './cut-batch.ts';
import {frameMs} from './frame-ms.ts';

export type Following = {
	/** Stops the turn; its reason is the error that the turn ends with. */
	readonly signal: AbortSignal;
	readonly now: () => number;
	readonly dispatch: (action: Action) => void;
	/** What a long answer waits for. */
	readonly held: () => Promise<void> | undefined;
};

const tickMs = 1000;

/**
 * Passes the events of a turn on, gathered over 33 ms as long as they are few, and ticks while nothing
 * else happens. Once the turn is stopped, no long text goes on: what is not shown yet is dropped.
 */
export async function followTurn(
	turn: AsyncIterable<ChatEventBatch>,
	{signal, now, dispatch, held}: Following,
): Promise<void> {
	let pending: ChatEvent[] = [];
	let pendingLength = 0;
	let timer: NodeJS.Timeout | undefined;
	let lastFlush = Number.NEGATIVE_INFINITY;
	const flush = () => {
		clearTimeout(timer);
		timer = undefined;
		lastFlush = now();
		const events = pending;
		pending = [];
		pendingLength = 0;
		if (events.length > 0) dispatch({type: 'events', events, now: lastFlush});
	};
	const gather = (part: readonly ChatEvent[]) => {
		for (const event of part) {
			// What a tool is told stands between the texts of two steps.
			const isToolResult = event.type === 'tool-result';
			if (isToolResult) flush();
			pending.push(event);
			if (isToolResult) flush();
		}
		pendingLength += lengthOfText(part);
	};
	const schedule = () => {
		if (pending.length === 0) return;
		const wait = lastFlush + frameMs - now();
		// No timer waits for less than a millisecond.
		if (wait < 1) flush();
		else timer ??= setTimeout(flush, wait);
	};
	const ticker = setInterval(() => dispatch({type: 'tick', now: now()}), tickMs);
	try {
		for await (const batch of turn) {
			for (const part of cutBatch(batch)) {
				if (pendingLength + lengthOfText(part) > partLength) {
					flush();
					await held();
					await readInput();
					if (signal.aborted) return gather([{type: 'error', error: toChatError(signal.reason)}]);
				}
				gather(part);
			}
			schedule();
		}
	} finally {
		clearInterval(ticker);
		flush();
	}
}

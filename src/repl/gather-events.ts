/**
 * Passes the events of a turn on to a screen.
 *
 * Invariant: while a text grows, the next batch is asked for a frame after the one before, so that a
 * screen costs the same at any rate of the service. Meanwhile, the text gathers in the transport.
 */
import {wait} from '../abort.ts';
import type {ChatEvent, ChatEventBatch} from '../chat/event.ts';
import {toChatError} from '../errors.ts';
import {readInput} from '../schedule-after-input.ts';
import type {TurnAction} from './action.ts';

/** Prepares for a batch, which is shown when the promise resolves. */
export type PrepareBatch = (batch: ChatEventBatch) => Promise<void> | undefined;

type EventGathererOptions = {
	/** Stops the turn; its reason is the error that the turn ends with. */
	readonly signal: AbortSignal;
	readonly now: () => number;
	readonly dispatch: (action: TurnAction) => void;
	readonly prepare: PrepareBatch;
};

export interface EventGatherer {
	/** Resolves when the next batch may follow, with false if the turn was stopped meanwhile. */
	push(batch: ChatEventBatch): Promise<boolean>;
	/** Stops the clock. */
	end(): void;
}

/** The time from frame to frame, in milliseconds. */
const frameMs = 33;

const tickMs = 1000;

/**
 * Shows each batch at once, and ticks once a second. When the turn is stopped while a long text is
 * being shown, the rest of the text is dropped.
 */
export function createEventGatherer({
	signal,
	now,
	dispatch,
	prepare,
}: EventGathererOptions): EventGatherer {
	const show = (events: readonly ChatEvent[]) => {
		if (events.length > 0) dispatch({type: 'events', events, now: now()});
	};
	// After an abort, the turn ends soon.
	const untilNextFrame = (delayMs: number) => wait(delayMs, signal).catch(() => undefined);
	const ticker = setInterval(() => dispatch({type: 'tick', now: now()}), tickMs);
	return {
		async push(batch) {
			await prepare(batch);
			const startedAt = now();
			let part: ChatEvent[] = [];
			let partSize = 0;
			for (const event of batch.flatMap(cutEvent)) {
				const length = textLength(event);
				if (partSize + length > partLength) {
					show(part);
					await readInput();
					if (signal.aborted) {
						show([{type: 'error', error: toChatError(signal.reason)}]);
						return false;
					}
					part = [];
					partSize = 0;
				}
				part.push(event);
				partSize += length;
			}
			show(part);
			if (isGrowing(batch)) await untilNextFrame(startedAt + frameMs - now());
			return true;
		},
		end: () => clearInterval(ticker),
	};
}

/** Whether a batch ends in the middle of a text. */
function isGrowing(batch: ChatEventBatch): boolean {
	const last = batch.at(-1);
	return last !== undefined && 'text' in last;
}

/**
 * UTF-16 units of text that are shown before keys are read again: some texts take 50 microseconds a
 * character. Counting characters instead of time gives the same screen on every machine.
 */
const partLength = 2048;

/** Cuts an event into parts with at most `partLength` of text each. */
function cutEvent(event: ChatEvent): readonly ChatEvent[] {
	const length = textLength(event);
	if (!('text' in event) || length <= partLength) return [event];
	return Array.from({length: Math.ceil(length / partLength)}, (_, index) => ({
		...event,
		text: event.text.slice(index * partLength, (index + 1) * partLength),
	}));
}

/** Returns the UTF-16 units of text that the event shows. */
function textLength(event: ChatEvent): number {
	return shownTypes.has(event.type) && 'text' in event ? event.text.length : 0;
}

const shownTypes: ReadonlySet<ChatEvent['type']> = new Set([
	'text-delta',
	'refusal-delta',
	'reasoning-delta',
]);

/**
 * Passes turn events on to a screen. Invariant: events reach the state at most once every 50 ms,
 * except for tool results and long text in parts, so a screen costs the same at any service rate.
 */
import type {ChatEvent, ChatEventBatch} from '../../chat/event.ts';
import {toChatError} from '../../errors.ts';
import {readInput} from '../../schedule-after-input.ts';
import type {TurnAction} from '../action.ts';

type EventGathererOptions = {
	/** Stops the turn; its reason becomes the turn's error. */
	readonly signal: AbortSignal;
	readonly now: () => number;
	readonly dispatch: (action: TurnAction) => void;
};

export interface EventGatherer {
	/** Resolves when the next batch may follow, with false if the turn was stopped meanwhile. */
	push(batch: ChatEventBatch): Promise<boolean>;
	/** Dispatches what was gathered: a question follows. */
	flush(): void;
	/** Dispatches the rest and stops the clock. */
	end(): void;
}

/** The time from frame to frame, in milliseconds. */
const frameMs = 50;

const tickMs = 1000;

/**
 * Gathers events for 50 ms, and ticks once a second. Stopping the turn while a long text is being
 * shown drops the remaining text.
 */
export function createEventGatherer({signal, now, dispatch}: EventGathererOptions): EventGatherer {
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
	const gather = (event: ChatEvent, length: number) => {
		// A tool's result is printed between the texts of two steps.
		const isToolResult = event.type === 'tool-result';
		if (isToolResult) flush();
		pending.push(event);
		pendingLength += length;
		if (isToolResult) flush();
	};
	const schedule = () => {
		if (pending.length === 0) return;
		const wait = lastFlush + frameMs - now();
		// No timer waits for less than a millisecond.
		if (wait < 1) flush();
		else timer ??= setTimeout(flush, wait);
	};
	const ticker = setInterval(() => dispatch({type: 'tick', now: now()}), tickMs);
	return {
		async push(batch) {
			const isLong = batch.some((event) => textLength(event) > partLength);
			for (const event of isLong ? batch.flatMap(cutEvent) : batch) {
				const length = textLength(event);
				if (pendingLength + length > partLength) {
					flush();
					await readInput();
					if (signal.aborted) {
						const error = toChatError(signal.reason);
						dispatch({type: 'events', events: [{type: 'error', error}], now: now()});
						return false;
					}
				}
				gather(event, length);
			}
			schedule();
			return true;
		},
		flush,
		end() {
			clearInterval(ticker);
			flush();
		},
	};
}

/**
 * Text shown before reading keys again, in UTF-16 units: some texts take 50 microseconds a
 * character. Counting characters instead of time gives the same screen on every machine.
 */
const partLength = 2048;

/** Cuts an event into parts with at most `partLength` text units each. */
function cutEvent(event: ChatEvent): readonly ChatEvent[] {
	const length = textLength(event);
	if (!('text' in event) || length <= partLength) return [event];
	return Array.from({length: Math.ceil(length / partLength)}, (_, index) => ({
		...event,
		text: event.text.slice(index * partLength, (index + 1) * partLength),
	}));
}

/** Returns the event's visible text length, in UTF-16 units. */
function textLength(event: ChatEvent): number {
	return shownTypes.has(event.type) && 'text' in event ? event.text.length : 0;
}

const shownTypes: ReadonlySet<ChatEvent['type']> = new Set([
	'text-delta',
	'refusal-delta',
	'reasoning-delta',
]);

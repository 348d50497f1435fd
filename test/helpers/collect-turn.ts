/** Collects the events of a turn into one value to compare, and checks their grammar. */
import type {ChatEvent, ChatEventBatch, Notice} from '../../src/chat/event.ts';
import type {ToolCall} from '../../src/chat/message.ts';
import type {ChatError} from '../../src/errors.ts';
import type {Usage} from '../../src/usage.ts';
import {checkEventBatches} from './event-grammar.ts';

export type CollectedTurn = {
	readonly events: readonly ChatEvent[];
	/** The texts of all steps, joined. */
	readonly content: string;
	readonly refusal: string;
	readonly reasoning: string;
	/** Of a step that was cut off, the calls in its deltas, none of them runnable. */
	readonly toolCalls: readonly ToolCall[];
	/** The word of the last step that ended or failed; null if it sent none. */
	readonly finishReason: string | null;
	/** Of the last step that ended. */
	readonly usage: Usage | undefined;
	/** Requests of all steps that started. */
	readonly attempts: number;
	readonly error: ChatError | undefined;
	readonly notices: readonly Notice[];
	/** Whether the turn ended in `turn-end`. */
	readonly isComplete: boolean;
};

/**
 * Reads a turn to its end.
 *
 * @throws {Error} if the events break the grammar, or the iteration itself fails: a turn reports
 * its failures as events.
 */
export async function collectTurn(batches: AsyncIterable<ChatEventBatch>): Promise<CollectedTurn> {
	const seen: ChatEventBatch[] = [];
	for await (const batch of batches) seen.push(batch);
	checkEventBatches(seen);
	return summarizeTurn(seen.flat());
}

function summarizeTurn(events: readonly ChatEvent[]): CollectedTurn {
	const ends = selectEvents(events, 'step-end');
	const starts = selectEvents(events, 'step-start');
	const failure = selectEvents(events, 'error')[0]?.error;
	const lastEnd = starts.length === ends.length ? ends.at(-1) : undefined;
	return {
		events,
		content: joinTexts(selectEvents(events, 'text-delta')),
		refusal: joinTexts(selectEvents(events, 'refusal-delta')),
		reasoning: joinTexts(selectEvents(events, 'reasoning-delta')),
		toolCalls: [
			...selectEvents(events, 'tool-call').map(({call}) => call),
			...collectCutCalls(events),
		],
		finishReason: (lastEnd?.finishReason ?? failure?.details.finishReason)?.raw ?? null,
		usage: ends.at(-1)?.usage,
		attempts: starts.reduce((sum, {attempts}) => sum + attempts, 0),
		error: failure,
		notices: selectEvents(events, 'notice').map(({notice}) => notice),
		isComplete: events.at(-1)?.type === 'turn-end',
	};
}

/** Returns the calls of the last step that no `tool-call` repeats, as far as they arrived. */
function collectCutCalls(events: readonly ChatEvent[]): readonly ToolCall[] {
	const calls = new Map<string, ToolCall>();
	for (const event of events) {
		if (event.type === 'step-start') calls.clear();
		else if (event.type === 'tool-call') calls.delete(event.call.callId);
		else if (event.type === 'tool-call-start') {
			const {callId, name} = event;
			calls.set(callId, {callId, name, arguments: '', isRunnable: false});
		} else if (event.type === 'tool-call-delta') {
			const call = calls.get(event.callId);
			if (call) calls.set(event.callId, {...call, arguments: call.arguments + event.text});
		}
	}
	return [...calls.values()];
}

function selectEvents<Type extends ChatEvent['type']>(
	events: readonly ChatEvent[],
	type: Type,
): ReadonlyArray<Extract<ChatEvent, {type: Type}>> {
	return events.filter((event): event is Extract<ChatEvent, {type: Type}> => event.type === type);
}

function joinTexts(deltas: ReadonlyArray<{readonly text: string}>): string {
	return deltas.map(({text}) => text).join('');
}

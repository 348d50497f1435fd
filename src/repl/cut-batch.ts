/**
 * Cuts long texts into parts. A model can write text that is expensive to show, some 50 microseconds a
 * character, so keys and signals are read after each part. Characters are counted instead of time, so
 * that what is shown does not depend on the machine.
 */
import type {ChatEvent, ChatEventBatch} from '../chat/event.ts';

/** UTF-16 units of text that are shown before keys are read again. */
export const partLength = 2048;

/** The same events, each part with at most `partLength` of text. */
export function cutBatch(batch: ChatEventBatch): ReadonlyArray<readonly ChatEvent[]> {
	if (lengthOfText(batch) <= partLength) return [batch];
	return batch.flatMap((event) => {
		const length = lengthOfText([event]);
		if (!('text' in event) || length <= partLength) return [[event]];
		return Array.from({length: Math.ceil(length / partLength)}, (_, index) => [
			{...event, text: event.text.slice(index * partLength, (index + 1) * partLength)},
		]);
	});
}

/** UTF-16 units that the events bring to the screen. */
export function lengthOfText(events: readonly ChatEvent[]): number {
	return events.reduce((length, event) => {
		return shownTypes.has(event.type) && 'text' in event ? length + event.text.length : length;
	}, 0);
}

const shownTypes: ReadonlySet<ChatEvent['type']> = new Set([
	'text-delta',
	'refusal-delta',
	'reasoning-delta',
]);

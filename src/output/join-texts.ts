/** Batches with one piece of answer text: what is written, and kept, once for each network read. */
import type {ChatEvent, ChatEventBatch} from '../chat/event.ts';

/** The batch with all its answer text in one delta, where the first of it stands. */
export function joinTexts(batch: ChatEventBatch): ChatEventBatch {
	const events: ChatEvent[] = [];
	let text = '';
	let place: number | undefined;
	for (const event of batch) {
		if (event.type === 'text-delta') {
			text += event.text;
			place ??= events.push(event) - 1;
		} else {
			events.push(event);
		}
	}
	if (place !== undefined) events[place] = {type: 'text-delta', text};
	return events;
}

/**
 * The answer and the reasoning of one turn on their way to the screen: rows that are final, and
 * the unfinished rest. Fed with deltas, never with the whole text.
 */
import type {ChatEvent} from '../../chat/event.ts';
import {createMarkdownStreamer, type MarkdownOptions} from '../../terminal/markdown/streamer.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {createTailText, type TailText} from './tail-text.ts';

export interface TurnView {
	/** Rows of the answer that are final now; each is given out once. */
	push(events: readonly ChatEvent[]): readonly SafeText[];
	/** The rest of the answer, when nothing follows in it; another one may follow behind it. */
	end(): readonly SafeText[];
	/** The unfinished rest as it looks now. */
	tail(maxRows: number): readonly SafeText[];
	readonly reasoning: TailText;
	/** The width of rows that are not final yet. */
	setWidth(width: number): void;
	setHighlight(highlight: MarkdownOptions['highlight']): void;
}

export function createTurnView(options: MarkdownOptions): TurnView {
	let current = options;
	let answer = createMarkdownStreamer(current);
	const reasoning = createTailText();
	return {
		push(events) {
			let text = '';
			for (const event of events) {
				if (event.type === 'text-delta') text += event.text;
				else if (event.type === 'reasoning-delta') reasoning.push(event.text);
			}
			return text === '' ? [] : answer.push(text);
		},
		end() {
			const rows = answer.end();
			answer = createMarkdownStreamer(current);
			return rows;
		},
		tail: (maxRows) => answer.tail(maxRows),
		reasoning,
		setWidth(next) {
			if (next === current.width) return;
			current = {...current, width: next};
			answer.update({width: next});
		},
		setHighlight(highlight) {
			current = {...current, highlight};
			answer.update({highlight});
		},
	};
}

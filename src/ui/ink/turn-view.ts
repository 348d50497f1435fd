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
				switch (event.type) {
					case 'text-delta':
					case 'refusal-delta':
						text += event.text;
						break;
					case 'reasoning-delta':
						reasoning.push(event.text);
						break;
					case 'step-start':
					case 'tool-call-start':
					case 'tool-call-delta':
					case 'tool-call':
					case 'step-end':
					case 'tool-decision':
					case 'tool-result':
					case 'answer-rejected':
					case 'notice':
					case 'turn-end':
					case 'error':
						break;
					default:
						event satisfies never;
				}
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

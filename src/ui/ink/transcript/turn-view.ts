/** Renders one turn's answer and reasoning from its deltas: final rows, and the unfinished rest. */
import type {ChatEvent} from '../../../chat/event.ts';
import {createNotes} from '../../../terminal/markdown/stream/notes.ts';
import {
	createMarkdownStreamer,
	type MarkdownOptions,
} from '../../../terminal/markdown/stream/streamer.ts';
import type {SafeText} from '../../../terminal/safe-text.ts';
import {createReasoningTail, type ReasoningTail} from './reasoning-tail.ts';

export interface TurnView {
	/** Returns the answer's newly final rows. A tool result and the turn's end close an answer. */
	push(events: readonly ChatEvent[]): readonly SafeText[];
	/** Ends the answer and returns its rest; another one may follow. */
	end(): readonly SafeText[];
	/** Returns the unfinished rest as it looks now; `width` is less than the final rows' width. */
	tail(maxRows: number, width?: number): readonly SafeText[];
	readonly reasoning: ReasoningTail;
	/** Sets the width for unfinished rows. */
	setWidth(width: number): void;
	setHighlight(highlight: MarkdownOptions['highlight']): void;
}

type TurnViewOptions = MarkdownOptions & {
	/** The code blocks in the scrollback above, where its numbering continues. */
	readonly codeBlocksAbove: number;
};

export function createTurnView({codeBlocksAbove, ...options}: TurnViewOptions): TurnView {
	// The texts between tool calls are one answer.
	const notes = createNotes();
	notes.startCode(codeBlocksAbove);
	let current = {...options, notes, hasLongRows: true};
	let answer = createMarkdownStreamer(current);
	const reasoning = createReasoningTail(options);
	const end = () => {
		const rows = answer.end();
		answer = createMarkdownStreamer(current);
		return rows;
	};
	return {
		push(events) {
			const rows: SafeText[] = [];
			let text = '';
			const add = () => {
				if (text !== '') rows.push(...answer.push(text));
				text = '';
			};
			for (const event of events) {
				switch (event.type) {
					case 'text-delta':
					case 'refusal-delta':
						text += event.text;
						break;
					case 'step-start':
						reasoning.push('\n\n');
						break;
					case 'reasoning-delta':
						reasoning.push(event.text);
						break;
					case 'tool-result':
					case 'turn-end':
					case 'error':
						add();
						rows.push(...end());
						break;
					case 'tool-call-start':
					case 'tool-call-delta':
					case 'tool-call':
					case 'continuation':
					case 'step-end':
					case 'tool-decision':
					case 'answer-rejected':
					case 'answer-unwrapped':
					case 'quotations-checked':
					case 'notice':
					case 'reasoning-end':
					case 'trace':
						break;
					default:
						event satisfies never;
				}
			}
			add();
			return rows;
		},
		end,
		tail: (maxRows, width) => answer.tail(maxRows, width),
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

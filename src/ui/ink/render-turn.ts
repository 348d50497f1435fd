/**
 * Renders the upper part of the live region: the unfinished rest of the answer, and the reasoning
 * beside it, above it, or folded to a line.
 */
import {type OpenTurn, reasoningMsOf} from '../../chat/conversation.ts';
import {answerWidth, isWide, paneRows} from '../../repl/geometry.ts';
import {isPaneOpen} from '../../repl/live-turn.ts';
import type {AnswerState, LiveTurn} from '../../repl/state.ts';
import {type SafeText, safe, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import {textWidth} from '../../terminal/width.ts';
import {formatSeconds, formatSpan} from './format-seconds.ts';
import type {AnswerFrameInput, FrameInput} from './frame-input.ts';
import {foldLine} from './render-entry.ts';
import type {TailBuffer} from './tail-buffer.ts';
import type {TurnView} from './turn-view.ts';
import {fitLine} from './wrap-text.ts';

/** Returns the current width of answer rows. */
export function currentAnswerWidth(state: AnswerState): number {
	return answerWidth(state, hasPaneBeside(state));
}

function hasPaneBeside(state: AnswerState): boolean {
	return isPaneOpen(state) && isWide(state.columns);
}

/** The turn under way and its view. */
type Live = {
	readonly state: AnswerState;
	readonly turn: LiveTurn;
	readonly open: OpenTurn;
	readonly view: TurnView;
	readonly style: Styler;
};

/** Returns at most `room` rows. */
export function renderTurn(
	{state, view, style}: AnswerFrameInput,
	room: number,
): readonly SafeText[] {
	const {turn, conversation} = state;
	const {open} = conversation;
	if (room < 1 || turn === undefined || open === undefined || view === undefined) return [];
	const live = {state, turn, open, view, style};
	if (hasPaneBeside(state)) return renderBeside(live, room);
	return isPaneOpen(state) ? renderStacked(live, room) : renderFolded(live, room);
}

/** Returns the reasoning of the last turn between turns, at most `room` rows. */
export function renderLastReasoning(input: FrameInput, room: number): readonly SafeText[] {
	const {state, lastReasoning} = input;
	if (room < 1 || state.turn !== undefined) return [];
	if (!state.isReasoningOpen || lastReasoning === undefined) return [];
	return renderPane(lastReasoning, input, Math.min(room, paneRows(state)));
}

/** Puts the pane to the right of the answer, with a bar between them. */
function renderBeside(live: Live, room: number): readonly SafeText[] {
	const {state, view, style} = live;
	const leftWidth = currentAnswerWidth(state);
	const rightWidth = Math.max(1, state.columns - leftWidth - 4);
	const height = Math.min(room, paneRows(state));
	const left = view.tail(room);
	const right = [
		thinkingLine(live),
		...view.reasoning.rows(rightWidth, height - 1).map((row) => style(row, 'dim')),
	];
	const bar = style(stripUnsafe('│'), 'dim');
	const empty = stripUnsafe('');
	return Array.from({length: Math.max(left.length, right.length)}, (_, index) => {
		const answer = left[index] ?? empty;
		const gap = stripUnsafe(' '.repeat(Math.max(0, leftWidth - visibleWidth(answer)) + 1));
		return safe`${answer}${gap}${bar} ${right[index] ?? empty}`;
	});
}

/** Puts the pane above the answer, which gets half of the room once it has begun. */
function renderStacked(live: Live, room: number): readonly SafeText[] {
	const {state, turn, view} = live;
	const paneRoom = turn.answerLength === 0 ? room - 1 : Math.floor((room - 1) / 2);
	const pane = renderPane(view.reasoning, live, Math.min(paneRoom, paneRows(state)));
	const tail = view.tail(room - 1 - pane.length);
	return [thinkingLine(live), ...pane, ...tail];
}

/** Puts the fold line below the answer, whose first rows have left the live region. */
function renderFolded(live: Live, room: number): readonly SafeText[] {
	const fold = summarizeReasoning(live);
	return [...live.view.tail(room - fold.length), ...fold];
}

function renderPane(
	reasoning: TailBuffer,
	{state, style}: Pick<AnswerFrameInput, 'state' | 'style'>,
	maxRows: number,
): readonly SafeText[] {
	const width = Math.max(1, answerWidth(state, false) - 2);
	return reasoning.rows(width, maxRows).map((row) => style(safe`│ ${row}`, 'dim'));
}

/** Returns the folded pane: one line with the time of the reasoning. */
function summarizeReasoning(live: Live): readonly SafeText[] {
	const {state, open, style} = live;
	if (open.reasoningFrom === undefined) return [];
	if (open.reasoningUntil === undefined) return [thinkingLine(live)];
	const text = foldLine(reasoningMsOf(open, state.now), undefined);
	return [style(fitLine(text, state.columns - 1), 'dim')];
}

function thinkingLine({state, open, style}: Live): SafeText {
	const time = reasoningMsOf(open, state.now);
	const isThinking = open.reasoningUntil === undefined;
	const text = isThinking ? `Thinking… ${formatSeconds(time)}` : `Thought for ${formatSpan(time)}`;
	return style(fitLine(text, state.columns - 1), 'dim', 'bold');
}

/** Returns the cells of a row without its styles. */
function visibleWidth(row: SafeText): number {
	return textWidth(stripUnsafe(row));
}

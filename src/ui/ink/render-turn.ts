/**
 * Renders the upper part of the live region: the unfinished rest of the answer, and the reasoning
 * beside it, above it, or folded to a line.
 */
import {type OpenTurn, reasoningMsOf} from '../../chat/conversation.ts';
import {answerWidth, isWide, paneRows} from '../../repl/geometry.ts';
import {isPaneOpen} from '../../repl/live-turn.ts';
import type {AnswerState, LiveTurn} from '../../repl/state.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import {formatSeconds, formatSpan} from './format-seconds.ts';
import {
	type AnswerFrameInput,
	type FrameInput,
	noTurn,
	type Rows,
	type TurnFrame,
} from './frame-input.ts';
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
export function renderTurn({state, view, style}: AnswerFrameInput, room: number): TurnFrame {
	const {turn, conversation} = state;
	const {open} = conversation;
	if (room < 1 || turn === undefined || open === undefined || view === undefined) return noTurn;
	const live = {state, turn, open, view, style};
	if (hasPaneBeside(state)) return renderBeside(live, room);
	return isPaneOpen(state) ? renderStacked(live, room) : renderFolded(live, room);
}

/** Returns the reasoning of the last turn between turns, at most `room` rows. */
export function renderLastReasoning(input: FrameInput, room: number): TurnFrame {
	const {state, lastReasoning} = input;
	if (room < 1 || state.turn !== undefined) return noTurn;
	if (!state.isReasoningOpen || lastReasoning === undefined) return noTurn;
	const rows = renderReasoning(lastReasoning, input, Math.min(room, paneRows(state)));
	return {...noTurn, pane: {title: [], rows, answerWidth: undefined}};
}

/** The cells of the bar of the pane, and of the space after it. */
const barWidth = 2;

/** Puts the pane to the right of the answer. */
function renderBeside(live: Live, room: number): TurnFrame {
	const {state, view, style} = live;
	const answerWidth = currentAnswerWidth(state) + 1;
	const width = Math.max(1, state.columns - 1 - answerWidth - barWidth);
	const height = Math.min(room, paneRows(state));
	const rows = view.reasoning.rows(width, height - 1).map((row) => style(row, 'dim'));
	return {
		pane: {title: [thinkingLine(live, width)], rows, answerWidth},
		answer: view.tail(room),
		summary: [],
	};
}

/** Puts the pane above the answer, which gets half of the room once it has begun. */
function renderStacked(live: Live, room: number): TurnFrame {
	const {state, turn, view} = live;
	const paneRoom = turn.answerLength === 0 ? room - 1 : Math.floor((room - 1) / 2);
	const rows = renderReasoning(view.reasoning, live, Math.min(paneRoom, paneRows(state)));
	return {
		pane: {title: [thinkingLine(live, state.columns - 1)], rows, answerWidth: undefined},
		answer: view.tail(room - 1 - rows.length),
		summary: [],
	};
}

/** Puts the fold line below the answer, whose first rows have left the live region. */
function renderFolded(live: Live, room: number): TurnFrame {
	const summary = summarizeReasoning(live);
	return {pane: undefined, answer: live.view.tail(room - summary.length), summary};
}

function renderReasoning(
	reasoning: TailBuffer,
	{state, style}: Pick<AnswerFrameInput, 'state' | 'style'>,
	maxRows: number,
): Rows {
	const width = Math.max(1, answerWidth(state, false) - barWidth);
	return reasoning.rows(width, maxRows).map((row) => style(row, 'dim'));
}

/** Returns the folded pane: one line with the time of the reasoning. */
function summarizeReasoning(live: Live): Rows {
	const {state, open, style} = live;
	if (open.reasoningFrom === undefined) return [];
	if (open.reasoningUntil === undefined) return [thinkingLine(live, state.columns - 1)];
	const text = foldLine(reasoningMsOf(open, state.now), undefined);
	return [style(fitLine(text, state.columns - 1), 'dim')];
}

function thinkingLine({state, open, style}: Live, width: number): SafeText {
	const time = reasoningMsOf(open, state.now);
	const isThinking = open.reasoningUntil === undefined;
	const text = isThinking ? `Thinking… ${formatSeconds(time)}` : `Thought for ${formatSpan(time)}`;
	return style(fitLine(text, width), 'dim', 'bold');
}

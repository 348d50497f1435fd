/**
 * Renders the upper part of the live region: the unfinished rest of the answer, and the reasoning,
 * which has the whole width until the answer begins and is then beside it, above it, or closed.
 */

import type {OpenTurn} from '../../../chat/conversation.ts';
import {reasoningMsOf} from '../../../chat/reasoning-time.ts';
import {
	answerWidth,
	isRoomy,
	isWide,
	paneRows,
	reasoningRows,
	widthBesidePane,
} from '../../../repl/geometry.ts';
import {windowFrom} from '../../../repl/list/list.ts';
import type {AnswerState, LiveTurn} from '../../../repl/state.ts';
import {isPaneOpen} from '../../../repl/turn/live-turn.ts';
import {stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {formatSeconds, formatSpan} from '../../../wording.ts';
import type {TurnView} from '../transcript/turn-view.ts';
import {fitTitle} from '../wrap-text.ts';
import {
	type FrameInput,
	noTurn,
	type PaneFrame,
	type ReplFrameInput,
	type TurnFrame,
} from './frame-input.ts';

/** The turn under way and its view. */
type Live = FrameInput & {
	readonly turn: LiveTurn;
	readonly open: OpenTurn;
	readonly view: TurnView;
};

/** Returns at most `room` rows. */
export function renderTurn(input: FrameInput, room: number): TurnFrame {
	const {state, view} = input;
	const {turn, conversation} = state;
	const {open} = conversation;
	if (room < 1 || turn === undefined || open === undefined || view === undefined) return noTurn;
	const live = {...input, turn, open, view};
	if (open.reasoningFrom === undefined) return {pane: undefined, answer: view.tail(room)};
	const isThinking =
		turn.answerLength === 0 || (turn.phase === 'reasoning' && view.tail(room).length === 0);
	if (isPaneOpen(state)) {
		if (isThinking) return renderAbove(live, room, Math.min(room, reasoningRows(state)));
		if (isWide(state.columns)) return renderBeside(live, room);
		return renderAbove(live, room, Math.min(Math.ceil(room / 2), paneRows(state)));
	}
	if (!isThinking) return {pane: undefined, answer: view.tail(room)};
	return {pane: renderPane(live, state.columns - 1, 1), answer: view.tail(room - 1)};
}

/** Returns the reasoning of the last turn between turns, at most `room` rows. */
export function renderPager(
	{state, pager}: ReplFrameInput,
	style: Styler,
	room: number,
): TurnFrame {
	if (room < 1 || pager === undefined) return noTurn;
	const {items: rows, selected: top = 0, turn} = pager;
	const shown = Math.max(0, Math.min(room, reasoningRows(state)) - 1);
	const {start, end} = windowFrom(top, rows.length, shown);
	const isWhole = rows.length <= shown;
	const place = isWhole ? '' : ` · ${start + 1}–${end} of ${rows.length}`;
	const keys = isWhole ? 'Ctrl-O closes' : '↑ ↓ PgUp PgDn · q closes';
	const thought = `▾ Thought for ${formatSpan(turn.times.reasoningMs)}`;
	return {
		...noTurn,
		pane: {
			title: [style(fitTitle(`${thought}${place}`, keys, state.columns - 1), 'hint', 'bold')],
			rows: rows.slice(start, end),
			answerWidth: undefined,
		},
	};
}

/** The cells of the bar of the pane, and of the space after it. */
const barWidth = 2;

/** Returns the cells of a row of reasoning in the whole width. */
export function reasoningWidth(state: AnswerState): number {
	return Math.max(1, answerWidth(state) - barWidth);
}

/** Puts the pane to the right of the answer. */
function renderBeside(live: Live, room: number): TurnFrame {
	const {state, view} = live;
	const left = widthBesidePane(state) + 1;
	const width = Math.max(1, state.columns - 1 - left - barWidth);
	return {
		pane: {...renderPane(live, width, Math.min(room, paneRows(state))), answerWidth: left},
		answer: view.tail(room, widthBesidePane(state)),
	};
}

/** Puts the pane above the answer, with an empty row between them if there is room for one. */
function renderAbove(live: Live, room: number, maxRows: number): TurnFrame {
	const {state, view} = live;
	const pane = renderPane(live, reasoningWidth(state), maxRows);
	const left = room - pane.title.length - pane.rows.length;
	const answer = view.tail(left);
	const [first = ''] = answer;
	const isApart = first === '' || answer.length === left || !isRoomy(state);
	return {pane, answer: isApart ? answer : [stripUnsafe(''), ...answer]};
}

/** @param maxRows with one, the pane is closed */
function renderPane(live: Live, width: number, maxRows: number): PaneFrame {
	const {state, turn, open, view, style, reasoningKey} = live;
	const time = reasoningMsOf(open, state.now);
	const isOver = open.reasoningUntil !== undefined && turn.phase !== 'reasoning';
	const rows = maxRows > 1 ? view.reasoning.rows(width, maxRows - 1) : [];
	const isOpen = isPaneOpen(state);
	const text = isOver ? `Thought for ${formatSpan(time)}` : `Thinking… ${formatSeconds(time)}`;
	const keys = reasoningKey && `${reasoningKey} ${isOpen ? 'closes' : 'opens'}`;
	return {
		title: [style(fitTitle(`${isOpen ? '▾' : '▸'} ${text}`, keys, width), 'hint', 'bold')],
		rows,
		answerWidth: undefined,
	};
}

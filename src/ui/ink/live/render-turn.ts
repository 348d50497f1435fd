/**
 * Renders the live region's upper part: the answer's unfinished rest, and the reasoning, which has
 * the whole width until the answer begins and is then beside it, above it, or closed.
 */
import {
	answerWidth,
	isRoomy,
	isWide,
	paneRows,
	reasoningRows,
	widthBesidePane,
} from '../../../repl/geometry.ts';
import {windowFrom} from '../../../repl/list/list.ts';
import type {AnswerState} from '../../../repl/state.ts';
import {isPaneOpen} from '../../../repl/turn/live-turn.ts';
import {stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import type {TurnView} from '../transcript/turn-view.ts';
import {fitTitle} from '../wrap-text.ts';
import {
	type FrameInput,
	noTurn,
	type ReplFrameInput,
	type Rows,
	type TurnFrame,
} from './frame-input.ts';

type Live = Pick<FrameInput, 'state'> & {readonly view: TurnView};

/**
 * Returns at most `room` rows.
 *
 * @param activity what runs, above the reasoning while nothing else is shown
 */
export function renderTurn(input: FrameInput, activity: Rows, room: number): TurnFrame {
	const {state, view} = input;
	const {turn, conversation} = state;
	const {open} = conversation;
	if (room < 1 || turn === undefined || open === undefined || view === undefined) return noTurn;
	if (!isPaneOpen(state)) return {pane: undefined, answer: view.tail(room)};
	if (isOnlyThinking(input)) {
		const most = turn.paneChoice === 'more' ? reasoningRows(state) : paneRows(state);
		return renderAbove({...input, view}, activity, room, most);
	}
	if (isWide(state.columns)) return renderBeside({...input, view}, room);
	return renderAbove({...input, view}, [], room, Math.min(Math.floor(room / 2), paneRows(state)));
}

/** Whether the reasoning is shown, and no answer. */
export function isOnlyThinking({state, view}: FrameInput): boolean {
	const {turn} = state;
	if (turn === undefined || view === undefined || !isPaneOpen(state)) return false;
	return turn.answerLength === 0 || (turn.phase === 'reasoning' && view.tail(1).length === 0);
}

/** Returns the open fold between turns, at most `room` rows. */
export function renderPager(
	{state, pager}: ReplFrameInput,
	style: Styler,
	room: number,
): TurnFrame {
	if (room < 1 || pager === undefined) return noTurn;
	const {items: rows, selected: top = 0, title, hasNext} = pager;
	const shown = Math.max(0, Math.min(room, reasoningRows(state)) - 1);
	const {start, end} = windowFrom(top, rows.length, shown);
	const isWhole = rows.length <= shown;
	const place = isWhole ? '' : ` · ${start + 1}–${end} of ${rows.length}`;
	const next = hasNext ? 'Ctrl-O next' : 'Ctrl-O closes';
	const keys = isWhole ? next : `↑ ↓ PgUp PgDn · ${next}`;
	return {
		...noTurn,
		pane: {
			title: [style(fitTitle(`${title}${place}`, keys, state.columns - 1), 'hint', 'bold')],
			rows: rows.slice(start, end),
			answerWidth: undefined,
		},
	};
}

/** Cells for the pane's bar and the following space. */
const barWidth = 2;

/** Returns the cells per reasoning row at full width. */
export function reasoningWidth(state: AnswerState): number {
	return Math.max(1, answerWidth(state) - barWidth);
}

/**
 * Puts the pane to the answer's right, never taller than the answer, keeping the prompt in place.
 */
function renderBeside({state, view}: Live, room: number): TurnFrame {
	const left = widthBesidePane(state) + 1;
	const width = Math.max(1, state.columns - 1 - left - barWidth);
	const answer = view.tail(room, widthBesidePane(state));
	const rows = view.reasoning.rows(width, Math.min(answer.length, paneRows(state)));
	return {pane: {title: [], rows, answerWidth: left}, answer};
}

/** Puts the pane above the answer, with an empty row between them if there is room for one. */
function renderAbove({state, view}: Live, title: Rows, room: number, most: number): TurnFrame {
	const rows = view.reasoning.rows(reasoningWidth(state), Math.min(most, room - title.length));
	const left = room - title.length - rows.length;
	const answer = view.tail(left);
	const [first = ''] = answer;
	const isApart = first === '' || answer.length === left || !isRoomy(state);
	return {
		pane: {title, rows, answerWidth: undefined},
		answer: isApart ? answer : [stripUnsafe(''), ...answer],
	};
}

/**
 * Composes the live region: the unfinished answer with its reasoning, a question, the prompt, a
 * popup, the status. Pure, and never taller than `liveRows`; the prompt gets its rows first, then
 * the status, then the rest.
 */
import {liveRows} from '../../repl/geometry.ts';
import {openMenuOf} from '../../repl/menu/reduce-menu.ts';
import type {ReplState} from '../../repl/state.ts';
import {redactSafe, type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import {
	type AnswerFrameInput,
	type Frame,
	type FrameInput,
	heightOfPrompt,
	heightOfQuestion,
	heightOfTurn,
	noMenu,
	noPrompt,
} from './frame-input.ts';
import {renderQuestion} from './render-approval.ts';
import {renderMenu} from './render-menu.ts';
import {renderPopup} from './render-popup.ts';
import {dialogBuffer, renderEditor, renderPromptArea} from './render-prompt.ts';
import {renderTree} from './render-tree.ts';
import {renderPager, renderTurn} from './render-turn.ts';
import {answerStatusLines, statusLines} from './status-line.ts';
import {fitLine, wrapText} from './wrap-text.ts';

export function composeFrame(input: FrameInput): Frame {
	const {state, style} = input;
	const question = renderQuestion(state, style);
	const room = liveRows(state) - heightOfQuestion(question);
	// A small window has rows for little else than what was asked for.
	const isAsked = openMenuOf(state) !== undefined || state.popup !== undefined;
	const statusRoom = isAsked ? 1 : room - 1;
	const status = renderStatus(statusLines(state), input, statusRoom);
	const prompt =
		state.tree === undefined
			? renderPromptArea(input, room - status.length)
			: {...noPrompt, rows: renderTree(state.tree, input, room - status.length)};
	const below = room - status.length - heightOfPrompt(prompt);
	const lower = below - Math.min(turnRows(state), Math.floor(below / 2));
	const popup = renderPopup(input, lower);
	const menu = renderMenu(input, lower - popup.length);
	const left = below - popup.length - menu.names.length;
	const notices = left < 2 ? [] : input.heldNotices.slice(-Math.floor(left / 2));
	const turn = renderTurn(input, left - notices.length);
	const past = heightOfTurn(turn) > 0 ? turn : renderPager(input, left - notices.length);
	return placeCursor({turn: past, question, notices, prompt, popup, menu, status});
}

/** Composes the frame of a single answer; only a question gets an editor. */
export function composeAnswerFrame(input: AnswerFrameInput): Frame {
	const {state, style} = input;
	const question = renderQuestion(state, style);
	const room = liveRows(state) - heightOfQuestion(question);
	const buffer = dialogBuffer(state);
	const status = renderStatus(
		answerStatusLines(state),
		input,
		buffer === undefined ? room : room - 1,
	);
	const left = room - status.length;
	const prompt =
		buffer === undefined ? noPrompt : {...noPrompt, ...renderEditor(buffer, input, left)};
	const turn = renderTurn(input, left - heightOfPrompt(prompt));
	return placeCursor({turn, question, notices: [], prompt, popup: [], menu: noMenu, status});
}

function placeCursor(frame: Omit<Frame, 'cursor'>): Frame {
	const {turn, question, notices, prompt} = frame;
	const {queue, attachments, cursor} = prompt;
	const above = heightOfTurn(turn) + heightOfQuestion(question) + notices.length;
	const y = above + queue.length + attachments.length;
	return {...frame, cursor: cursor && {x: cursor.x, y: cursor.y + y}};
}

/** Returns the rows that a popup leaves to an answer. */
function turnRows({turn}: ReplState): number {
	return turn === undefined ? 0 : 4;
}

/** The reason for a wait may need more than one row. */
const statusRows = 3;

/** @param lines from long to short; the first that fits is shown */
function renderStatus(
	lines: readonly string[],
	{state, style, redact}: AnswerFrameInput,
	room: number,
): readonly SafeText[] {
	const maxRows = Math.min(statusRows, room);
	const texts = lines.map((text) => {
		const shown = redactSafe(stripUnsafe(text), redact).replace(/\s+/g, ' ');
		return shown === '' ? [] : wrapText(shown, Math.max(1, state.columns - 1));
	});
	const shortest = keepEnds(texts.at(-1) ?? [], maxRows, state.columns - 1);
	const rows = texts.find(({length}) => length <= maxRows) ?? shortest;
	return rows.map((row) => style(row, 'dim'));
}

/** Keeps the first rows and the last one, with `…` where rows are left out. */
function keepEnds(rows: readonly SafeText[], maxRows: number, width: number): readonly SafeText[] {
	const before = rows.slice(0, maxRows - 1);
	const marked = before.map((row, place) =>
		place === before.length - 1 ? fitLine(`${row} …`, Math.max(1, width)) : row,
	);
	return [...marked, ...rows.slice(-1)];
}

/**
 * Composes the live region: the unfinished answer with its reasoning, a question, the prompt, a
 * popup, the status. Pure, and never taller than `liveRows`; the prompt gets its rows first, then
 * the status, then the rest.
 */

import {isRoomy, liveRows} from '../../repl/geometry.ts';
import {openMenuOf} from '../../repl/list/reduce-menu.ts';
import {type Block, isApart} from '../../repl/rhythm.ts';
import type {AnswerState, ReplState} from '../../repl/state.ts';
import {nameService} from '../../repl/turn/describe-failure.ts';
import {redactSafe, stripUnsafe} from '../../terminal/safe-text.ts';
import {textWidth} from '../../terminal/width.ts';
import {
	type AnswerFrameInput,
	type Frame,
	type FrameInput,
	type FramePart,
	heightOfPrompt,
	heightOfQuestion,
	heightOfTurn,
	noMenu,
	noPrompt,
	type PromptFrame,
	type Rows,
} from './frame-input.ts';
import {renderDialog} from './render-dialog.ts';
import {renderMenu} from './render-menu.ts';
import {renderPopup} from './render-popup.ts';
import {dialogBuffer, renderEditor, renderPromptArea, renderWaiting} from './render-prompt.ts';
import {renderTree} from './render-tree.ts';
import {renderPager, renderTurn} from './render-turn.ts';
import {answerStatus, type Status, sessionStatus} from './status-line.ts';
import {fitLine, wrapText} from './wrap-text.ts';

export function composeFrame(input: FrameInput): Frame {
	const {state, style} = input;
	const question = renderDialog(state, style);
	const all = liveRows(state) - heightOfQuestion(question);
	const waiting = renderWaiting(input);
	const isAlone = state.dialog !== undefined && !isWriting(state) && waiting.length === 0;
	const status = renderStatus(
		sessionStatus(state),
		input,
		isBrief(state) ? 1 : all - (isAlone ? 0 : 1),
	);
	const prompt = renderLower(input, all - status.length);
	const room = all - status.length - heightOfPrompt(prompt);
	const isTurn = state.turn !== undefined || input.pager !== undefined;
	const hasNotices = input.heldNotices.length > 0;
	const gaps = gapRows(input, room, [isTurn, state.dialog !== undefined, hasNotices, true]);
	const below = room - gaps;
	const lower = below - Math.min(turnRows(state), Math.floor(below / 2));
	const shownWaiting = waiting.slice(0, lower);
	const popup = [...shownWaiting, ...renderPopup(input, lower - shownWaiting.length)];
	const menu = renderMenu(input, lower - popup.length);
	const left = below - popup.length - menu.names.length;
	const notices = left < 2 ? [] : input.heldNotices.slice(-Math.floor(left / 2));
	const turn = renderTurn(input, left - notices.length);
	const past = heightOfTurn(turn) > 0 ? turn : renderPager(input, left - notices.length);
	const spare = isRoomy(state) ? left - notices.length - heightOfTurn(past) : 0;
	return finish({turn: past, question, notices, prompt, popup, menu, status}, input, gaps + spare);
}

/** Returns what keys are for: the text written in a question, the tree, or the prompt. */
function renderLower(input: FrameInput, room: number): PromptFrame {
	const {state} = input;
	if (state.dialog !== undefined) return renderWriting(input, room);
	return state.tree === undefined
		? renderPromptArea(input, room)
		: {...noPrompt, rows: renderTree(state.tree, input, room)};
}

/** Returns the text that is being written in a question; none in one that only has choices. */
function renderWriting(input: AnswerFrameInput, room: number): PromptFrame {
	const buffer = dialogBuffer(input.state);
	return buffer === undefined ? noPrompt : {...noPrompt, ...renderEditor(buffer, input, room)};
}

/** Whether a text is being written in a question. */
function isWriting(state: AnswerState): boolean {
	return dialogBuffer(state) !== undefined;
}

/** Composes the frame of a single answer; only a question gets an editor. */
export function composeAnswerFrame(input: AnswerFrameInput): Frame {
	const {state, style} = input;
	const question = renderDialog(state, style);
	const all = liveRows(state) - heightOfQuestion(question);
	const hasPrompt = isWriting(state);
	const status = renderStatus(
		answerStatus(state, 'Ctrl-C stops'),
		input,
		hasPrompt ? all - 1 : all,
	);
	const left = all - status.length;
	const prompt = renderWriting(input, left);
	const room = left - heightOfPrompt(prompt);
	const gaps = gapRows(input, room, [true, state.dialog !== undefined, hasPrompt]);
	const turn = renderTurn(input, room - gaps);
	const parts = {turn, question, notices: [], prompt, popup: [], menu: noMenu, status};
	return finish(parts, input, gaps);
}

/** Whether the status has one row: below a menu or a popup, and between turns in a small window. */
function isBrief(state: ReplState): boolean {
	const {popup, turn, dialog} = state;
	const isIdle = turn === undefined && dialog === undefined;
	return openMenuOf(state) !== undefined || popup !== undefined || (isIdle && !isRoomy(state));
}

/** The rows that an answer gets before any row stays empty. */
const leastTurnRows = 2;

/** Returns the rows kept for empty ones, at most one for each part. */
function gapRows({state}: AnswerFrameInput, room: number, isPart: readonly boolean[]): number {
	const wanted = isPart.filter(Boolean).length;
	return isRoomy(state) ? Math.max(0, Math.min(wanted, room - leastTurnRows)) : 0;
}

type Parts = Omit<Frame, 'cursor' | 'apart'>;

/** The parts from top to bottom. */
const frameParts: ReadonlyArray<{
	readonly part: FramePart;
	readonly block: (parts: Parts) => Block;
	readonly height: (parts: Parts) => number;
}> = [
	{
		part: 'turn',
		block: ({turn: {pane, answer}}) =>
			answer.length > 0 && (pane === undefined || pane.answerWidth !== undefined)
				? 'answer'
				: 'thought',
		height: ({turn}) => heightOfTurn(turn),
	},
	{part: 'question', block: () => 'question', height: ({question}) => heightOfQuestion(question)},
	{part: 'notices', block: () => 'notice', height: ({notices}) => notices.length},
	{part: 'prompt', block: () => 'editor', height: ({prompt}) => heightOfPrompt(prompt)},
];

/**
 * Sets the parts apart, and places the cursor.
 *
 * @param gaps the maximum of empty rows
 */
function finish(parts: Parts, {lastBlock}: AnswerFrameInput, gaps: number): Frame {
	const apart = new Set<FramePart>();
	let before = lastBlock;
	for (const {part, block, height} of frameParts) {
		if (height(parts) === 0) continue;
		const after = block(parts);
		if (apart.size < gaps && isApart(before, after)) apart.add(part);
		before = after;
	}
	const {queue, attachments, ruleWidth, cursor} = parts.prompt;
	const above = frameParts
		.slice(0, -1)
		.reduce((sum, {height}) => sum + height(parts), apart.size + (ruleWidth === undefined ? 0 : 1));
	const y = above + queue.length + attachments.length;
	return {...parts, apart, cursor: cursor && {x: cursor.x, y: cursor.y + y}};
}

/** Returns the rows that a popup leaves to an answer. */
function turnRows({turn}: ReplState): number {
	return turn === undefined ? 0 : 4;
}

/** The reason for a wait may need more than one row. */
const statusRows = 3;

/** Puts the first line that fits to the left of the key; otherwise wraps the last one. */
function renderStatus(
	{lines, key}: Status,
	{state, style, redact, serviceUrl}: AnswerFrameInput,
	room: number,
): Rows {
	const width = Math.max(1, state.columns - 1);
	const maxRows = Math.min(statusRows, room);
	const texts = lines.map((text) =>
		nameService(redactSafe(stripUnsafe(text), redact), serviceUrl).replace(/\s+/g, ' '),
	);
	const whole = texts.map((text) => alignEnds(text, key, width)).find((row) => row !== undefined);
	if (whole !== undefined) return [style(stripUnsafe(whole), 'hint')].slice(0, room);
	const filled = texts.filter((text) => text !== '');
	if (maxRows === 1) {
		const fitting = filled.find((text) => textWidth(text) <= width) ?? filled.at(-1);
		return fitting === undefined ? [] : [style(fitLine(fitting, width), 'hint')];
	}
	const wrapped = filled.map((text) =>
		wrapText(key === undefined ? text : `${text} · ${key}`, width),
	);
	const shortest = keepEnds(wrapped.at(-1) ?? [], maxRows, width);
	const rows = wrapped.find(({length}) => length <= maxRows) ?? shortest;
	return rows.map((row) => style(row, 'hint'));
}

/** Returns a row with one text at each end, if they fit. */
function alignEnds(left: string, right: string | undefined, width: number): string | undefined {
	if (right === undefined) return undefined;
	const gap = width - textWidth(left) - textWidth(right);
	return gap < 2 ? undefined : left + ' '.repeat(gap) + right;
}

/** Keeps the first rows and the last one, with `…` where rows are left out. */
function keepEnds(rows: Rows, maxRows: number, width: number): Rows {
	const before = rows.slice(0, maxRows - 1);
	const marked = before.map((row, place) =>
		place === before.length - 1 ? fitLine(`${row} …`, Math.max(1, width)) : row,
	);
	return [...marked, ...rows.slice(-1)];
}

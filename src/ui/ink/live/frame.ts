/**
 * Composes the live region: the unfinished answer with its reasoning, a question, the prompt, a
 * popup, the status. Pure, and never taller than `liveRows`; the prompt gets its rows first, then
 * the status, then the rest.
 */
import {isRoomy, liveRows} from '../../../repl/geometry.ts';
import {type Block, isApart} from '../../../repl/rhythm.ts';
import type {AnswerState} from '../../../repl/state.ts';
import {renderMenu} from '../prompt/render-menu.ts';
import {
	questionBuffer,
	renderEditor,
	renderPromptArea,
	renderWaiting,
} from '../prompt/render-prompt.ts';
import {renderTree} from '../prompt/render-tree.ts';
import {
	type Frame,
	type FrameInput,
	type FramePart,
	heightOfPrompt,
	heightOfQuestion,
	heightOfTurn,
	noPrompt,
	type PromptFrame,
	type Rows,
	type TurnFrame,
} from './frame-input.ts';
import {renderQuestion} from './question.tsx';
import {renderPopup} from './render-popup.ts';
import {isOnlyThinking, renderPager, renderTurn} from './render-turn.ts';
import {activityOf, renderStatus, statusOf} from './status-line.ts';

/** Composes a frame for the REPL, or for a single answer, where only a question gets an editor. */
export function composeFrame(input: FrameInput): Frame {
	const {state, style, repl} = input;
	const question = renderQuestion(state, style);
	const whole = liveRows(state) - heightOfQuestion(question);
	const waiting = repl === undefined ? [] : renderWaiting(repl.state, style);
	const isAlone = waiting.length === 0 && questionBuffer(state) === undefined;
	const status = renderStatus(statusOf(state), input, whole - (isAlone ? 0 : 1));
	const activity = renderStatus(activityOf(input), input);
	const all = whole - status.length - activity.length;
	const isThinking = isOnlyThinking(input);
	const lower = renderLower(input, all);
	const prompt = isThinking ? lower : {...lower, above: [...activity, ...lower.above]};
	const room = all + activity.length - heightOfPrompt(prompt);
	const held = repl?.heldNotices ?? [];
	const isPart = [
		state.turn !== undefined || repl?.pager !== undefined,
		state.question !== undefined,
		held.length > 0,
		heightOfPrompt(prompt) > 0,
	];
	const gaps = gapRows(state, room, isPart.filter(Boolean).length);
	const below = room - gaps;
	const popup = renderBelow(
		input,
		waiting,
		below - Math.min(leastAnswer(state), Math.floor(below / 2)),
	);
	const above = below - popup.length;
	const notices = above < 2 ? [] : held.slice(-Math.floor(above / 2));
	const left = above - notices.length;
	const live = renderTurn(input, activity, left);
	const turn = repl && heightOfTurn(live) === 0 ? renderPager(repl, style, left) : live;
	const spare = isRoomy(state) ? left - heightOfTurn(turn) : 0;
	const width = Math.max(1, state.columns - 1);
	const parts = {width, turn, question, notices, prompt, popup, status};
	return setApart(parts, input.lastBlock, gaps + spare);
}

/**
 * Returns at most `room` rows below the prompt: input waiting for a question's end, a popup, or a
 * menu.
 */
function renderBelow({repl, style, redact}: FrameInput, waiting: Rows, room: number): Rows {
	const shown = waiting.slice(0, room);
	if (repl === undefined) return shown;
	const popup = renderPopup(repl.state, {style, redact}, room - shown.length, repl.helpTop);
	return [...shown, ...popup, ...renderMenu(repl.state, style, room - shown.length - popup.length)];
}

/** Returns what keys are for: the text written in a question, the tree, or the prompt. */
function renderLower({state, style, repl}: FrameInput, room: number): PromptFrame {
	if (state.question !== undefined || repl === undefined) {
		const buffer = questionBuffer(state);
		return buffer === undefined
			? noPrompt
			: {...noPrompt, ...renderEditor(buffer, state, style, room)};
	}
	const {tree} = repl.state;
	return tree === undefined
		? renderPromptArea(repl.state, style, room)
		: {...noPrompt, rows: renderTree(tree, state, style, room)};
}

/** Rows reserved for an answer before any row stays empty. */
const leastTurnRows = 2;

/** Returns the rows kept for empty ones, at most one for each part. */
function gapRows(state: AnswerState, room: number, parts: number): number {
	return isRoomy(state) ? Math.max(0, Math.min(parts, room - leastTurnRows)) : 0;
}

/** Returns the rows a popup leaves to an answer. */
function leastAnswer({turn}: AnswerState): number {
	return turn === undefined ? 0 : 4;
}

type Parts = Omit<Frame, 'cursor' | 'apart'>;

/**
 * Adds gaps between the parts, and places the cursor.
 *
 * @param gaps the maximum of empty rows
 */
function setApart(parts: Parts, lastBlock: Block | undefined, gaps: number): Frame {
	const {turn, question, notices, prompt} = parts;
	const heights: ReadonlyArray<readonly [FramePart, Block, height: number]> = [
		['turn', blockOfTurn(turn), heightOfTurn(turn)],
		['question', 'question', heightOfQuestion(question)],
		['notices', 'notice', notices.length],
		['prompt', 'editor', heightOfPrompt(prompt)],
	];
	const apart = new Set<FramePart>();
	let before = lastBlock;
	let end = 0;
	for (const [part, block, height] of heights) {
		if (height === 0) continue;
		if (apart.size < gaps && isApart(before, block)) apart.add(part);
		before = block;
		end += height;
	}
	const {rows, cursor, hasRules} = prompt;
	const y = apart.size + end - rows.length - (hasRules ? 1 : 0);
	return {...parts, apart, cursor: cursor && {x: cursor.x, y: cursor.y + y}};
}

function blockOfTurn({pane, answer}: TurnFrame): Block {
	const isAnswer = answer.length > 0 && (pane === undefined || pane.answerWidth !== undefined);
	return isAnswer ? 'answer' : 'thought';
}

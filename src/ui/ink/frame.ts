/**
 * The live region as rows: the unfinished answer with its reasoning, a question, the prompt, a popup,
 * the status. Pure, and never taller than `liveRows` allows: the prompt comes first, then the status,
 * then the rest.
 */
import type {Redact} from '../../redact.ts';
import {liveRows} from '../../repl/geometry.ts';
import type {ReplState} from '../../repl/state.ts';
import {redactSafe, type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import {approvalPart} from './approval-part.ts';
import {fitLine, wrapText} from './plain-rows.ts';
import {popupPart} from './popup-part.ts';
import {promptPart} from './prompt-part.ts';
import {statusLines} from './status-line.ts';
import type {TailText} from './tail-text.ts';
import {turnPart} from './turn-part.ts';
import type {TurnView} from './turn-view.ts';

export type Frame = {
	readonly rows: readonly SafeText[];
	/** Where the terminal's own cursor stands, for input methods; undefined hides it. */
	readonly cursor: {readonly x: number; readonly y: number} | undefined;
};

export type FrameInput = {
	readonly state: ReplState;
	/** The turn under way. */
	readonly view: TurnView | undefined;
	/** The reasoning of the last turn. */
	readonly lastReasoning: TailText | undefined;
	/** Rows that are said right above the prompt. */
	readonly remarks: readonly SafeText[];
	/** Whether a prompt is shown; a single answer has none. */
	readonly hasPrompt: boolean;
	readonly style: Styler;
	readonly redact: Redact;
};

export const emptyFrame: Frame = {rows: [], cursor: undefined};

export function composeFrame(input: FrameInput): Frame {
	const {state, hasPrompt, style} = input;
	const question = approvalPart(state, style);
	const room = liveRows(state) - question.length;
	const isWriting = state.approval !== undefined && state.approval.mode !== 'ask';
	const hasEditor = hasPrompt || isWriting;
	const status = statusPart(input, hasEditor ? room - 1 : room);
	const prompt = hasEditor ? promptPart(input, room - status.length) : emptyFrame;
	const below = room - status.length - prompt.rows.length;
	const popup = popupPart(input, below - Math.min(turnRows(state), Math.floor(below / 2)));
	const left = below - popup.length;
	const remarks = left < 2 ? [] : input.remarks.slice(-Math.floor(left / 2));
	const turn = turnPart(input, left - remarks.length);
	const above = [...turn, ...question, ...remarks];
	const {cursor} = prompt;
	return {
		rows: [...above, ...prompt.rows, ...popup, ...status],
		cursor: cursor && {x: cursor.x, y: cursor.y + above.length},
	};
}

/** The rows that a popup leaves to an answer. */
function turnRows({turn}: ReplState): number {
	return turn === undefined ? 0 : 4;
}

/** What it waits for may need more than one row: the end of it says until when. */
const statusRows = 3;

function statusPart({state, style, redact}: FrameInput, room: number): readonly SafeText[] {
	const maxRows = Math.min(statusRows, room);
	const texts = statusLines(state).map((text) => {
		const shown = redactSafe(stripUnsafe(text), redact).replace(/\s+/g, ' ');
		return shown === '' ? [] : wrapText(shown, Math.max(1, state.columns - 1));
	});
	const shortest = cutMiddle(texts.at(-1) ?? [], maxRows, state.columns - 1);
	const rows = texts.find(({length}) => length <= maxRows) ?? shortest;
	return rows.map((row) => style(row, 'dim'));
}

/** The first rows and the last one, with a mark where something is left out. */
function cutMiddle(rows: readonly SafeText[], maxRows: number, width: number): readonly SafeText[] {
	const before = rows.slice(0, maxRows - 1);
	const marked = before.map((row, place) =>
		place === before.length - 1 ? fitLine(`${row} …`, Math.max(1, width)) : row,
	);
	return [...marked, ...rows.slice(-1)];
}
